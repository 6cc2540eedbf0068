"""The report of an import: a line for each guess, or one for many guesses of the same kind."""

from __future__ import annotations

import re
from collections.abc import Iterable

from perfnotes.contribute.imports.imported_page import Guess

MOST = 3  # guesses of one kind that are listed singly

# Messages whose kind is given by the words before the colon.
_LISTS = re.compile(
    r"^(?:tags from words in the text|not in notes/tags\.yml, so kept aside|topic|level"
    r"|the title is the file's name|headings moved|a formula is kept as code"
    r"|indented (?:lines|code) became (?:code|a fence)|code without a language)[^:]*:.*$"
)
_NAMES = re.compile(
    r"^\{[{%<].*(?= is kept as code)|"
    r"'(?:[^'\n]|(?<=\w)'(?=\w))*'|\"[^\"\n]*\"|`[^`\n]*`|\[\[.*?\]\]|\[@[^\]]*\]|\{\{.*?\}\}|\{%.*?%\}"
    r"|\{[^{}\n]*\}|</?[^<>\n]*>|https?:\S+|@[\w:-]+|\d[\d,.-]*|\S*/\S*"
)
# Messages about lost words are always shown one by one.
_LOST_WORDS = "not found again"


def kind(guess: Guess) -> str:
    """The kind of a guess: its message without names, numbers and addresses."""
    said = f"{guess.what} ({guess.mend})"
    if guess.what.startswith(_LOST_WORDS):
        return f"{guess} {id(guess)}"
    if _LISTS.match(guess.what):
        return f"{guess.what.partition(':')[0]} ({guess.mend})"
    return _NAMES.sub("…", said)


def lines(guesses: Iterable[Guess], *, verbose: bool = False) -> list[str]:
    """The lines of the report. If a kind has more than three guesses, only its first is shown.

    With ``verbose`` every guess has a line.
    """
    found = list(guesses)
    if verbose:
        return [str(guess) for guess in found]
    by_kind: dict[str, list[Guess]] = {}
    for guess in found:
        by_kind.setdefault(kind(guess), []).append(guess)
    told = []
    for alike in by_kind.values():
        if len(alike) <= MOST:
            told += [(g, str(g)) for g in alike]
            continue
        files = len({g.path for g in alike})
        where = f"in {files} files" if files > 1 else "in this file"
        told.append((alike[0], f"{alike[0]} [and {len(alike) - 1} more of this kind, {where}]"))
    told.sort(key=lambda pair: (pair[0].path, pair[0].line))
    return [line for _, line in told]
