"""Tilde and ``$`` expansions of one word, from left to right.

A word is a list of signs. A sign is a character, with a mark that says where it comes from.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from perfnotes.explorables._shell_arithmetic import Arithmetic
from perfnotes.explorables._shell_text import (
    DIGITS,
    Unit,
    cut,
    inner_units,
    name_end,
    unit_at,
    units,
)
from perfnotes.explorables._typed_line import RefusalError

TYPED, QUOTED, SIGN, MADE, KEPT, BREAK = "typed", "quoted", "sign", "made", "kept", "break"
"""The marks of signs.

TYPED and QUOTED: typed outside and inside of quotes. SIGN: a typed quote. MADE and KEPT: from an
expansion outside and inside of quotes; only MADE is split. BREAK: between two fields of ``"$@"``.
"""
Sign = tuple[str, str]
_ANSI = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"'}
_KNOWN = ("HOME", "IFS")


class Variables(Struct):
    """The variables, and the arguments ``$1``, ``$2`` and so on.

    ``echo`` returns what a command in ``$(…)`` prints, given these variables.
    """

    values: dict[str, str]
    arguments: tuple[str, ...]
    echo: Callable[[str, Variables], str]

    def value(self, name: str) -> str | None:
        """Return the value of a variable or argument, or None if it has none."""
        if name[0] in DIGITS:
            place = int(name) - 1
            return self.arguments[place] if 0 <= place < len(self.arguments) else None
        if name == name.upper() and name not in self.values:
            raise RefusalError("unknown-variable", cut(name))
        return self.values.get(name)

    def assign(self, name: str, value: str) -> None:
        """Set a variable; names in capitals are refused, as they may mean something to bash."""
        if name == name.upper() and name not in _KNOWN:
            raise RefusalError("unknown-variable", cut(name))
        if name == "HOME" and not value:
            raise RefusalError("unknown-variable", "HOME=")
        self.values[name] = value


def as_typed(word: str) -> list[Sign]:
    """Return the signs of a word before anything is expanded, so that its quotes can be shown."""
    signs: list[Sign] = []
    for kind, start, end in units(word):
        text = word[start:end]
        if kind in ("plain", "dollar"):
            signs += [(sign, TYPED) for sign in text]
        elif kind == "escape":
            signs += [("\\", SIGN), (text[1], QUOTED)]
        else:
            begin = 2 if kind == "ansi" else 1
            signs.append((text[:begin], SIGN))
            for part, a, b in inner_units(text[begin:-1]) if kind == "double" else ():
                inner = text[begin + a : begin + b]
                signs += [("\\", SIGN)] * (part == "escape")
                signs += [(sign, QUOTED) for sign in inner[part == "escape" :]]
            if kind != "double":
                signs += [(sign, QUOTED) for sign in text[begin:-1]]
            signs.append((text[-1], SIGN))
    return signs


class WordExpander:
    """Expands one word. ``assigned`` says that it is the value of an assignment.

    ``tilde_after_equals`` says that tildes in an argument such as ``a=~`` are expanded as in an
    assignment.
    """

    def __init__(
        self,
        word: str,
        variables: Variables,
        *,
        assigned: bool = False,
        tilde_after_equals: bool = True,
    ) -> None:
        self._word, self._variables, self._assigned = word, variables, assigned
        self._tilde_after_equals = tilde_after_equals
        self._signs: list[Sign] = []

    def signs(self) -> list[Sign]:
        """Return the word after tilde and ``$`` expansions."""
        word = self._word
        name = name_end(word, 0)
        value = 0  # where the value begins, if the word reads as an assignment
        assignment = self._assigned
        if not assignment:
            value = name + 1 + word.startswith("+=", name)
            has_equals = name > 0 and word[value - 1 : value] == "="
            assignment = self._tilde_after_equals and has_equals
        for kind, start, end in units(word):
            if kind == "plain" and word[start] == "~":
                begins = start == 0 or (
                    assignment and (start == value or word[start - 1] == ":") and start >= value
                )
                if begins and self._tilde(start, ":" if assignment else ""):
                    continue
            self._unit((kind, start, end))
        return self._signs

    def _tilde(self, start: int, colon: str) -> bool:
        """Expand a tilde that stands alone or before ``/`` or ``colon``; return whether it does."""
        after = start + 1
        if after < len(self._word) and self._word[after] not in "/" + colon:
            kind = unit_at(self._word, after)[0]
            if kind in ("plain", "dollar"):
                raise RefusalError("other-home", cut(self._word[start:]))
            return False
        self._add(self._variables.values["HOME"], KEPT)
        return True

    def _add(self, text: str, mark: str) -> None:
        self._signs += [(sign, mark) for sign in text]

    def _unit(self, unit: Unit) -> None:
        kind, start, end = unit
        text = self._word[start:end]
        if kind == "plain":
            self._add(text, TYPED)
        elif kind == "escape":
            self._add("\\", SIGN)
            self._add(text[1:], QUOTED)
        elif kind == "dollar":
            self._dollar(text, quoted=False)
        else:
            opening = "$'" if kind == "ansi" else text[0]
            inside = text[len(opening) : -1]
            self._signs.append((opening, SIGN))
            if kind == "single":
                self._add(inside, QUOTED)
            elif kind == "ansi":
                self._ansi(inside)
            else:
                self._double(inside)
            self._signs.append((text[-1], SIGN))

    def _ansi(self, text: str) -> None:
        i = 0
        while i < len(text):
            if text[i] == "\\":
                i += 1
                if text[i] not in _ANSI:
                    raise RefusalError("unknown-form", f"\\{text[i]}")
                self._add(_ANSI[text[i]], QUOTED)
            else:
                self._add(text[i], QUOTED)
            i += 1

    def _double(self, text: str) -> None:
        for kind, start, end in inner_units(text):
            if kind == "dollar":
                self._dollar(text[start:end], quoted=True)
            elif kind == "escape":
                self._add("\\", SIGN)
                self._add(text[start + 1 : end], QUOTED)
            else:
                self._add(text[start:end], QUOTED)

    def _dollar(self, form: str, *, quoted: bool) -> None:
        mark = KEPT if quoted else MADE
        if form.startswith("$(("):
            self._add(str(Arithmetic(form[3:-2], self._variables.values).result()), mark)
        elif form.startswith("$("):
            self._add(self._variables.echo(form[2:-1], self._variables), mark)
        elif form.startswith("${"):
            self._braced(form, mark)
        elif form in ("$@", "$*"):
            self._arguments(form[1], quoted=quoted)
        elif form == "$#":
            self._add(str(len(self._variables.arguments)), mark)
        else:
            self._add(self._variables.value(form[1:]) or "", mark)

    def _arguments(self, which: str, *, quoted: bool) -> None:
        ifs = self._variables.values["IFS"]
        if self._assigned or (quoted and which == "*"):
            between = ifs[:1] if which == "*" else " "
            self._add(between.join(self._variables.arguments), KEPT if quoted else MADE)
            return
        if ifs and not quoted:
            self._add(ifs[0].join(self._variables.arguments), MADE)
            return
        for i, argument in enumerate(self._variables.arguments):
            if i:
                self._signs += [('"', SIGN)] * quoted
                self._signs.append(("", BREAK))
                self._signs += [('"', SIGN)] * quoted
            self._add(argument, KEPT if quoted else MADE)

    def _braced(self, form: str, mark: str) -> None:
        body = form[2:-1]
        length = body.startswith("#")
        start = int(length)
        end = name_end(body, start)
        if end == start and body[start : start + 1] in tuple("123456789"):
            end = start + 1
            while end < len(body) and body[end] in DIGITS:
                end += 1
        name, rest = body[start:end], body[end:]
        if not name or (length and rest) or len(name) > 40:
            raise RefusalError("unknown-form", cut(form))
        value = self._variables.value(name)
        if length:
            self._add(str(len(value or "")), mark)
            return
        operator = rest[: 1 + rest.startswith(":")]
        if operator not in ("", "-", "=", "+", ":-", ":=", ":+"):
            raise RefusalError("unknown-form", cut(form))
        other = rest[len(operator) :]
        missing = not value if operator.startswith(":") else value is None
        if operator.endswith("+"):
            value = "" if missing else other
        elif operator and missing:
            value = other
            if operator.endswith("="):
                if name[0] in DIGITS:
                    raise RefusalError("unknown-form", cut(form))
                self._variables.assign(name, other)
        self._add(value or "", mark)
