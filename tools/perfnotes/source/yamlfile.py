"""Reads YAML files and validates them, with findings that name the line and column of a value.

The result is plain dicts, lists and scalars, and a table from the path of each value (a tuple of
keys and indexes) to its offset in the file. Duplicate keys are an error. No YAML tag can run code.
"""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Hashable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from msgspec import Struct, field

from perfnotes.source import yamlnodes
from perfnotes.source.schema import Schema, path_of, unknown_keys, wrong_key_message
from perfnotes.source.yamlnodes import YamlError
from perfnotes.text.findings import Finding
from perfnotes.text.hidden import HIDDEN, hidden_name
from perfnotes.text.nearest import nearest
from perfnotes.text.source import Source, read_source

Path = tuple[Hashable, ...]

# A key without a value, up to the comma or brace that follows it.
_NO_VALUE = re.compile(r"[^,:{}\[\]\n]++(?:\n\s*+)?[,}]")


class YamlDocument(Struct, frozen=True):
    """The value of a YAML document, and the offset of each part of it in the source."""

    value: Any
    places: dict[Path, int] = field(default_factory=dict)

    def place(self, path: Path) -> int:
        """Return the offset of the value at ``path``, or of the nearest parent that has one."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, 0)


def load(
    source: Source, start: int = 0, end: int | None = None, *, escapes: bool = False
) -> tuple[YamlDocument | None, list[Finding]]:
    """Read the YAML between two offsets of a source.

    Returns None and a finding (PN104) if it is not valid YAML, or if a text in it has the escape of
    a character that nobody sees. With ``escapes``, who calls judges such texts.
    """
    places: dict[Path, int] = {(): start}
    try:
        node = yamlnodes.compose(source.text[start:end])
        value = None if node is None else _build(node, (), places, start, escapes=escapes)
    except YamlError as error:
        finding = source.finding(start + error.offset, "PN104", error.message, error.hint)
        return None, [finding]
    return YamlDocument(value, places), []


def _build(
    node: yaml.Node, path: Path, places: dict[Path, int], base: int, *, escapes: bool
) -> Any:
    """Return the value of a node and add the offset of everything in it to ``places``."""
    places.setdefault(path, base + node.start_mark.index)
    if isinstance(node, yaml.MappingNode):
        result: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key, at = yamlnodes.key(key_node), key_node.start_mark.index
            if key in result:
                raise YamlError(
                    at, f"the key {str(key)[:80]!r} appears twice", "keep one of the two"
                )
            places[(*path, key)] = base + at
            result[key] = _build(value_node, (*path, key), places, base, escapes=escapes)
        return result
    if isinstance(node, yaml.SequenceNode):
        return [
            _build(each, (*path, i), places, base, escapes=escapes)
            for i, each in enumerate(node.value)
        ]
    value = yamlnodes.scalar(node)
    quoted = not escapes and isinstance(node, yaml.ScalarNode) and node.style == '"'
    if quoted and isinstance(value, str) and (hidden := HIDDEN.search(value)):
        raise YamlError(
            node.start_mark.index,
            f"the text holds the character {hidden_name(hidden[0])}, which is not seen",
            "remove its escape",
        )
    return value.isoformat() if hasattr(value, "isoformat") else value


@cache
def schema(name: str) -> Schema:
    """Return the schema ``schemas/<name>.json``."""
    file = files("perfnotes").joinpath("source/schemas", f"{name}.json")
    return Schema(json.loads(file.read_text("utf-8")))


def validate(
    source: Source, document: YamlDocument, name: str, code: str, whole: str = "the file"
) -> list[Finding]:
    """Validate a document, which findings call ``whole``, by the schema ``schemas/<name>.json``.

    Each finding, with this ``code``, names the place of its value.
    """
    findings = []
    wanted = schema(name)
    for error in wanted.errors(document.value):
        path: Path = path_of(error, document.value)
        part, subject = wanted.part(error), _named(path, document.value) or whole
        if comma := _cut_by_comma(source, document, path, error.instance):
            findings.append(source.finding(comma[0], code, comma[1], "quote it"))
            continue
        unknown = unknown_keys(error)
        for key in unknown:
            at = document.place((*path, key))
            findings.append(source.finding(at, code, *_unknown(key, part, subject)))
        if not unknown:
            told = wanted.describe(error, document.value, subject)
            findings.append(source.finding(document.place(path), code, *told))
    return sorted(findings)


def read_valid(
    file: pathlib.Path, shown: str, name: str, code: str, *, escapes: bool = False
) -> tuple[YamlDocument | None, Source | None, list[Finding]]:
    """Read a file, which findings call ``shown``, and validate it by ``schemas/<name>.json``.

    Returns the document, its source and findings. The document is None if it is not valid, or if it
    cannot be read; the source is None if the file cannot be read. Findings that the schema gives
    have this ``code``. ``escapes`` is that of ``load``.
    """
    source, findings = read_source(file, shown)
    if source is None:
        return None, None, findings
    document, more = load(source, escapes=escapes)
    if document is None:
        return None, source, findings + more
    problems = validate(source, document, name, code)
    return None if problems else document, source, findings + more + problems


def _cut_by_comma(
    source: Source, document: YamlDocument, path: Path, instance: Any
) -> tuple[int, str] | None:
    """Find a text without quotes that a comma ends, as in ``{en: one, two}``.

    YAML reads ``two`` as a key without a value. Returns its offset and a message, or None.
    """
    for key, value in instance.items() if isinstance(instance, dict) else ():
        at = document.place((*path, key))
        if value is None and _NO_VALUE.match(source.text, at):
            return at, f"a comma ends the text before {str(key)[:80]!r}"
    return None


def _unknown(key: str, part: Mapping[str, Any], subject: str) -> tuple[str, str]:
    """Return what is wrong with a key that a part of a schema does not know, and a hint."""
    if message := wrong_key_message(key, part, subject):
        return message, "rename the key"
    known = sorted(part.get("properties", {}))
    guess = nearest(key, known)
    hint = f"did you mean {guess!r}?" if guess else "known keys: " + ", ".join(known)
    return f"unknown key {key!r}", hint


def _named(path: Path, value: Any) -> str:
    """Return how a finding names the value at ``path``; "" for the whole document."""
    keys, of = [*_shown_keys(path, value)], ""
    if keys and isinstance(value, list):
        number = int(keys.pop(0))
        entry = value[number - 1]
        id = entry.get("id") if isinstance(entry, dict) else None
        if isinstance(id, str):
            keys.insert(0, id[:80])
        else:
            of = f"entry {number}"
    inside = f"`{'.'.join(keys)}`" if keys else ""
    return f"{inside} of {of}" if inside and of else inside or of


def _shown_keys(path: Path, value: Any) -> Iterator[str]:
    """Yield the keys of a path as a finding shows them, those of a list counted from 1."""
    for key in path:
        if isinstance(value, list) and isinstance(key, int):
            yield str(key + 1)
            value = value[key]
        else:
            yield str(key)[:80]
            value = value.get(key) if isinstance(value, dict) else None
