"""Steps that turn unknown callouts and unmatched footnotes into plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.contribute.imports.imported_page import Change, ImportedPage
from perfnotes.text.callouts import unknown_callouts
from perfnotes.text.footnotes import footnote_faults


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
