"""A fast validator for JSON Schema, which can accept a value but cannot explain what is wrong.

Nearly all values that are read are valid, and a validator that can explain errors would take most
of the time of a check. So the fast one is asked first. If it does not accept a value, or does not
know a keyword of the schema, the explaining validator decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import jsonschema

Accepts = Callable[[Any], bool]
_SAYS_NOTHING = frozenset(("$schema", "$defs", "title", "description", "default", "examples"))


def acceptor(schema: Mapping[str, Any]) -> Accepts:
    """Return a function that is true only for values that fit the schema.

    It may be false for a value that fits, so ``explainer`` has to decide about what it rejects.
    """
    return _Compiler(schema).accepts(schema)


def explainer(schema: Mapping[str, Any]) -> jsonschema.protocols.Validator:
    """Return the validator of the jsonschema library, which says what is wrong with a value."""
    import jsonschema  # noqa: PLC0415 - importing it takes long, and most values are valid

    def pattern(_: Any, wanted: str, value: Any, __: Any) -> Iterator[Any]:
        if isinstance(value, str) and not re.search(_whole(wanted), value):
            yield jsonschema.ValidationError(f"{value!r} does not match {wanted!r}")

    extend: Any = jsonschema.validators.extend
    made: jsonschema.protocols.Validator = extend(
        jsonschema.Draft202012Validator, {"pattern": pattern}
    )(schema)
    return made


def _whole(pattern: str) -> str:
    """Return the pattern with the meaning that JSON Schema gives it.

    A ``$`` matches only at the end of the text there; in Python also before a final line feed.
    """
    return pattern.removesuffix("$") + r"\Z" if pattern.endswith("$") else pattern


class _Compiler:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root = root
        self.known: dict[str, Accepts] = {}

    def accepts(self, schema: Any) -> Accepts:
        if isinstance(schema, bool):
            return lambda _: schema
        properties = schema.get("properties", {})
        tests = [
            self.properties(properties, schema["additionalProperties"])
            if key == "additionalProperties"
            else self.keyword(key, wanted)
            for key, wanted in schema.items()
            if key not in _SAYS_NOTHING
        ]
        return _all_of(tests)

    def keyword(self, key: str, wanted: Any) -> Accepts:  # noqa: PLR0911, PLR0912 - one for each
        match key:
            case "type":
                return _type(wanted)
            case "const":
                return lambda v: _same(v, wanted)
            case "enum":
                return lambda v: any(_same(v, each) for each in wanted)
            case "minLength":
                return lambda v: not isinstance(v, str) or len(v) >= wanted
            case "maxLength":
                return lambda v: not isinstance(v, str) or len(v) <= wanted
            case "pattern":
                search = re.compile(_whole(wanted)).search
                return lambda v: not isinstance(v, str) or search(v) is not None
            case "minimum":
                return lambda v: not _is_number(v) or not v < wanted
            case "maximum":
                return lambda v: not _is_number(v) or not v > wanted
            case "exclusiveMinimum":
                return lambda v: not _is_number(v) or not v <= wanted
            case "minItems":
                return lambda v: not isinstance(v, list) or len(v) >= wanted
            case "maxItems":
                return lambda v: not isinstance(v, list) or len(v) <= wanted
            case "minProperties":
                return lambda v: not isinstance(v, dict) or len(v) >= wanted
            case "required":
                return lambda v: not isinstance(v, dict) or all(each in v for each in wanted)
            case "uniqueItems":
                return lambda v: not wanted or not isinstance(v, list) or _words_once(v)
            case "items":
                each = self.accepts(wanted)
                return lambda v: not isinstance(v, list) or all(map(each, v))
            case "propertyNames":
                name = self.accepts(wanted)
                return lambda v: not isinstance(v, dict) or all(map(name, v))
            case "properties":
                return self.properties(wanted, True)
            case "$ref":
                return self.reference(wanted)
            case "oneOf":
                choices = [self.accepts(each) for each in wanted]
                # A choice that is not exact may fit a value that it does not accept. Then the value
                # could fit two choices, which ``oneOf`` does not allow.
                exact = all(_is_exact(each) for each in wanted)
                return lambda v: exact and sum(choice(v) for choice in choices) == 1
            case _:
                return lambda _: False

    def properties(self, named: Mapping[str, Any], others: Any) -> Accepts:
        tests = {key: self.accepts(each) for key, each in named.items()}
        rest = self.accepts(others)

        def accepted(value: Any) -> bool:
            if isinstance(value, dict):
                for key, each in value.items():
                    if not tests.get(key, rest)(each):
                        return False
            return True

        return accepted

    def reference(self, pointer: str) -> Accepts:
        def resolved(value: Any) -> bool:
            if pointer not in self.known:
                target: Any = self.root
                for part in pointer.removeprefix("#/").split("/"):
                    target = target[part]
                self.known[pointer] = self.accepts(target)
            return self.known[pointer](value)

        return resolved if pointer.startswith("#/") else lambda _: False


def _all_of(tests: list[Accepts]) -> Accepts:
    if len(tests) == 1:
        return tests[0]

    # A loop is faster than all() with a generator, and files have thousands of values.
    def accepted(value: Any) -> bool:
        for test in tests:  # noqa: SIM110
            if not test(value):
                return False
        return True

    return accepted


def _type(wanted: str | list[str]) -> Accepts:
    if isinstance(wanted, str):
        return _TYPES.get(wanted, lambda _: False)
    tests = [_type(name) for name in wanted]
    return lambda value: any(test(value) for test in tests)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: dict[str, Accepts] = {
    "string": lambda v: isinstance(v, str),
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": _is_number,
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
}


def _same(value: Any, wanted: Any) -> bool:
    """Whether two texts, integers or booleans are equal and have the same type.

    So 1 does not equal true. The result is false for all other types.
    """
    return type(value) is type(wanted) and isinstance(value, str | int) and bool(value == wanted)


def _words_once(values: list[Any]) -> bool:
    return all(isinstance(v, str) for v in values) and len(set(values)) == len(values)


# Keywords for which a value that is not accepted certainly does not fit.
_EXACT = {"type", "minLength", "maxLength", "pattern", "required", "minProperties", "properties",
          "additionalProperties", *_SAYS_NOTHING}  # fmt: skip


def _is_exact(schema: Any) -> bool:
    """Whether a value that this schema's acceptor does not accept certainly does not fit."""
    if isinstance(schema, bool):
        return True
    inside = [*schema.get("properties", {}).values(), schema.get("additionalProperties", True)]
    known = schema.keys() <= _EXACT and schema.get("type") in (None, "string", "object", "boolean")
    return known and all(map(_is_exact, inside))
