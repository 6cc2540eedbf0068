"""Answers to the questions of ``perfnotes new``, from options or from the person at the terminal.

Without a terminal, an answer that is needed and was not given as an option is wrong use.
"""

from __future__ import annotations

import argparse
import sys
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress

from perfnotes.source.project import UsageError

Check = Callable[[str], str]  # returns what is wrong with an answer, "" if nothing is

# Control characters, surrogates, and the separators that YAML takes for ends of lines.
_UNWRITABLE = {"Cc", "Cs", "Zl", "Zp"}


def _anything(_: str) -> str:
    return ""


class Answers:
    """The answers of one run.

    After a wrong answer at the terminal the question is asked again. A wrong option raises
    ``UsageError``.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._asked = False
        self._expected: dict[str, str] = {}

    def option(self, name: str) -> str:
        """Return the option's text in one line, or "" if it was not given. Never asks."""
        return self._checked(name, _anything) or ""

    @property
    def is_asking(self) -> bool:
        """Whether this run has asked something at the terminal."""
        return self._asked and sys.stdin.isatty()

    def is_empty(self, name: str) -> bool:
        """Return whether the option was given as an empty text."""
        return bool(getattr(self._options, name) == "")

    def has(self, name: str) -> bool:
        """Return whether a switch such as ``--twin`` was given."""
        return bool(getattr(self._options, name))

    def expect(self, questions: Mapping[str, str]) -> None:
        """Announce what ``need`` will ask for, so that one error can name all missing options."""
        self._expected.update(questions)

    def need(self, name: str, question: str, check: Check = _anything) -> str:
        """Return an answer that is not empty; ``UsageError`` if nobody can be asked for one."""
        given = self._checked(name, check)
        if given:
            return given
        others = {n: q for n, q in self._expected.items() if not getattr(self._options, n)}
        missing = {name: question} | others
        message = "\n".join(f"{_shown(n)} is missing: give {q}" for n, q in missing.items())
        return self.ask(name, question, check, message)

    def ask(self, name: str, question: str, check: Check, otherwise: str = "") -> str:
        """Ask at the terminal, even if the option was given, and return the answer.

        Without a terminal raises ``UsageError`` with the message ``otherwise`` or the question.
        """
        if not sys.stdin.isatty():
            raise UsageError(otherwise or f"{_shown(name)}: {question}")
        self._asked = True
        return _ask_until_right(question, lambda a: check(a) if a else "an answer is needed")

    def or_placeholder(
        self, name: str, question: str, placeholder: str, check: Check = _anything
    ) -> str:
        """Return the option, an answer, or ``placeholder``.

        Asks only if this run has asked at the terminal before. ``perfnotes check`` reports a
        placeholder that stays.
        """
        given = self._checked(name, check)
        if given or not self.is_asking:
            return given or placeholder
        return self.ask(name, question, check)

    def optional(
        self, name: str, question: str, default: str = "", check: Check = _anything
    ) -> str:
        """Return the option, an answer or the default.

        Asks only if this run has asked something before. If the options were enough, no question is
        asked.
        """
        given = self._checked(name, check)
        if given is not None:
            return given or default
        if not self.is_asking:
            return default
        with_default = f"{question} [{default or 'none'}]"
        return _ask_until_right(with_default, lambda a: check(a) if a else "") or default

    def _checked(self, name: str, check: Check) -> str | None:
        """Return an option's text in one line, None if it was not given.

        ``UsageError`` if it is wrong.
        """
        given = getattr(self._options, name)
        if given is None:
            return None
        given = _tidy(str(given))
        if wrong := _unwritable(given) or (check(given) if given else ""):
            raise UsageError(f"{_shown(name)}: {wrong}")
        return given


def _ask_until_right(question: str, check: Check) -> str:
    while True:
        answer = _tidy(_line(f"{question}: "))
        wrong = _unwritable(answer) or check(answer)
        if not wrong:
            return answer
        print(f"  {wrong}")


def parts(text: str) -> list[str]:
    """Split a list at its commas, Chinese ones too; leave out empty and repeated parts."""
    return list(dict.fromkeys(p.strip() for p in text.replace("，", ",").split(",") if p.strip()))


def one_of(names: tuple[str, ...]) -> Check:
    """Return a check that only the given names pass."""
    return lambda word: "" if word in names else f"{word!r} is none of {', '.join(names)}"


def _shown(name: str) -> str:
    """Return an option or a positional argument as the user types it."""
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
    """Turn runs of white space into one space, except in a text that is refused anyway."""
    return text if _unwritable(text) else " ".join(text.split())


def _unwritable(text: str) -> str:
    bad = next((c for c in text if unicodedata.category(c) in _UNWRITABLE), "")
    return f"the character U+{ord(bad):04X} does not belong in a text" if bad else ""
