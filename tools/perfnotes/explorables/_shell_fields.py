"""Word splitting, and pathname expansion: fields become the names of files that they match."""

from __future__ import annotations

from collections.abc import Sequence

from perfnotes.explorables._shell_text import cut
from perfnotes.explorables._shell_values import BREAK, MADE, SIGN, TYPED, Sign
from perfnotes.explorables._typed_line import RefusalError

_WHITE = " \t\n"
_BARE = (TYPED, MADE)


def fields(signs: Sequence[Sign], ifs: str) -> list[list[Sign]]:
    """Return the fields of one word. Only what an unquoted expansion made is split."""
    found: list[list[Sign]] = []
    field: list[Sign] = []
    after_white = False
    for text, mark in signs:
        if mark == BREAK:
            if field:
                found.append(field)
            field, after_white = [], False
        elif mark != MADE or text not in ifs:
            field.append((text, mark))
            after_white = False
        elif text in _WHITE:
            if field:
                found.append(field)
                field, after_white = [], True
        elif field or not after_white:
            found.append(field)
            field, after_white = [], False
        else:
            after_white = False
    if field:
        found.append(field)
    return found


def matched(field: list[Sign], files: Sequence[str]) -> list[list[Sign]]:
    """Return a field for each file that the field matches as a pattern, or the field itself."""
    signs = [(text, mark in _BARE) for text, mark in field if mark != SIGN]
    text = "".join(sign for sign, _ in signs)
    if not _is_pattern(signs):
        return [field]
    if "\\" in [sign for sign, bare in signs if bare]:
        raise RefusalError("pattern", cut(text))
    before = "./" if text.startswith("./") else ""
    pattern = signs[len(before) :]
    if any(sign == "/" for sign, _ in pattern) or pattern[:1] in ([(".", True)], [(".", False)]):
        raise RefusalError("pattern", cut(text))
    names = [before + name for name in files if _matches(pattern, name, text)]
    return [[(sign, MADE) for sign in name] for name in names] or [field]


def _is_pattern(signs: Sequence[tuple[str, bool]]) -> bool:
    bracket = False
    for sign, bare in signs:
        if bare and (sign in "*?" or (sign == "]" and bracket)):
            return True
        bracket = bracket or (bare and sign == "[")
    return False


def _matches(pattern: Sequence[tuple[str, bool]], name: str, shown: str) -> bool:
    if not pattern:
        return not name
    sign, bare = pattern[0]
    if bare and sign == "*":
        if pattern[1:2] == [("*", True)]:
            return _matches(pattern[1:], name, shown)
        return any(_matches(pattern[1:], name[i:], shown) for i in range(len(name) + 1))
    if bare and sign == "[":
        end = _bracket_end(pattern)
        if end:
            inside = _inside(pattern[1:end], shown, name[:1])
            return bool(name) and inside and _matches(pattern[end + 1 :], name[1:], shown)
    same = bool(name) and ((bare and sign == "?") or sign == name[0])
    return same and _matches(pattern[1:], name[1:], shown)


def _bracket_end(pattern: Sequence[tuple[str, bool]]) -> int:
    """Return the index of the ``]`` that closes the bracket, or 0 if none does.

    A ``]`` that is the first character inside stands for itself.
    """
    first = 1 + (pattern[1:2] in ([("!", True)], [("^", True)]))
    for i in range(first + 1, len(pattern)):
        if pattern[i] == ("]", True):
            return i
    return 0


def _inside(bracket: Sequence[tuple[str, bool]], shown: str, sign: str) -> bool:
    """Return whether a bracket with this content, such as ``!a-c``, matches the character."""
    negated = bracket[0] in (("!", True), ("^", True))
    rest = bracket[negated:]
    found, i = False, 0
    while i < len(rest):
        c = rest[i][0]
        if c == "[" or ord(c) > 126:
            raise RefusalError("pattern", cut(shown))
        if i + 2 < len(rest) and rest[i + 1] == ("-", True):
            last = rest[i + 2][0]
            if not (c.isascii() and last.isascii() and c.isalnum() and last.isalnum()):
                raise RefusalError("pattern", cut(shown))
            if (c.isdigit(), c.islower()) != (last.isdigit(), last.islower()):
                raise RefusalError("pattern", cut(shown))
            found = found or c <= sign <= last
            i += 3
            continue
        found = found or c == sign
        i += 1
    return found != negated
