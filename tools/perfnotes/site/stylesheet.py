"""The style sheet of the theme, without the rules that no page can use.

Material brings one style sheet for everything that any site can switch on. Here a rule stays if one
of its selectors can match: if each element, class, id and attribute that the selector asks for is
one that pages can hold (``site/possible_names.py``). Which pages there are does not matter. Of the
rules that stay, a custom property or an animation stays if something that stays reads it.

Rules that stay are neither changed nor moved. So a page looks as with the whole style sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import pairwise
from typing import Any

import tinycss2
from msgspec import Struct
from msgspec.structs import replace
from tinycss2 import ast

from perfnotes.site.possible_names import WORD, PossibleNames

_GROUPS = ("media", "supports")  # at-rules that hold rules
_CanMatch = Callable[[Sequence[Any]], bool]


class _Declaration(Struct, frozen=True):
    """A declaration as text. ``property`` names a custom property; others always stay."""

    property: str
    text: str


class _Rule(Struct, frozen=True):
    """A style rule; an at-rule that holds ``rules``; or another at-rule, whole in ``head``.

    ``keyframes`` is the name of the animation if the rule is an ``@keyframes``.
    """

    head: str
    declarations: tuple[_Declaration, ...] = ()
    rules: tuple[_Rule, ...] = ()
    keyframes: str = ""

    def text(self) -> str:
        if not self.declarations and not self.rules:
            return self.head
        inside = ";".join(d.text for d in self.declarations) + "".join(r.text() for r in self.rules)
        return f"{self.head}{{{inside}}}"


def whole_and_short(sheet: str, names: PossibleNames, left_out: _CanMatch) -> tuple[str, str]:
    """Return the rules of a style sheet that pages with these names can use, all and fewer.

    For the second, a selector for which ``left_out`` is true counts as one that matches on no page.
    The sheet is parsed once, which takes most of the time.
    """
    rules: list[Any] = tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
    return _text(rules, names), _text(rules, names, left_out)


def _text(rules: Iterable[Any], names: PossibleNames, left_out: _CanMatch | None = None) -> str:
    def can_match(selector: Sequence[Any]) -> bool:
        return _can_match(selector, names) and not (left_out and left_out(selector))

    kept = tuple(_usable(rules, can_match))
    # Repeated until nothing goes: a property that goes may have been the only one to read another.
    while True:
        read = names.words | {word for text in _values(kept) for word in WORD.findall(text)}
        fewer = tuple(_without_unread(kept, read))
        if fewer == kept:
            return "".join(rule.text() for rule in kept)
        kept = fewer


def _usable(rules: Iterable[Any], can_match: _CanMatch) -> Iterator[_Rule]:
    for rule in rules:
        if isinstance(rule, ast.QualifiedRule):
            selectors = _usable_selectors(rule.prelude, can_match)
            if selectors:
                yield _Rule(selectors, tuple(_declarations(rule.content)))
        elif isinstance(rule, ast.AtRule) and rule.lower_at_keyword in _GROUPS and rule.content:
            inside = tinycss2.parse_rule_list(
                rule.content, skip_comments=True, skip_whitespace=True
            )
            kept = tuple(_usable(inside, can_match))
            if kept:
                yield _Rule(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}", rules=kept)
        elif isinstance(rule, ast.AtRule) and rule.lower_at_keyword.endswith("keyframes"):
            yield _Rule(rule.serialize(), keyframes=tinycss2.serialize(rule.prelude).strip())
        elif not isinstance(rule, ast.ParseError):  # a browser drops what is no rule
            yield _Rule(rule.serialize())


def _usable_selectors(prelude: Sequence[Any], can_match: _CanMatch) -> str:
    """Return those selectors of a list that can match, or an empty string.

    A browser drops a whole list if it does not know one of its pseudo-classes or pseudo-elements.
    So a list with one that begins with a hyphen, which a single browser knows, stays or goes whole.
    """
    selectors = _split(prelude)
    kept = [selector for selector in selectors if can_match(selector)]
    if kept and any(_is_for_one_browser(selector) for selector in selectors):
        kept = selectors
    return ",".join(tinycss2.serialize(selector).strip() for selector in kept)


def _split(prelude: Sequence[Any]) -> list[list[Any]]:
    """Split a list of selectors at its commas, but not at commas inside of parentheses."""
    selectors: list[list[Any]] = [[]]
    for token in prelude:
        if token == ",":
            selectors.append([])
        else:
            selectors[-1].append(token)
    return selectors


def _is_for_one_browser(selector: Sequence[Any]) -> bool:
    return any(a == ":" and _name(b).startswith("-") for a, b in pairwise(selector))


def _can_match(selector: Sequence[Any], names: PossibleNames) -> bool:
    """Return whether pages can hold all that a selector asks for.

    What stands in the parentheses of a pseudo-class is not looked at, so ``:not(…)`` and ``:is(…)``
    count as true.
    """
    before = None
    for token in selector:
        if isinstance(token, ast.IdentToken) and before != ":":
            has = names.has_class if before == "." else names.has_element
            if not has(token.value if before == "." else token.lower_value):
                return False
        elif isinstance(token, ast.HashToken):
            if not names.has_id(token.value):
                return False
        elif isinstance(token, ast.SquareBracketsBlock):
            asked = next((t for t in token.content if isinstance(t, ast.IdentToken)), None)
            if asked is not None and not names.has_attribute(asked.lower_value):
                return False
            if asked is not None and not _has_value(asked.lower_value, token.content, names):
                return False
        before = token
    return True


def _has_value(attribute: str, inside: Sequence[Any], names: PossibleNames) -> bool:
    """Return False if a selector asks ``id`` or ``for`` to be an id that no page holds."""
    if attribute not in ("id", "for") or len(inside) != 3 or inside[1] != "=":
        return True
    return names.has_id(str(getattr(inside[2], "value", "")))


def _name(token: Any) -> str:
    return str(getattr(token, "lower_value", "") or getattr(token, "lower_name", ""))


def _declarations(content: Sequence[Any]) -> Iterator[_Declaration]:
    """Yield the declarations of a rule; all as one that stays if the rule holds anything else."""
    found = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    if all(isinstance(each, ast.Declaration) for each in found):
        for each in found:
            own = each.name if each.name.startswith("--") else ""
            yield _Declaration(own, each.serialize())
    else:
        yield _Declaration("", tinycss2.serialize(content))


def _values(rules: Iterable[_Rule]) -> Iterator[str]:
    """Yield all texts of rules that can read a custom property or name an animation."""
    for rule in rules:
        for declaration in rule.declarations:
            yield declaration.text.removeprefix(declaration.property)
        yield from _values(rule.rules)
        if not rule.declarations and not rule.rules:
            yield rule.head.replace(rule.keyframes, "", 1) if rule.keyframes else rule.head


def _without_unread(rules: Iterable[_Rule], read: Set[str]) -> Iterator[_Rule]:
    """Yield the rules, without custom properties and animations that are not ``read``."""
    for rule in rules:
        if rule.rules:
            inside = tuple(_without_unread(rule.rules, read))
            if inside:
                yield replace(rule, rules=inside)
        elif rule.declarations:
            kept = tuple(d for d in rule.declarations if not d.property or d.property in read)
            if kept:
                yield replace(rule, declarations=kept)
        elif not rule.keyframes or rule.keyframes in read:
            yield rule
