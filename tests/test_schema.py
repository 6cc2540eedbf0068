"""The JSON Schemas find what is wrong and say where; no text makes that slow or large."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema_rs import ValidationError

from perfnotes.labs.instruments import instruments
from perfnotes.source import yamlfile
from perfnotes.source.schema import Schema
from perfnotes.text.source import Source
from tests.project import ROOT

SCHEMAS: dict[str, Any] = {
    file.stem: json.loads(file.read_text("utf-8"))
    for file in sorted((ROOT / "tools/perfnotes/source/schemas").glob("*.json"))
} | {f"instrument {name}": each.OPTIONS for name, each in instruments().items()}


def found(schema: str, text: str) -> list[str]:
    source = Source("notes/a.yml", text)
    document, findings = yamlfile.load(source)
    assert document
    assert not findings
    problems = yamlfile.validate(source, document, schema, "PN203")
    return [f"{f.line}:{f.column} {f.message} ({f.hint})" for f in problems]


def test_a_finding_has_the_place_of_its_value_and_a_hint() -> None:
    tags = "- id: A b\n  name: {en: x}\n  description: 1\n  colour: red\n- id: a\n"
    assert found("tags", tags) == [
        "1:3 A b.id: 'A b' does not match '^[a-z0-9]+(-[a-z0-9]+)*$' "
        "(lower case words joined by hyphens)",
        "3:3 A b.description: 1 is not of type 'object' ({en: ..., zh: ...})",
        "4:3 unknown key 'colour' (known keys: aliases, description, id, name)",
        "5:3 a: 'description' is a required property ()",
        "5:3 a: 'name' is a required property ()",
    ]  # fmt: skip
    fact = "title: x\nentities:\n  a:\n    name: ''\n    kind: car\n    facts: {C: {unit: x}}\n"
    assert found("facts", fact) == [
        "4:5 entities.a.name: '' does not fit exactly one of the given schemas "
        "(a text, or {en: ..., zh: ...})",
        "5:5 entities.a.kind: 'car' is not one of ['gpu', 'cpu', 'memory', 'bus', 'storage', "
        "'network', 'program', 'architecture'] "
        "(gpu, cpu, memory, bus, storage, network, program or architecture)",
        "6:13 entities.a.facts: 'C' does not match '^[a-z0-9]+(-[a-z0-9]+)*$' ()",
    ]
    assert found("topics", "- id: a\n  title: {en: one, two}\n  description: {en: x}\n") == [
        "2:20 a comma ends the text before 'two' (quote it)",
    ]


@pytest.mark.parametrize("key", ["1", "01", "00", "18446744073709551615"])
def test_a_key_that_looks_like_an_index_has_its_place(key: str) -> None:
    [problem] = found("facts", f"title: x\nentities:\n  '{key}': 5\n")
    assert problem.startswith(f"3:3 entities.{key}: 5 is not of type 'object'")


@pytest.mark.parametrize("key", ["+7", "٣", "1_0", "-1", " 1", "１"])
def test_a_key_that_is_hardly_an_index_is_refused_where_it_stands(key: str) -> None:
    problem = found("facts", f"title: x\nentities:\n  '{key}': 5\n")[0]
    assert problem.startswith(f"3:3 entities: {key!r} does not match")


@pytest.mark.parametrize(
    ("part", "right", "wrong"),
    [
        ({"type": "integer"}, [1, 1.0, 10**60], [1.5, True, "1", None]),
        ({"enum": ["", 1]}, ["", 1], [True, "1"]),
        ({"pattern": r"^\d+$"}, ["1", 1], ["1\n", "١", ""]),
        ({"maxLength": 2}, ["缓存", "\U0001f600" * 2], ["abc"]),
        ({"uniqueItems": True}, [[1, True], ["a", "b"]], [["a", "a"], [{"a": 1}, {"a": 1}]]),
        ({"minimum": 0}, [0, 10**60, "x"], [-1, -(10**60), -0.5]),
        ({"oneOf": [{"type": "string"}, {"required": ["en"], "type": "object"}]},
         ["x", {"en": 1}], [1, {"zh": 1}]),
    ],
)  # fmt: skip
def test_keywords_mean_what_json_schema_says(part: Any, right: list[Any], wrong: list[Any]) -> None:
    schema = Schema(part)
    assert [value for value in right if schema.errors(value)] == []
    assert [value for value in wrong if len(schema.errors(value)) != 1] == []


def _parts(schema: Any) -> Iterator[Any]:
    yield schema
    for each in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(each, dict | list):
            yield from _parts(each)


@pytest.mark.parametrize("name", SCHEMAS)
def test_many_wrong_keys_are_one_error(name: str) -> None:
    """With ``propertyNames`` 2,000 wrong keys would take a gigabyte."""
    for part in _parts(SCHEMAS[name]):
        assert "propertyNames" not in part
    for error in Schema(SCHEMAS[name]).errors({f"A {i}": 1 for i in range(5000)}):
        assert error.kind.name in {"additionalProperties", "required", "type", "minProperties"}


def test_a_schema_fetches_nothing_and_a_pattern_takes_no_long_time() -> None:
    for address in ("https://notes.example/x.json", "file:///etc/hostname", "other.json"):
        with pytest.raises(ValidationError, match="retrieving it failed"):
            Schema({"$ref": address}).errors(1)
    with pytest.raises(ValidationError, match="regex"):
        Schema({"pattern": r"(a)\1"}).errors("aa")
    assert Schema({"pattern": "^(a+)+$"}).errors("a" * 200_000 + "b")


def test_a_value_of_bytes_is_refused_with_its_place() -> None:
    source = Source("notes/a.yml", "title: !!binary aGk=\n")
    document, (finding,) = yamlfile.load(source)
    assert document is None
    assert (finding.code, finding.line, finding.column) == ("PN104", 1, 8)
