"""JSON Schemas: what is wrong with a value, and where. The library jsonschema-rs validates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError, Validator

_NUMBER = re.compile(r"\+?[0-9]+")  # what the library reads as an index


class Schema:
    """A JSON Schema, which is compiled when it is used for the first time.

    A schema that refers to another file or host is refused. Patterns are matched in time that is
    proportional to the text, so they know neither lookahead nor references to groups. A schema
    should say what keys are called with ``patternProperties``: for ``propertyNames`` the library
    copies the whole object once for each wrong key.
    """

    def __init__(self, definition: Mapping[str, Any]) -> None:
        self.definition = definition

    @cached_property
    def _validator(self) -> Validator:
        import jsonschema_rs  # noqa: PLC0415 - what is cached needs no validator

        patterns = jsonschema_rs.RegexOptions()
        return jsonschema_rs.Draft202012Validator(
            dict(self.definition), offline=True, pattern_options=patterns
        )

    def errors(self, value: Any) -> list[ValidationError]:
        """Return all that is wrong with a value of dicts with texts as keys, lists and scalars."""
        return list(self._validator.iter_errors(value))

    def part(self, error: ValidationError) -> Mapping[str, Any]:
        """Return the part of the schema that has the keyword which the value violates."""
        part: Any = self.definition
        for key in error.schema_path[:-1]:
            part = part[key]
        return part if isinstance(part, Mapping) else {}

    def message(self, error: ValidationError, value: Any) -> str:
        """Return what is wrong in words with Python's quotes, as in all other findings.

        ``value`` is the whole value. The library's own words quote as JSON does.
        """
        keyword = error.kind.name
        if keyword == "required":
            return f"{error.kind.as_dict()['property']!r} is a required property"
        for key in path_of(error, value):
            value = value[key]
        said = _WORDS.get(keyword)
        return f"{value!r} {said(self.part(error)[keyword])}" if said else error.message


def path_of(error: ValidationError, value: Any) -> tuple[str | int, ...]:
    """Return the keys and indexes that lead to what is wrong in a value.

    The library takes a key such as ``01`` for the index 1.
    """
    found: list[str | int] = []
    for step in error.instance_path:
        key = step
        if isinstance(value, Mapping) and step not in value:
            key = next(name for name in value if _NUMBER.fullmatch(name) and int(name) == step)
        found.append(key)
        value = value[key]
    return tuple(found)


_WORDS: dict[str, Callable[[Any], str]] = {
    "type": lambda t: f"is not of type {', '.join(map(repr, [t] if isinstance(t, str) else t))}",
    "enum": lambda values: f"is not one of {values!r}",
    "pattern": lambda pattern: f"does not match {pattern!r}",
    "minimum": lambda least: f"is less than the minimum of {least!r}",
    "maximum": lambda most: f"is greater than the maximum of {most!r}",
    "exclusiveMinimum": lambda least: f"is less than or equal to the minimum of {least!r}",
    "minLength": lambda least: "should be non-empty" if least == 1 else "is too short",
    "minItems": lambda least: "should be non-empty" if least == 1 else "is too short",
    "minProperties": lambda least: "should be non-empty" if least == 1 else "is too short",
    "maxLength": lambda _: "is too long",
    "maxItems": lambda _: "is too long",
    "uniqueItems": lambda _: "has non-unique elements",
    "oneOf": lambda _: "does not fit exactly one of the given schemas",
}


def unknown_keys(error: ValidationError) -> list[str]:
    """Return the keys that the schema does not know; empty if the error is another one."""
    if error.kind.name != "additionalProperties":
        return []
    unexpected: list[str] = error.kind.as_dict()["unexpected"]
    return unexpected


def unmatched(key: str, part: Mapping[str, Any]) -> str:
    """Say which patterns a key had to match; empty if this part of a schema has none."""
    patterns = " or ".join(map(repr, part.get("patternProperties", ())))
    return f"{key[:80]!r} does not match {patterns}" if patterns else ""
