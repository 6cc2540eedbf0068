"""YAML with a place for every value: duplicate keys and tabs found, nothing executed.

Values come out as plain dicts, lists and scalars beside a table from a value's path (a tuple of
keys and indexes) to its offset in the file, so that a schema's complaint can name line and column.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

from perfnotes.findings import Finding
from perfnotes.nearest import nearest
from perfnotes.schema import Accepts, acceptor
from perfnotes.source import Source

if TYPE_CHECKING:
    import jsonschema

Path = tuple[Hashable, ...]

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_DEPTH = 40
_TEXT = "tag:yaml.org,2002:str"


@dataclass(frozen=True)
class Document:
    """A YAML document's value and where each part of it stands (offsets into the source)."""

    value: Any
    places: dict[Path, int] = field(default_factory=dict)

    def place(self, path: Path) -> int:
        """The offset of the value at ``path``, or of the nearest parent that has one."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, 0)


class _BadError(Exception):
    def __init__(self, offset: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.offset, self.message, self.hint = offset, message, hint


def load(
    source: Source, start: int = 0, end: int | None = None
) -> tuple[Document | None, list[Finding]]:
    """The YAML between two offsets of a source, or None and the findings that say why not."""
    text = source.text[start:end]
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            places: dict[Path, int] = {(): start}
            if node is None:
                return Document(None, places), []
            value = _build(loader, node, (), places, start)
        finally:
            loader.dispose()
    except _BadError as bad:
        return None, [source.finding(bad.offset, "PN104", bad.message, bad.hint)]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        offset = start + (_offset(text, mark.line, mark.column) if mark else 0)
        message = f"broken YAML: {error.problem or error.context or 'cannot be read'}"
        return None, [source.finding(offset, "PN104", message, _yaml_hint(source.text, offset))]
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0] if str(error) else "nested too deeply"
        return None, [source.finding(start, "PN104", f"broken YAML: {reason}")]
    return Document(value, places), []


def _offset(text: str, line: int, column: int) -> int:
    at = 0
    for _ in range(line):
        newline = text.find("\n", at)
        if newline < 0:
            return len(text)
        at = newline + 1
    return min(at + column, len(text))


def _yaml_hint(text: str, offset: int) -> str:
    begin = text.rfind("\n", 0, offset) + 1
    line = text[begin : text.find("\n", offset) if "\n" in text[offset:] else len(text)]
    if "\t" in line[: offset - begin + 1] or line.startswith("\t"):
        return "YAML indents with spaces, not with tabs"
    return "quote a value that holds ': ' or starts with a special character"


def _build(loader: Any, node: yaml.Node, path: Path, places: dict[Path, int], base: int) -> Any:
    if len(path) > _MAX_DEPTH:
        raise _BadError(base + node.start_mark.index, "YAML nested too deeply")
    places.setdefault(path, base + node.start_mark.index)
    if isinstance(node, yaml.MappingNode):
        result: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            at = base + key_node.start_mark.index
            if not isinstance(key_node, yaml.ScalarNode):
                raise _BadError(at, "a key must be a plain word")
            if key_node.tag.endswith(":merge"):
                raise _BadError(at, "merge keys ('<<') are not used here", "write the values out")
            key = _scalar(loader, key_node, at)
            if key in result:
                raise _BadError(at, f"the key {key!r} stands twice", "keep one of the two")
            places[(*path, key)] = at
            result[key] = _build(loader, value_node, (*path, key), places, base)
        return result
    if isinstance(node, yaml.SequenceNode):
        return [_build(loader, n, (*path, i), places, base) for i, n in enumerate(node.value)]
    if not node.tag.startswith("tag:yaml.org,2002:"):
        raise _BadError(base + node.start_mark.index, f"the YAML tag {node.tag!r} is not allowed")
    value = _scalar(loader, node, base + node.start_mark.index)
    return value.isoformat() if hasattr(value, "isoformat") else value


def _scalar(loader: Any, node: yaml.Node, at: int) -> Any:
    """A plain value; PyYAML raises errors of many kinds where a tag and its text do not fit."""
    if node.tag == _TEXT:
        return node.value  # as the loader would, only sooner; most scalars are text
    try:
        return loader.construct_object(node)
    except yaml.MarkedYAMLError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        kind = node.tag.rpartition(":")[2]
        raise _BadError(at, f"{str(node.value)[:40]!r} is no {kind}", "quote it") from error


@cache
def _schema(name: str) -> Any:
    return json.loads(files("perfnotes").joinpath("schemas", f"{name}.json").read_text("utf-8"))


@cache
def _accepts(name: str) -> Accepts:
    return acceptor(_schema(name))


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    """The validator of the JSON Schema ``schemas/<name>.json``, which says what is wrong."""
    import jsonschema  # noqa: PLC0415 - most values are right, and it takes long to start

    return jsonschema.Draft202012Validator(_schema(name))


def errors(name: str, value: Any) -> Iterator[Any]:
    """What is wrong with a value by this schema."""
    if not _accepts(name)(value):
        yield from validator(name).iter_errors(value)


def validate(source: Source, document: Document, schema: str, code: str) -> list[Finding]:
    """What a JSON Schema finds wrong, each at the value's own place."""
    findings = []
    for error in errors(schema, document.value):
        path: Path = tuple(error.absolute_path)
        message = _message(error, document.value)
        if error.validator == "additionalProperties":
            known = set(error.schema.get("properties", {}))
            unknown = [key for key in error.instance if key not in known]
            for key in unknown:
                hint = _near(str(key), sorted(known))
                at = document.place((*path, key))
                where = source.finding(at, code, f"unknown key {key!r}", hint)
                findings.append(where)
            continue
        hint = str(error.schema.get("description", "")) if isinstance(error.schema, dict) else ""
        findings.append(source.finding(document.place(path), code, message, hint))
    return sorted(findings)


def _message(error: jsonschema.ValidationError, value: Any) -> str:
    path: list[Any] = list(error.absolute_path)
    if path and isinstance(value, list) and isinstance(value[path[0]], dict):
        path[0] = value[path[0]].get("id", path[0])  # an entry of a table is known by its id
    where = ".".join(str(p) for p in path)
    text = error.message if len(error.message) < 160 else f"does not satisfy '{error.validator}'"
    return f"{where}: {text}" if where else text


def _near(word: str, known: list[str]) -> str:
    guess = nearest(word, known)
    return f"did you mean {guess!r}?" if guess else "known keys: " + ", ".join(known)
