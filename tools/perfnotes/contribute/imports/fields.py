"""Reads the front matter of other programs: YAML, TOML, JSON, or none."""

from __future__ import annotations

import json
import re
import tomllib
from datetime import date, datetime
from typing import Any

from msgspec import Struct, field

from perfnotes.source import yamlnodes

_YAML = re.compile(r"\s*---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE | re.DOTALL)
_TOML = re.compile(r"\s*\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.MULTILINE | re.DOTALL)
_PAIR = re.compile(r"^([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*))?$", re.MULTILINE)
_LONGEST = 200_000  # characters of front matter
_DEEPEST = 20  # levels of a value that are read


class Fields(Struct):
    """The keys and values of a source's front matter.

    Code that uses a key takes it out. ``rest`` returns what nobody took, to be kept aside.
    ``problem`` says why the front matter could not be read, if it could not, and ``problem_line``
    is the line of the source.
    """

    values: dict[str, Any] = field(default_factory=dict)
    problem: str = ""
    problem_line: int = 1
    raw: str = ""  # the front matter's text if it could not be read

    def take(self, *keys: str) -> list[str]:
        """Take out the first of these keys that has a value; return its values as strings."""
        for key in keys:
            if key in self.values and (found := _strings(self.values[key])):
                del self.values[key]
                return found
        return []

    def line(self, *keys: str) -> str:
        """The values that ``take`` returns, joined by spaces."""
        return " ".join(self.take(*keys))

    def rest(self) -> list[str]:
        """The keys that nobody took, as lines of text."""
        lines = []
        for key, value in self.values.items():
            if value is None or value in ("", []):
                continue
            lines.append(f"{key}: {json.dumps(_plain(value), ensure_ascii=False)}")
        return [*lines, *self.raw.split("\n")] if self.raw else lines


def split(text: str) -> tuple[Fields, int]:
    """The front matter of a text, and the offset behind it."""
    for pattern, read in ((_YAML, _yaml), (_TOML, _toml)):
        found = pattern.match(text)
        if found and len(found[1]) < _LONGEST:
            fields = read(found[1])
            if fields:
                fields.problem_line += text.count("\n", 0, found.start(1))
                return fields, found.end()
    start = len(text) - len(text.lstrip())
    if text.startswith(("{\n", '{"'), start):
        try:
            value, end = json.JSONDecoder().raw_decode(text[start : start + _LONGEST])
        except (ValueError, RecursionError):
            return Fields(), 0
        if isinstance(value, dict) and text[start + end :].startswith("\n"):
            return Fields(_lowered(value)), start + end + 1
    return Fields(), 0


def _yaml(source: str) -> Fields | None:
    if not source.strip():
        return Fields()
    if not _PAIR.search(source):
        return None  # this is text between two thematic breaks
    try:
        value = yamlnodes.value(source)
    except yamlnodes.YamlError as error:
        pairs = {k.lower(): v.strip("\"' ") for k, v in _PAIR.findall(source) if v.strip()}
        kept = {k: v for k, v in pairs.items() if k in ("title", "date", "author", "description")}
        problem = f"the front matter is broken YAML ({error.message})"
        line = source.count("\n", 0, error.offset) + 1
        return Fields(kept, problem, line, source.strip("\n"))
    return Fields(_lowered(value)) if isinstance(value, dict) else None


def _toml(source: str) -> Fields | None:
    try:
        value = tomllib.loads(source)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        problem = f"the front matter is broken TOML ({error})"
        return Fields({}, problem, raw=source.strip("\n"))
    return Fields(_lowered(value))


def _lowered(value: dict[Any, Any]) -> dict[str, Any]:
    return {str(k).strip().lower(): v for k, v in value.items()}


def _strings(value: Any, depth: int = 0) -> list[str]:
    if depth > _DEEPEST:
        return []
    if isinstance(value, dict):
        value = value.get("name") or value.get("title") or list(value.values())
    if isinstance(value, (list, tuple)):
        return [line for v in value for line in _strings(v, depth + 1)]
    if isinstance(value, bool) or value is None:
        return []
    line = " ".join(str(_plain(value)).split())
    return [line] if line else []


def _plain(value: Any, depth: int = 0) -> Any:
    """A value in which everything that JSON cannot hold is a string."""
    if depth > _DEEPEST:
        return str(value)[:1000]
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(k): _plain(v, depth + 1) for k, v in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_plain(v, depth + 1) for v in value]
    if isinstance(value, (str, int, float, bool)) or value is None:
        return value
    return str(value)
