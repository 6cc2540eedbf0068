"""Reads YAML files and validates them, with findings that name the line and column of a value.

The result is plain dicts, lists and scalars, and a table from the path of each value (a tuple of
keys and indexes) to its offset in the file. Duplicate keys are an error. No YAML tag can run code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

from perfnotes.source import yamlnodes
from perfnotes.source.schema import Accepts, acceptor, explainer
from perfnotes.source.yamlnodes import YamlError
from perfnotes.text.findings import Finding
from perfnotes.text.nearest import nearest
from perfnotes.text.source import Source

if TYPE_CHECKING:
    import jsonschema

Path = tuple[Hashable, ...]

_NO_VALUE = re.compile(r"[^,:{}\[\]\n]+\s*[,}]")


@dataclass(frozen=True)
class YamlDocument:
    """The value of a YAML document, and the offset of each part of it in the source."""

    value: Any
    places: dict[Path, int] = field(default_factory=dict)

    def place(self, path: Path) -> int:
        """Return the offset of the value at ``path``, or of the nearest parent that has one."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, 0)


def load(
    source: Source, start: int = 0, end: int | None = None
) -> tuple[YamlDocument | None, list[Finding]]:
    """Read the YAML between two offsets of a source; None and a finding if it is not valid YAML."""
    places: dict[Path, int] = {(): start}
    try:
        node = yamlnodes.compose(source.text[start:end])
        value = None if node is None else _build(node, (), places, start)
    except YamlError as error:
        finding = source.finding(start + error.offset, "PN104", error.message, error.hint)
        return None, [finding]
    return YamlDocument(value, places), []


def _build(node: yaml.Node, path: Path, places: dict[Path, int], base: int) -> Any:
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
            result[key] = _build(value_node, (*path, key), places, base)
        return result
    if isinstance(node, yaml.SequenceNode):
        return [_build(each, (*path, i), places, base) for i, each in enumerate(node.value)]
    value = yamlnodes.scalar(node)
    return value.isoformat() if hasattr(value, "isoformat") else value


@cache
def _schema(name: str) -> Any:
    return json.loads(
        files("perfnotes").joinpath("source/schemas", f"{name}.json").read_text("utf-8")
    )


@cache
def _accepts(name: str) -> Accepts:
    return acceptor(_schema(name))


@cache
def validator(name: str) -> jsonschema.protocols.Validator:
    """Return the validator of the schema ``schemas/<name>.json`` that explains what is wrong."""
    return explainer(_schema(name))


def errors(name: str, value: Any) -> Iterator[Any]:
    """Yield the errors of a value by the schema ``schemas/<name>.json``."""
    if not _accepts(name)(value):
        yield from validator(name).iter_errors(value)


def validate(source: Source, document: YamlDocument, schema: str, code: str) -> list[Finding]:
    """Validate a document; each finding, with this ``code``, names the place of its value."""
    findings = []
    for error in errors(schema, document.value):
        path: Path = tuple(error.absolute_path)
        if comma := _cut_by_comma(source, document, path, error.instance):
            findings.append(source.finding(comma[0], code, comma[1], "quote it"))
            continue
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


def _message(error: jsonschema.ValidationError, value: Any) -> str:
    path: list[Any] = list(error.absolute_path)
    if path and isinstance(value, list) and isinstance(value[path[0]], dict):
        path[0] = value[path[0]].get("id", path[0])  # name an entry of a table by its id
    where = ".".join(str(p) for p in path)
    text = error.message if len(error.message) < 160 else f"does not satisfy '{error.validator}'"
    return f"{where}: {text}" if where else text


def _near(word: str, known: list[str]) -> str:
    guess = nearest(word, known)
    return f"did you mean {guess!r}?" if guess else "known keys: " + ", ".join(known)
