"""JSON Schemas: what is wrong with a value, and where. The library jsonschema-rs validates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from perfnotes.text.cut import cut
from perfnotes.text.nearest import nearest

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError, Validator

_MOST_SHOWN = 160  # characters of a value in a message
_NUMBER = re.compile(r"\+?[0-9]+")  # a key that jsonschema-rs reads as an index


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
        """Return the part of the schema whose keyword the value violates."""
        part: Any = self.definition
        for key in error.schema_path[:-1]:
            part = part[key]
        return part if isinstance(part, Mapping) else {}

    def describe(self, error: ValidationError, value: Any, subject: str) -> tuple[str, str]:
        """Return a message that says in plain words what is wrong, and a hint.

        ``value`` is the whole value, and ``subject`` names the part of it that is wrong.
        """
        keyword, part = error.kind.name, self.part(error)
        if keyword == "required":
            name = str(error.kind.as_dict()["property"])
            return f"`{name}` is missing in {subject}", self._hint_to_add(name, part)
        if unknown := unknown_keys(error):
            return f"{subject} has the unknown key {unknown[0][:80]!r}", ""
        for key in path_of(error, value):
            value = value[key]
        if value is None and "required" in part:
            return f"{subject} is empty", f"write {_listed(part['required'], 'and')}"
        if keyword == "enum":
            guess = nearest(str(value), map(str, part["enum"]), 0.6)
            return (
                f"{subject} is {_shown(value)}, which is none of {_listed(part['enum'], 'and')}",
                f"did you mean {guess!r}?" if guess else "write one of these",
            )
        said = _WORDS.get(keyword)
        hint = str(part.get("description") or _FORMS.get(part.get("pattern", ""), ""))
        if keyword == "type" and part["type"] == "string" and isinstance(value, dict):
            hint = "put a text that holds ': ' in quotation marks"
        return (
            f"{subject} {said(value, part[keyword]) if said else cut(error.message, _MOST_SHOWN)}",
            hint,
        )

    def _hint_to_add(self, name: str, part: Mapping[str, Any]) -> str:
        about = self._description(name, part)
        written = f"it, {about}" if about.startswith("such as") else about
        return f"write {written}" if about else "add it"

    def _description(self, name: str, part: Mapping[str, Any]) -> str:
        """Return the description of a property; ``part`` and the property may be references."""
        for holder in (part, self._referred(part)):
            found = holder.get("properties", {}).get(name)
            if isinstance(found, Mapping):
                return str(found.get("description") or self._referred(found).get("description", ""))
        return ""

    def _referred(self, part: Mapping[str, Any]) -> Mapping[str, Any]:
        name = str(part.get("$ref", "")).removeprefix("#/$defs/")
        found: Mapping[str, Any] = self.definition.get("$defs", {}).get(name, {})
        return found


def path_of(error: ValidationError, value: Any) -> tuple[str | int, ...]:
    """Return the keys and indexes that lead to what is wrong in a value.

    jsonschema-rs gives a key such as ``01`` as the index 1, so the key is looked up in ``value``.
    """
    found: list[str | int] = []
    for step in error.instance_path:
        key = step
        if isinstance(value, Mapping) and step not in value:
            key = next(name for name in value if _NUMBER.fullmatch(name) and int(name) == step)
        found.append(key)
        value = value[key]
    return tuple(found)


_TYPES = {
    "object": "a mapping of keys to values",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "empty",
}
_FORMS = {
    "^[a-z0-9]+(-[a-z0-9]+)*$": "lower case words joined by hyphens",
    "^[a-z0-9]+([.-][a-z0-9]+)*$": "lower case words joined by hyphens or dots",
    "^[a-z][a-z0-9_]*$": "lower case words joined by underscores",
    "^[A-Za-z][A-Za-z0-9_]*$": "words joined by underscores",
}


def _many(value: Any) -> str:
    one, several = ("character", "characters") if isinstance(value, str) else ("entry", "entries")
    return f"has {len(value)} {one if len(value) == 1 else several}"


def _too_few(value: Any, least: int) -> str:
    return f"{_many(value)}, at least {least} are needed" if value else "is empty"


def _too_many(value: Any, most: int) -> str:
    return f"{_many(value)}, at most {most} are allowed"


def _wrong_type(value: Any, types: str | list[str]) -> str:
    wanted = [_TYPES[name] for name in ([types] if isinstance(types, str) else types)]
    if value is None:
        return f"is empty, and must be {_listed(wanted, 'or')}"
    return f"is {_shown(value)}, not {_listed(wanted, 'or')}"


# For each keyword of a schema: what a message says of a value that violates it. The functions take
# the value and what the schema gives for the keyword.
_WORDS: dict[str, Callable[[Any, Any], str]] = {
    "type": _wrong_type,
    "const": lambda value, wanted: f"is {_shown(value)}, not {_shown(wanted)}",
    "pattern": lambda value, _: f"is {_shown(value)}, which does not have the right form",
    "minimum": lambda value, least: f"is {_shown(value)}, at least {least} is needed",
    "maximum": lambda value, most: f"is {_shown(value)}, at most {most} is allowed",
    "exclusiveMinimum": lambda value, least: f"is {_shown(value)}, more than {least} is needed",
    "minLength": _too_few,
    "maxLength": _too_many,
    "minItems": _too_few,
    "maxItems": _too_many,
    "minProperties": _too_few,
    "maxProperties": _too_many,
    "uniqueItems": lambda value, _: f"has {_shown(_repeated(value))} twice",
    "oneOf": lambda value, _: (
        "is empty" if value == "" else "must have exactly one of the allowed forms"
    ),
    "not": lambda _, __: "cannot be given here",
}


def _repeated(values: list[Any]) -> Any:
    """Return the first value that equals an earlier one; the last value if none seems to.

    jsonschema-rs compares a huge integer with a float as floats, so two that it takes for equal may
    differ here.
    """
    forms = [_canonical(value) for value in values]
    return next((v for i, v in enumerate(values) if forms[i] in forms[:i]), values[-1])


def _canonical(value: Any) -> str:
    """Return a text that is the same for values that JSON Schema takes for equal.

    These are 1 and 1.0, and mappings with the same keys and values in any order.
    """
    if isinstance(value, dict):
        return repr(sorted((key, _canonical(each)) for key, each in value.items()))
    if isinstance(value, list):
        return repr([_canonical(each) for each in value])
    return repr(int(value)) if isinstance(value, float) and value.is_integer() else repr(value)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping of keys to values" if value else "an empty mapping"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if value is None or isinstance(value, bool):
        return "empty" if value is None else str(value).lower()
    return cut(repr(value), _MOST_SHOWN)


def _listed(words: list[str], joint: str) -> str:
    *first, last = map(str, words)
    return f"{', '.join(first)} {joint} {last}" if first else last


def unknown_keys(error: ValidationError) -> list[str]:
    """Return the keys that the schema does not know; empty if the error is of another kind."""
    if error.kind.name != "additionalProperties":
        return []
    unexpected: list[str] = error.kind.as_dict()["unexpected"]
    return unexpected


def wrong_key_message(key: str, part: Mapping[str, Any], subject: str) -> str:
    """Return a message on the form that a key of ``subject`` must have.

    It is empty if the schema lists the keys by name instead.
    """
    forms = [_FORMS.get(p, repr(p)) for p in part.get("patternProperties", ())]
    return f"a key of {subject} is {key[:80]!r}, not {_listed(forms, 'or')}" if forms else ""
