"""Reads a line as the shell does: quotes, forms that begin with ``$``, and where words end."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.explorables._typed_line import RefusalError

BLANKS = " \t"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
DIGITS = "0123456789"
Unit = tuple[str, int, int]
"""``plain``, ``single``, ``double``, ``ansi``, ``escape`` or ``dollar``, its start and its end."""
_SPECIAL = "?!-$0"
_SHOWN = 24


def cut(text: str) -> str:
    """Return a text as a sentence names it: at most 24 characters of it."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def name_end(s: str, i: int) -> int:
    """Return where a name that begins at ``i`` ends; ``i`` if none does."""
    end = i
    while end < len(s) and (s[end] in LETTERS or (end > i and s[end] in DIGITS)):
        end += 1
    return end


def unit_at(s: str, i: int) -> Unit:
    """Return the quoted text, ``$`` form or single character that begins at ``i``."""
    c, after = s[i], s[i + 1 : i + 2]
    if c == "`":
        raise RefusalError("backquote", c)
    if c == "\\":
        if not after:
            raise RefusalError("open-quote", c)
        return "escape", i, i + 2
    if c == "'":
        return "single", i, _closing(s, i + 1, "'", escapes=False)
    if c == '"':
        return "double", i, _closing(s, i + 1, '"', escapes=True)
    if c == "$":
        if after == "'":
            return "ansi", i, _closing(s, i + 2, "'", escapes=True)
        if after == '"':
            raise RefusalError("unknown-form", '$"')
        end = dollar_end(s, i)
        if end == i + 1:
            raise RefusalError("unknown-form", "$")
        return "dollar", i, end
    return "plain", i, i + 1


def units(s: str) -> Iterator[Unit]:
    """Every unit of a text."""
    start = 0
    while start < len(s):
        unit = unit_at(s, start)
        yield unit
        start = unit[2]


def inner_units(s: str) -> Iterator[Unit]:
    """Every unit of what stands between double quotes."""
    i = 0
    while i < len(s):
        end = i + 1
        kind = "plain"
        if s[i] == "\\" and s[i + 1 : i + 2] in tuple('$`"\\'):
            kind, end = "escape", i + 2
        elif s[i] == "$" and dollar_end(s, i) > i + 1:
            kind, end = "dollar", dollar_end(s, i)
        yield kind, i, end
        i = end


def _closing(s: str, i: int, quote: str, *, escapes: bool) -> int:
    """Return the offset behind the closing quote of a text whose first character is at ``i``."""
    begin = i - 1
    while i < len(s) and s[i] != quote:
        if s[i] == "\\" and escapes:
            i += 1
        elif quote == '"' and s[i] == "`":
            raise RefusalError("backquote", "`")
        elif quote == '"' and s[i] == "$":
            i = dollar_end(s, i) - 1
        i += 1
    if i >= len(s):
        raise RefusalError("open-quote", cut(s[begin:]))
    return i + 1


def dollar_end(s: str, i: int) -> int:
    """Return where the form that ``$`` begins at ``i`` ends; ``i + 1`` if it is a plain ``$``."""
    after = s[i + 1 : i + 2]
    if s.startswith("((", i + 1):
        return _arithmetic_end(s, i)
    if after == "(":
        return command_end(s, i + 2)
    if after == "{":
        return _braced_end(s, i)
    if after == "[" or (after and after in _SPECIAL):
        raise RefusalError("unknown-form", s[i : i + 2])
    if after and after in DIGITS + "@*#":
        return i + 2
    return max(name_end(s, i + 1), i + 1)


def _arithmetic_end(s: str, i: int) -> int:
    depth = 0
    for j in range(i + 3, len(s)):
        if s[j] == "(":
            depth += 1
        elif s[j] == ")" and depth:
            depth -= 1
        elif s[j] == ")":
            if s[j + 1 : j + 2] != ")":
                break
            return j + 2
    raise RefusalError("open-quote", cut(s[i:]))


def _braced_end(s: str, i: int) -> int:
    end = s.find("}", i)
    if end < 0:
        raise RefusalError("open-quote", cut(s[i:]))
    if any(c in "'\"\\`${~<>()&|;" for c in s[i + 2 : end]):
        raise RefusalError("nested-form", cut(s[i : end + 1]))
    return end + 1


def command_end(s: str, i: int) -> int:
    """Return the end of ``$(…)`` whose command begins at ``i``."""
    begin = i
    while i < len(s):
        kind, _, end = unit_at(s, i)
        if kind == "plain" and s[i] == ")":
            return end
        if kind == "plain" and s[i] in "(#;&|<>":
            raise RefusalError("only-echo", cut(s[begin:]))
        i = end
    raise RefusalError("open-quote", "$(" + cut(s[begin:]))


def words_of(s: str) -> list[list[str]]:
    """Return the statements of a line, each a list of words as they were typed."""
    found: list[list[str]] = [[]]
    word = ""
    for kind, start, end in units(s):
        c = s[start:end]
        if kind == "plain" and c in BLANKS + ";":
            if word:
                found[-1].append(word)
            word = ""
            if c == ";":
                if not found[-1]:
                    raise RefusalError("operator", ";")
                found.append([])
            continue
        if kind == "plain" and c in "&|<>()":
            raise RefusalError("operator", c)
        if kind == "plain" and c == "#" and not word:
            raise RefusalError("comment", c)
        word += c
    if word:
        found[-1].append(word)
    return found if found[-1] or len(found) == 1 else found[:-1]
