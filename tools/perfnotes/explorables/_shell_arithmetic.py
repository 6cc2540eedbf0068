"""Arithmetic of ``$((…))``: whole numbers, variables, ``+ - * / %``, and assignments."""

from __future__ import annotations

import re

from perfnotes.explorables._shell_text import BLANKS, cut
from perfnotes.explorables._typed_line import RefusalError

_TOKEN = re.compile(r"[ \t]*([0-9]+|\$?[A-Za-z_][A-Za-z0-9_]*|\+\+|--|[-+*]=|[-+*/%()=])")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_LARGEST = 10**9


class Arithmetic:
    """Computes one expression. ``values`` are the variables, which the expression may change."""

    def __init__(self, text: str, values: dict[str, str]) -> None:
        self._form, self._values, self._at = f"$(({text}))", values, 0
        self._tokens: list[str] = []
        i = 0
        while text[i:].strip(BLANKS):
            found = _TOKEN.match(text, i)
            if not found:
                raise self._refusal()
            self._tokens.append(found[1])
            i = found.end()

    def result(self) -> int:
        """Return the value; an empty expression is 0."""
        value = self._sum() if self._tokens else 0
        if self._at < len(self._tokens):
            raise self._refusal()
        return value

    def _refusal(self) -> RefusalError:
        return RefusalError("arithmetic", cut(self._form))

    def _next(self, *wanted: str) -> str:
        """Take the next token and return it; "" if it is none of the wanted ones, or at the end."""
        token = self._tokens[self._at] if self._at < len(self._tokens) else ""
        if not token or (wanted and token not in wanted):
            return ""
        self._at += 1
        return token

    def _checked(self, value: int) -> int:
        if abs(value) > _LARGEST:
            raise self._refusal()
        return value

    def _value(self, name: str) -> int:
        text = self._values.get(name, "")
        if text and (not _NUMBER.fullmatch(text) or len(text) > len(str(_LARGEST))):
            raise RefusalError("no-number", name)
        return int(text or 0)

    def _set(self, name: str, value: int) -> int:
        """Set a variable and return its value; refuse names in capitals, as ``Variables`` does."""
        if name == name.upper():
            raise self._refusal()
        self._values[name] = str(self._checked(value))
        return value

    def _sum(self) -> int:
        value = self._product()
        while sign := self._next("+", "-"):
            other = self._product()
            value = self._checked(value + other if sign == "+" else value - other)
        return value

    def _product(self) -> int:
        value = self._factor()
        while sign := self._next("*", "/", "%"):
            other = self._factor()
            if sign == "*":
                value = self._checked(value * other)
                continue
            if not other:
                raise self._refusal()
            whole = abs(value) // abs(other) * (1 if (value < 0) == (other < 0) else -1)
            value = whole if sign == "/" else value - whole * other
        return value

    def _factor(self) -> int:
        token = self._next()
        if token in ("-", "+"):
            value = self._factor()
            return -value if token == "-" else value
        if token == "(":
            value = self._sum()
            if not self._next(")"):
                raise self._refusal()
            return value
        if token.isdigit():
            if not _NUMBER.fullmatch(token) or len(token) > len(str(_LARGEST)):
                raise self._refusal()
            return int(token)
        if token in ("++", "--"):
            name = self._next()
            if not name.isidentifier():
                raise self._refusal()
            return self._set(name, self._value(name) + (1 if token == "++" else -1))
        if token.startswith("$"):
            return self._value(token[1:])
        if not token.isidentifier():
            raise self._refusal()
        return self._named(token)

    def _named(self, name: str) -> int:
        """Return the value of a variable, after an assignment or ``++`` behind its name."""
        sign = self._next("=", "+=", "-=", "*=", "++", "--")
        if not sign:
            return self._value(name)
        if sign in ("++", "--"):
            value = self._value(name)
            self._set(name, value + (1 if sign == "++" else -1))
            return value
        value = self._sum()
        if sign == "=":
            return self._set(name, value)
        before = self._value(name)
        changed = {"+=": before + value, "-=": before - value, "*=": before * value}
        return self._set(name, changed[sign])
