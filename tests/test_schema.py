"""What accepts values fast accepts only what the explaining validator finds nothing wrong with."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfnotes.labs.instruments import instruments
from perfnotes.source import yamlfile
from perfnotes.source.schema import acceptor
from perfnotes.text.source import Source
from tests.project import ROOT

SCHEMAS = {
    file.stem: json.loads(file.read_text("utf-8"))
    for file in sorted((ROOT / "tools/perfnotes/source/schemas").glob("*.json"))
}
TABLES = {
    "topics": "topics.yml", "tags": "tags.yml", "glossary": "glossary.yml",
    "latency": "latency.yml", "facts": "facts/buses.yml", "lab": "caches/row-order/lab/lab.yml",
}  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, 1, 1.0, 0, -1, 2.5, "", " ", "x" * 300, "缓存", [], [1, True], ["a", "a"], {},
    {"en": "x"}, {"zh": "x"}, {"en": ""}, {"en": "x", "fr": "y"}, "GB/s", float("nan"),
)  # fmt: skip


def right(name: str) -> Any:
    source = Source(name, (ROOT / "notes" / TABLES[name]).read_text("utf-8"))
    document, _ = yamlfile.load(source)
    assert document
    value = document.value
    return value[:4] if isinstance(value, list) else value


def _places(value: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    keys: Any = range(len(value)) if isinstance(value, list) else value
    if isinstance(value, list | dict):
        for key in keys:
            found += [(value, key), *_places(value[key])]
    return found


@pytest.mark.parametrize("name", TABLES)
def test_what_is_right_is_accepted_and_what_is_changed_only_where_it_is_right(name: str) -> None:
    value = right(name)
    accepts = acceptor(SCHEMAS[name])
    explaining = jsonschema.Draft202012Validator(SCHEMAS[name])
    assert accepts(value)
    places = len(_places(value))
    for i in range(0, places, max(1, places // 30)):
        for odd in (*ODD, KeyError):
            changed = copy.deepcopy(value)
            where, key = _places(changed)[i]
            if odd is KeyError:
                del where[key]
            else:
                where[key] = odd
            assert not accepts(changed) or explaining.is_valid(changed), (i, key, odd)


json_values = st.recursive(
    st.sampled_from(ODD) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "en", "value", "title", "b"]), inner, max_size=3)
    ),
    max_leaves=8,
)
RULES: Any = {
    "$defs": {"name": {"oneOf": [{"type": "string"}, {"type": "object", "required": ["en"]}]}},
    "type": ["object", "array", "string"],
    "properties": {"id": {"$ref": "#/$defs/name"}, "value": {"type": "integer", "minimum": 0}},
    "additionalProperties": {"oneOf": [{"const": 1}, {"type": "number"}, {"enum": ["", 1, True]}]},
    "items": {"type": "array", "uniqueItems": True, "maxItems": 2},
}


@given(json_values)
@settings(max_examples=100, deadline=None)
def test_no_value_is_accepted_that_does_not_fit(value: Any) -> None:
    for schema in (RULES, *SCHEMAS.values(), *(i.OPTIONS for i in instruments().values())):
        if acceptor(schema)(value):
            assert jsonschema.Draft202012Validator(schema).is_valid(value)


def test_what_is_not_known_is_not_accepted() -> None:
    assert not acceptor({"contains": {}})([1])
    assert not acceptor({"$ref": "https://a.example/x"})(1)
    assert not acceptor({"oneOf": [{"type": "string"}, {"contains": {}}]})("x")
