"""Steps that turn unknown callouts and unmatched footnotes into plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.contribute.imports.imported_page import Change, ImportedPage
from perfnotes.text.body import read_body
from perfnotes.text.callouts import unknown_callouts
from perfnotes.text.footnotes import footnote_faults
from perfnotes.text.loose_marks import loose_dollars, loose_rows
from perfnotes.text.source import Source


def callouts(page: ImportedPage) -> Iterator[Change]:
    """Escape the first bracket of each callout of an unknown kind."""
    for at, kind in unknown_callouts(page.document):
        start = page.text.rindex("[", 0, at)
        yield Change(start, start, "\\", f"[!{kind}] is kept as words: no callout is of this kind")


def footnotes(page: ImportedPage) -> Iterator[Change]:
    """Escape footnotes and marks that lead nowhere; take blanks out of labels."""
    renamed = set[str]()
    for fault in footnote_faults(page.document):
        mark = f"[^{fault.label}]"
        if fault.what != "blank":
            said = f"{mark} is kept as words: its mark and its text do not belong together"
            yield Change(fault.at, fault.at, "\\", said, "write both, or neither")
        elif fault.label not in renamed:
            renamed.add(fault.label)
            new = f"[^{'-'.join(fault.label.split())}]" if fault.label.strip() else f"\\{mark}"
            for found in re.finditer(re.escape(mark), page.text):
                if not page.is_verbatim(found.start()):
                    yield Change(found.start(), found.end(), new)


def unfinished(page: ImportedPage) -> Iterator[Change]:
    """Escape dollar signs that begin no formula, and the bars of rows that are no table."""
    for at, sign in loose_dollars(page.document):
        said = f"{sign} is kept as words: no {sign} closes it in its paragraph"
        yield Change(at, at + len(sign), sign.replace("$", "\\$"), said)
    for rows in loose_rows(page.document):
        for at in rows:
            said = "" if at != rows[0] else "rows are kept as words: they have no line of dashes"
            yield Change(at, at, "\\", said)


def repeated_ids(page: ImportedPage) -> Iterator[Change]:
    """Remove the id of a heading if an earlier heading has it."""
    for section, _ in read_body(Source(page.path, page.text)).repeated_ids:
        heading = section.heading
        at = page.text.rfind("{", heading.start, heading.end)
        if at >= 0:
            at = len(page.text[:at].rstrip(" \t"))
            said = f"the id {heading.explicit_id!r} was removed: an earlier heading has it"
            yield Change(at, heading.end, "", said)
