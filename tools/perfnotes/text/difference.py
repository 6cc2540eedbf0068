"""Shows how two texts differ: by lines as ``diff -u`` does, or by words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from perfnotes.text.alignment import changes, unified

_PIECES = re.compile(r"\s+|[㐀-鿿]|[A-Za-z0-9_]+|.", re.DOTALL)
# Changes in a paragraph of more words are shown by lines.
_MOST_WORDS = 1500
_ALIKE = 0.3  # paragraphs with a lower ratio are shown one after the other
_CONTEXT = 12  # words kept on both sides of a change


def lines(old: str, new: str, before: str, after: str) -> str:
    """Return the unified diff of two texts, ended by a line feed, or "" if they are equal.

    ``before`` and ``after`` are the names that the diff gives them.
    """
    found = unified(old.splitlines(True), new.splitlines(True), before, after)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in found)


def by_words(old: str, new: str) -> str:
    """Return the paragraphs that changed, with ``[-words removed-]`` and ``{+words added+}``."""
    ours, theirs = _paragraphs(old), _paragraphs(new)
    out: list[str] = []
    for tag, a, b, c, d in changes(ours, theirs):
        if tag != "equal":
            out += _changed(ours[a:b], theirs[c:d])
    return "\n\n".join(out) + "\n" if out else ""


def _changed(old: list[str], new: list[str]) -> Iterator[str]:
    """Yield the words that differ in each pair of an old and a new paragraph.

    If there are more paragraphs of one kind, yield all old ones as removed and all new ones as
    added.
    """
    if len(old) == len(new):
        yield from (_merged(a, b) for a, b in zip(old, new, strict=True))
        return
    yield from (f"[-{p}-]" for p in old)
    yield from (f"{{+{p}+}}" for p in new)


def _merged(old: str, new: str) -> str:
    """Return one paragraph with the removed and added words marked.

    Two paragraphs that are little alike follow one another whole. Very long ones are compared by
    lines.
    """
    ours, theirs = _PIECES.findall(old), _PIECES.findall(new)
    if max(len(ours), len(theirs)) > 2 * _MOST_WORDS:
        return lines(old, new, "before", "now").rstrip("\n")
    if _likeness(ours, theirs) < _ALIKE:
        return f"[-{old}-]\n{{+{new}+}}"
    matcher = SequenceMatcher(a=ours, b=theirs, autojunk=False)
    out: list[str] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            out.append("".join(_shortened(ours[a:b], a == 0, b == len(ours))))
            continue
        removed, added = "".join(ours[a:b]), "".join(theirs[c:d])
        out.append((f"[-{removed}-]" if removed else "") + (f"{{+{added}+}}" if added else ""))
    return "".join(out)


def _likeness(old: list[str], new: list[str]) -> float:
    """Return difflib's ratio of the words of two paragraphs, from 0 to 1."""
    a, b = ([piece for piece in each if not piece.isspace()] for each in (old, new))
    return SequenceMatcher(a=a, b=b, autojunk=False).ratio()


def _shortened(pieces: list[str], first: bool, last: bool) -> list[str]:
    """Shorten a long run of unchanged words to those next to a change."""
    keep = 2 * _CONTEXT  # a word and the space after it are two pieces
    if len(pieces) <= 3 * keep:
        return pieces
    head = [] if first else pieces[:keep]
    tail = [] if last else pieces[-keep:]
    return [*head, " … ", *tail]


def _paragraphs(text: str) -> list[str]:
    return [p.strip("\n") for p in re.split(r"\n\s*\n", text) if p.strip()]
