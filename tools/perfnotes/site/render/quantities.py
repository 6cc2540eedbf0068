"""Keeps a number and its unit in one line: "8 ns" never ends a line with "8"."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter

from perfnotes.site.render.edits import Edits
from perfnotes.text.body import Body
from perfnotes.text.spans import Spans

_PARTED = re.compile(r"[-\u2212]?\d.{0,30}?\s\S", re.DOTALL)
_LONGEST = 30  # characters; more would not fit on the line of a phone
_MOST = 500  # quantities; Python-Markdown copies the whole paragraph for each element in it
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_MARKUP = re.compile(r"[\\`*_\[\]<>|$&!#~^{}]")


def keep_quantities(body: Body, edits: Edits) -> None:
    """Put each quantity of the prose whose unit could be parted from it into an element.

    Bound numbers are links that already keep their words together. Nothing is done in other links
    and pictures, for words with markup, for a number before a term whose first word looks like a
    unit ("31,774 page faults"), and in a paragraph with hundreds of quantities.
    """
    document = body.document
    links = Spans([(link.start, link.end) for link in document.links])
    replaced = Spans([(start, end) for start, end, new, _ in edits.items if new and start < end])
    text = document.text
    breaks = [line.start() for line in _BLANK_LINE.finditer(text)]
    counts = Counter(bisect(breaks, each.start) for each in body.quantities)
    for each in body.quantities:
        if counts[bisect(breaks, each.start)] > _MOST:
            continue
        written = text[each.start : each.end]
        if len(written) > _LONGEST or _MARKUP.search(written) or not _PARTED.match(written):
            continue
        if links.touches(each.start, each.end) or replaced.touches(each.end - 1, each.end):
            continue
        edits.add(each.start, each.start, '<span class="pn-q">', "")
        # This replaces the last character: an edit of no width would be ignored if a citation
        # follows, which replaces the blank before it too.
        edits.add(each.end - 1, each.end, f"{written[-1]}</span>", None)
