"""JSON Schemas: what is wrong with a value, and where. The library jsonschema-rs validates."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError, Validator


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
