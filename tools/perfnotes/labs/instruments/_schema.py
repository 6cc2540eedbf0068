"""Parts of the JSON Schemas of the instruments' options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

COMMAND: Mapping[str, Any] = {"type": "string", "minLength": 1, "maxLength": 2000}
FILE: Mapping[str, Any] = {"type": "string", "minLength": 1, "maxLength": 500}
NAME: Mapping[str, Any] = {"type": "string", "minLength": 1, "maxLength": 500}
NAMES: Mapping[str, Any] = {"type": "array", "items": NAME, "minItems": 1, "uniqueItems": True}
FUNCTION: Mapping[str, Any] = {
    "oneOf": [NAME, NAMES],
    "description": "a function's name, or a list of names",
}
_IDENTIFIER = "^[A-Za-z_][A-Za-z0-9_]*$"


def by_name(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of an object whose keys are identifiers, and whose values fit ``value``."""
    return {
        "type": "object",
        "patternProperties": {_IDENTIFIER: value},
        "additionalProperties": False,
    }


UNITS = by_name({"type": "string"})


def options(*required: str, **properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
