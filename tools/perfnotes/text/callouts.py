"""Callouts: quotes that begin with a kind in brackets, ``> [!NOTE]``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.text.tokens import MarkdownDocument

# The kinds that pages and code hosts have in common.
CALLOUTS = ("NOTE", "TIP", "WARNING", "IMPORTANT", "CAUTION")
_KIND = re.compile(r"[ ]{0,3}\[!([^\[\]\n]*)\](?![(\[])")  # with more brackets it is a link
_CLASS = re.compile(r"[ ]*\|.*")  # what stands behind a bar becomes a class of the box


def callout_marks(document: MarkdownDocument) -> frozenset[int]:
    """Return where the brackets stand with which quotes begin that become boxes."""
    found = (_KIND.match(document.text, start) for start in document.blocks.quotes)
    return frozenset(match.start(1) - 2 for match in found if match)


def unknown_callouts(document: MarkdownDocument) -> Iterator[tuple[int, str]]:
    """Yield the offset and the kind of each callout whose kind does not exist."""
    for start in document.blocks.quotes:
        found = _KIND.match(document.text, start)
        kind = _CLASS.sub("", found[1], count=1) if found else ""
        if found and kind.upper() not in CALLOUTS and any(map(str.isalpha, kind)):
            yield found.start(1), kind
