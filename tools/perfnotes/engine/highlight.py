"""Highlighting as pymdownx and Pygments do it, to the byte, in half the time.

Three things cost them most: a formatter with its style sheet for each block of code, a search for
the lexer's name, and, for each token, one try for each rule of the lexer's state until one fits.
Here the first two are kept, and the rules of a state are tried as one expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from pygments import highlight
from pygments.lexer import ExtendedRegexLexer, Lexer, RegexLexer
from pymdownx.highlight import BlockHtmlFormatter, Highlight

# In one expression with others, these would mean another group.
_NUMBERED = re.compile(r"\\[1-9]|\(\?P[<=]|\(\?\(")
_PLAIN: dict[str, Any] = {
    "hl_lines": [], "linestart": -1, "linestep": -1, "linespecial": -1, "classes": [],
    "id_value": "", "attrs": {}, "title": None,
}  # fmt: skip

Rule = tuple[Callable[[str, int], "re.Match[str] | None"], Any, Any]


class QuickHighlight(Highlight):  # type: ignore[misc]
    """What superfences asks to highlight a block."""

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
        return kind(stripnl=stripnl), name


@cache
def _formatter(css_class: str, style: str, inline_styles: bool) -> BlockHtmlFormatter:
    return BlockHtmlFormatter(
        cssclass=css_class, style=style, noclasses=inline_styles, wrapcode=True
    )


@cache
def _lexer(default: str, language: str) -> tuple[type[Lexer], str]:
    """The lexer that pymdownx takes for a language, and its name there."""
    lexer, name = Highlight(None, default_lang=default).get_lexer("", language, False, True)
    return quick(type(lexer)), name


def quick(kind: type[Lexer]) -> type[Lexer]:
    """A lexer that gives the same tokens, where its way to find them is known."""
    if not issubclass(kind, RegexLexer) or issubclass(kind, ExtendedRegexLexer):
        return kind
    kind()  # prepares the rules
    rules = {"_tokens": _States(kind._tokens)}
    metaclass: Any = type(kind)
    made: type[Lexer] = metaclass(kind.__name__, (kind,), rules)
    return made


class _States(dict[str, list[Rule]]):
    """A lexer's rules by state; each state gets its first rule when it is first asked for."""

    def __init__(self, states: dict[str, list[Rule]]) -> None:
        super().__init__()
        self._states = states

    def __missing__(self, name: str) -> list[Rule]:
        rules = self[name] = _with_one_first(self._states[name])
        return rules


def _with_one_first(rules: list[Rule]) -> list[Rule]:
    """The rules after one that finds which of them fits, unless that would lead to another state.

    The first alternative that matches is the first rule that matches, so tokens stay the same.
    """
    expressions: list[re.Pattern[str]] = [match.__self__ for match, _, _ in rules]  # type: ignore[attr-defined]
    flags = {e.flags for e in expressions}
    if len(rules) < 3 or len(flags) != 1 or any(_NUMBERED.search(e.pattern) for e in expressions):
        return rules
    try:
        whole = re.compile("|".join(f"({e.pattern})" for e in expressions), flags.pop())
    except re.error:  # flags in the middle
        return rules
    groups, at = [], 1
    for expression in expressions:
        groups.append(at)
        at += expression.groups + 1
    by_group = dict(zip(groups, rules, strict=True))
    stays = {group for group, (_, _, new_state) in by_group.items() if new_state is None}
    find = whole.match

    def fits(text: str, at: int) -> re.Match[str] | None:
        match = find(text, at)
        return match if match and match.lastindex in stays else None

    def tokens(lexer: Lexer, match: re.Match[str]) -> Iterator[tuple[int, Any, str]]:
        rule, action, _ = by_group[match.lastindex or 0]
        if callable(action):
            yield from action(lexer, rule(match.string, match.start()))
        elif action is not None:
            yield match.start(), action, match.group()

    return [(fits, tokens, None), *rules]
