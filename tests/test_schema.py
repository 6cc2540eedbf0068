"""The JSON Schemas find what is wrong and say where; no text makes that slow or large."""

from __future__ import annotations

import json
import re
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


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('a:\n- b: "c"\n   d: e\n', "3:4 indent the line as those around it"),
        ("- a: b\n - a: c\n", "2:2 indent the line as those around it"),
        ("a: b\nc: [d]\n e: f\n", "3:2 indent the line as those around it"),
        ("a: b\n  c: d\n", "2:4 indent a key as the keys around it; quote a value that holds ': '"),
        ("a: b: c\n", "1:5 quote a value that holds ': ' or starts with a special character"),
        ("a: @b\n", "1:4 quote a value that holds ': ' or starts with a special character"),
    ],
)
def test_broken_yaml_has_a_hint_that_mends_it(text: str, hint: str) -> None:
    _, (finding,) = yamlfile.load(Source("notes/a.yml", text))
    assert f"{finding.line}:{finding.column} {finding.hint}" == hint


def test_a_finding_has_the_place_of_its_value_and_a_hint() -> None:
    tags = "- id: A b\n  name: {en: x}\n  description: 1\n  colour: red\n- id: a\n"
    assert found("tags", tags) == [
        "1:3 `A b.id` is 'A b', which does not have the right form "
        "(lower case words joined by hyphens)",
        "3:3 `A b.description` is 1, not a mapping of keys to values ({en: ..., zh: ...})",
        "4:3 unknown key 'colour' (known keys: aliases, description, id, name)",
        "5:3 `description` is missing in `a` (write {en: ..., zh: ...})",
        "5:3 `name` is missing in `a` (write {en: ..., zh: ...})",
    ]  # fmt: skip
    assert found("tags", "- name: {en: x}\n  description: 1\n- 2\n") == [
        "1:3 `id` is missing in entry 1 (write lower case words joined by hyphens)",
        "2:3 `description` of entry 1 is 1, not a mapping of keys to values ({en: ..., zh: ...})",
        "3:3 entry 2 is 2, not a mapping of keys to values ()",
    ]
    assert found("tags", "a: b\n") == ["1:1 the file is a mapping of keys to values, not a list ()"]
    note = "title: x\nsymptoms:\n- id: a\n- 7\n"
    assert "4:3 `symptoms.2` is 7, not a mapping of keys to values ()" in found("note", note)
    asked = "asked:\n- error: slow since today\n"
    assert (
        "2:3 `asked.1` is a mapping of keys to values, not a text "
        "(put a text that holds ': ' in quotation marks)" in found("note", asked)
    )
    fact = "title: x\nentities:\n  a:\n    name: ''\n    kind: car\n    facts: {C: {unit: x}}\n"
    assert found("facts", fact) == [
        "4:5 `entities.a.name` is empty (a text, or {en: ..., zh: ...})",
        "5:5 `entities.a.kind` is 'car', which is none of gpu, cpu, memory, bus, storage, network, "
        "program and architecture (write one of these)",
        "6:13 a key of `entities.a.facts` is 'C', not lower case words joined by hyphens "
        "(rename the key)",
    ]
    assert found("topics", "- id: a\n  title: {en: one, two}\n  description: {en: x}\n") == [
        "2:20 a comma ends the text before 'two' (quote it)",
    ]


FRONT = (
    "title: ''\ndescription: {long}\ntags: [a, b, a]\nlevel: advancd\naliases: x\ndraft:\n"
    "updated: yesterday\nwaived: {{4 KiB: x}}\n"
)


def test_a_finding_says_in_plain_words_what_is_wrong() -> None:
    assert found("note", FRONT.format(long="x" * 212)) == [
        "1:1 `date` is missing in the file (write a date such as 2026-01-31)",
        "1:1 `title` is empty (the note's title; quote it if it holds ': ' or starts with a "
        "special character)",
        "2:1 `description` has 212 characters, at most 200 are allowed "
        "(one sentence, at most 200 characters)",
        "3:1 `tags` has 'a' twice (a list of tags from notes/tags.yml)",
        "4:1 `level` is 'advancd', which is none of introductory, intermediate and advanced "
        "(did you mean 'advanced'?)",
        "5:1 `aliases` is 'x', not a list (a list of old ids (topic/slug) and search synonyms)",
        "6:1 `draft` is empty, and must be true or false (true leaves the note out of the site)",
        "7:1 `updated` is 'yesterday', which does not have the right form "
        "(a date such as 2026-01-31)",
        "8:10 `waived.4 KiB` has 1 character, at least 8 are needed ()",
    ]


@pytest.mark.parametrize("name", SCHEMAS)
def test_no_message_speaks_of_the_schema(name: str) -> None:
    schema = Schema(SCHEMAS[name])
    values: list[Any] = [None, 1, "", [], {}, [{}], {"a": {}}, {"title": {}, "runs": {}, "a": 1}]
    for value in values:
        for error in schema.errors(value):
            message, _ = schema.describe(error, value, "the file")
            assert not re.search(r"propert|schema|valid under|None|pattern|\^", message)


@pytest.mark.parametrize("key", ["1", "01", "00", "18446744073709551615"])
def test_a_key_that_looks_like_an_index_has_its_place(key: str) -> None:
    [problem] = found("facts", f"title: x\nentities:\n  '{key}': 5\n")
    assert problem.startswith(f"3:3 `entities.{key}` is 5, not a mapping")


@pytest.mark.parametrize("key", ["+7", "٣", "1_0", "-1", " 1", "１"])
def test_a_key_that_is_hardly_an_index_is_refused_where_it_stands(key: str) -> None:
    problem = found("facts", f"title: x\nentities:\n  '{key}': 5\n")[0]
    assert problem.startswith(f"3:3 a key of `entities` is {key!r}, not lower case")


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


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("[1, 1.0]", "1.0"),
        ("[0.0, -0.0]", "-0.0"),
        ("[{a: 1, b: [2]}, {b: [2.0], a: 1}]", "a mapping of keys to values"),
        ("[1, true, x, x]", "'x'"),
        (f"[{10**60}, 1.0e+60]", "1e+60"),
        ("[9007199254740993, 9007199254740992.0, 9007199254740993]", "9007199254740993"),
    ],
)
def test_a_repeated_value_is_named_however_it_is_written(values: str, said: str) -> None:
    problems = found("note", f"tags: {values}\n")
    assert any(f"`tags` has {said} twice" in problem for problem in problems), problems


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
