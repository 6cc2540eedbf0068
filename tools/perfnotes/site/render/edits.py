"""Edits: replacements in a text, in two forms at once."""

from __future__ import annotations

from dataclasses import dataclass, field

from perfnotes.site.render import markup
from perfnotes.text.tokens import Link

STAGED, TWIN = 2, 3


@dataclass
class Edits:
    """For the staged text and for the Markdown twin; None keeps the source in that form."""

    items: list[tuple[int, int, str | None, str | None]] = field(default_factory=list)

    def add(self, start: int, end: int, staged: str | None, twin: str | None) -> None:
        self.items.append((start, end, staged, twin))

    def apply(self, text: str, begin: int, form: int) -> str:
        """The text from ``begin`` on in one ``form``; an outer edit beats an inner one."""
        out: list[str] = []
        at = begin
        for item in sorted(self.items, key=lambda i: (i[0], -i[1], i[2] is None)):
            new = item[form]
            if not isinstance(new, str) or item[0] < at:
                continue
            out.append(text[at : item[0]])
            out.append(new)
            at = item[1]
        out.append(text[at:])
        return "".join(out)


def without_link(link: Link, edits: Edits) -> None:
    """The words of a link stay and it goes; a picture without words shows its address."""
    edits.add(link.start, link.label_start, "", "")
    edits.add(link.label_end, link.end, "", "")
    if link.kind == "image" and not link.label_start < link.label_end:
        edits.add(link.start, link.end, markup.words(link.dest), "")
