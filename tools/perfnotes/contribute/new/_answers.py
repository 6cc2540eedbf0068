"""Answers: what the options say; on a terminal, what a person answers; else which option lacks."""

from __future__ import annotations

import argparse
import sys
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress

from perfnotes.source.project import UsageError

Check = Callable[[str], str]  # what is wrong with an answer, or nothing

# Control characters, halves of characters, and breaks that YAML takes for ends of lines.
_UNWRITTEN = {"Cc", "Cs", "Zl", "Zp"}


def _anything(_: str) -> str:
    return ""


class Answers:
    """Each question is asked once; a wrong answer is asked again, a wrong option is wrong use."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._asked = False
        self._expected: dict[str, str] = {}

    def option(self, name: str) -> str:
        """What the option says, in one line; it is never asked for."""
        return self._right(name, _anything) or ""

    def is_empty(self, name: str) -> bool:
        """Whether the option is given, and says nothing."""
        return bool(getattr(self._options, name) == "")

    def has(self, name: str) -> bool:
        """Whether a switch is on."""
        return bool(getattr(self._options, name))

    def expect(self, questions: Mapping[str, str]) -> None:
        """What ``need`` will ask for: where nobody answers, all that is missing is told at once."""
        self._expected.update(questions)

    def need(self, name: str, question: str, check: Check = _anything) -> str:
        """An answer that is not empty."""
        given = self._right(name, check)
        if given:
            return given
        lacking = {n: q for n, q in self._expected.items() if not getattr(self._options, n)}
        missing = {name: question} | lacking
        told = "\n".join(f"{_shown(n)} is missing: {q}" for n, q in missing.items())
        return self.ask(name, question, check, told)

    def ask(self, name: str, question: str, check: Check, otherwise: str = "") -> str:
        """An answer in place of what the option says; where nobody answers, wrong use."""
        if not sys.stdin.isatty():
            raise UsageError(otherwise or f"{_shown(name)}: {question}")
        self._asked = True
        return _until_right(question, lambda a: check(a) if a else "an answer is needed")

    def own(self, name: str, question: str, stand_in: str, check: Check = _anything) -> str:
        """An answer, and no default on a terminal: elsewhere the stand-in, which a check finds."""
        given = self._right(name, check)
        if given or not self._asked or not sys.stdin.isatty():
            return given or stand_in
        return self.ask(name, question, check)

    def may(self, name: str, question: str, default: str = "", check: Check = _anything) -> str:
        """An answer or the default; asked only where something else had to be asked."""
        given = self._right(name, check)
        if given is not None:
            return given or default
        if not self._asked or not sys.stdin.isatty():
            return default
        asked = f"{question} [{default or 'none'}]"
        return _until_right(asked, lambda a: check(a) if a else "") or default

    def _right(self, name: str, check: Check) -> str | None:
        given = getattr(self._options, name)
        if given is None:
            return None
        given = _tidy(str(given))
        if wrong := _unwritable(given) or (check(given) if given else ""):
            raise UsageError(f"{_shown(name)}: {wrong}")
        return given


def _until_right(question: str, check: Check) -> str:
    while True:
        answer = _tidy(_line(f"{question}: "))
        wrong = _unwritable(answer) or check(answer)
        if not wrong:
            return answer
        print(f"  {wrong}")


def parts(text: str) -> list[str]:
    """The parts of a list with commas."""
    return list(dict.fromkeys(p.strip() for p in text.replace("，", ",").split(",") if p.strip()))


def one_of(names: tuple[str, ...]) -> Check:
    """Only these are right."""
    return lambda word: "" if word in names else f"one of {', '.join(names)}"


def _shown(name: str) -> str:
    return name.upper() if name.isupper() else f"--{name.replace('_', '-')}"


def _line(question: str) -> str:
    with suppress(ImportError):
        import readline  # noqa: F401  # the answer can be edited with the arrow keys
    try:
        return input(question)
    except EOFError:
        print()
        raise UsageError("the answers ended before the last question; nothing is written") from None


def _tidy(text: str) -> str:
    return text if _unwritable(text) else " ".join(text.split())


def _unwritable(text: str) -> str:
    bad = next((c for c in text if unicodedata.category(c) in _UNWRITTEN), "")
    return f"the character U+{ord(bad):04X} does not belong in a text" if bad else ""
