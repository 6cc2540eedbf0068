"""Highlights code as pymdownx and Pygments do, to the byte, in less time.

Three things take most of their time: making a formatter with its style sheet for each block of
code, finding the lexer by its name, and trying the rules of the lexer's state one after another for
each token. Here formatters and lexers are cached. The rules of a state are joined into one regular
expression once a language has so much code that compiling the expression pays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import groupby
from typing import Any, ClassVar

from pygments import highlight
from pygments.lexer import ExtendedRegexLexer, Lexer, RegexLexer
from pymdownx.highlight import BlockHtmlFormatter, Highlight

# What refers to a group by its name, or by a number that is not easy to change.
_NAMES_GROUP = re.compile(r"\(\?P[<=]|\(\?\(|\\[1-9][0-9]")
# A reference to a group, or what might look like one: an escape or a set of characters.
_REFERENCE = re.compile(r"\\([1-9])|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_FLAGS = re.compile(r"\A\(\?[a-zA-Z]+\)")  # flags for a whole expression stand at its start
# Flags that a part of an expression can have for itself, by the letter that says so.
_SCOPED = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE}
# The options of a block of code that asks for nothing special.
_PLAIN: dict[str, Any] = {
    "hl_lines": [], "linestart": -1, "linestep": -1, "linespecial": -1, "classes": [],
    "id_value": "", "attrs": {}, "title": None,
}  # fmt: skip

_MUCH = 20_000  # characters of one language, after which joining the rules pays

Rule = tuple[Callable[[str, int], "re.Match[str] | None"], Any, Any]


class QuickHighlight(Highlight):  # type: ignore[misc]
    """Replaces pymdownx's class for superfences, which makes an object for each block."""

    _seen: ClassVar[Counter[str]] = Counter()  # characters by language, of all blocks so far

    def highlight(self, src: str, language: str, css_class: str = "highlight", **given: Any) -> Any:
        plain = all(given.get(name, value) == value for name, value in _PLAIN.items())
        if not plain or self.linenums or self.auto_title or not self.pygments_lang_class:
            return super().highlight(src, language, css_class, **given)
        lexer, name = self.get_lexer(src, language or self.default_lang, False, self.stripnl)
        formatter = _formatter(css_class, self.pygments_style, self.noclasses)
        opening = f'<div class="{css_class}">'
        html = highlight(src, lexer, formatter).removeprefix(opening)
        return f'<div class="{self.language_prefix}{name} {css_class}">{html}'.strip()

    def get_lexer(self, src: str, language: str, inline: bool, stripnl: bool) -> tuple[Lexer, str]:
        if self.guess_lang or self.extend_pygments_lang:
            return super().get_lexer(src, language, inline, stripnl)  # type: ignore[no-any-return]
        kind, name = _lexer(self.default_lang, language)
        self._seen[name] += len(src)
        if self._seen[name] > _MUCH:
            kind = _quick_lexer(self.default_lang, language)
        return kind(stripnl=stripnl), name


@cache
def _formatter(css_class: str, style: str, inline_styles: bool) -> BlockHtmlFormatter:
    return BlockHtmlFormatter(
        cssclass=css_class, style=style, noclasses=inline_styles, wrapcode=True
    )


@cache
def _lexer(default: str, language: str) -> tuple[type[Lexer], str]:
    """Return the lexer that pymdownx takes for a language, and pymdownx's name for it."""
    lexer, name = Highlight(None, default_lang=default).get_lexer("", language, False, True)
    return type(lexer), name


@cache
def _quick_lexer(default: str, language: str) -> type[Lexer]:
    return quick(_lexer(default, language)[0])


def quick(kind: type[Lexer]) -> type[Lexer]:
    """Return a lexer with the same tokens and joined rules, or ``kind`` if it works differently."""
    if not issubclass(kind, RegexLexer) or issubclass(kind, ExtendedRegexLexer):
        return kind
    if getattr(kind, "token_variants", False):  # rules that depend on options
        return kind
    kind()  # compiles the rules
    rules = {"_tokens": _States(kind._tokens)}
    metaclass: Any = type(kind)
    made: type[Lexer] = metaclass(kind.__name__, (kind,), rules)
    return made


class _States(dict[str, list[Rule]]):
    """A lexer's rules by state. The rules of a state are joined when the state is first used."""

    def __init__(self, states: dict[str, list[Rule]]) -> None:
        super().__init__()
        self._states = states

    def __missing__(self, name: str) -> list[Rule]:
        rules = self[name] = list(_joined(self._states[name]))
        return rules


def _joined(rules: list[Rule]) -> Iterator[Rule]:
    """Yield the rules, and before each run of rules that can be joined their joined rule."""
    for joinable, run in groupby(rules, _is_joinable):
        same = list(run)
        if joinable and len(same) > 2:
            with suppress(re.error):  # if they cannot be joined after all, each is tried
                yield _one_of(same)
        yield from same


def _is_joinable(rule: Rule) -> bool:
    """Whether a rule's expression means the same as a part of a longer one."""
    return not _NAMES_GROUP.search(_expression(rule).pattern)


def _expression(rule: Rule) -> re.Pattern[str]:
    found: re.Pattern[str] = rule[0].__self__  # type: ignore[attr-defined]
    return found


def _alternative(expression: re.Pattern[str], group: int) -> str:
    """Return an expression as group number ``group`` of a longer one, with its own flags."""

    def moved(match: re.Match[str]) -> str:
        return rf"(?:\{int(match[1]) + group})" if match[1] else match[0]

    on = "".join(letter for letter, flag in _SCOPED.items() if expression.flags & flag)
    off = "".join(letter for letter in _SCOPED if letter not in on)
    text = _REFERENCE.sub(moved, _FLAGS.sub("", expression.pattern, count=1))
    end = "\n" if "x" in on else ""  # ends a comment, which may be open
    return f"((?{on}{'-' if off else ''}{off}:{text}{end}))"


def _one_of(rules: list[Rule]) -> Rule:
    """Return one rule for several. It matches if the first of them that matches keeps the state.

    The first alternative that matches is the first rule that matches, so the tokens are the same.
    The group around the alternatives is atomic: if the first that matches changes the state, no
    other is tried.
    """
    by_group: dict[int | None, Rule] = {}
    alternatives = []
    group = 1
    for rule in rules:
        by_group[group] = rule
        alternatives.append(_alternative(_expression(rule), group))
        group += _expression(rule).groups + 1
    changes = [number for number, (_, _, new_state) in by_group.items() if new_state is not None]
    fails = "".join(f"(?({number})(?!))" for number in changes)
    find = re.compile(f"(?>{'|'.join(alternatives)}){fails}").match

    def tokens(lexer: Lexer, match: re.Match[str]) -> Iterator[tuple[int, Any, str]]:
        rule, action, _ = by_group[match.lastindex]
        if callable(action):
            yield from action(lexer, rule(match.string, match.start()))
        elif action is not None:
            yield match.start(), action, match.group()

    return find, tokens, None
