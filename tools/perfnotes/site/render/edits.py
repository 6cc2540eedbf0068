"""Edits: replacements in a text, collected for its staged form and its Markdown copy at once."""

from __future__ import annotations

from msgspec import Struct, field

from perfnotes.site.render import markup
from perfnotes.text.tokens import Link

STAGED, MARKDOWN = 2, 3  # the index of each form's new text in an item of ``Edits``


class Edits(Struct):
    """Replacements as ``(start, end, staged text, Markdown text)``; None keeps the source."""

    items: list[tuple[int, int, str | None, str | None]] = field(default_factory=list)

    def add(self, start: int, end: int, staged: str | None, markdown: str | None) -> None:
        """Replace the range from ``start`` to ``end`` in each form whose new text is not None."""
        self.items.append((start, end, staged, markdown))

    def apply(self, text: str, begin: int, form: int) -> str:
        """Return the text from ``begin`` on with all edits of one ``form`` made.

        ``form`` is ``STAGED`` or ``MARKDOWN``. Edits inside of another edit are ignored.
        """
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
    """Replace a link by its words.

    A picture without words is replaced by its address in the staged form, and left out of the
    Markdown copy.
    """
    edits.add(link.start, link.label_start, "", "")
    edits.add(link.label_end, link.end, "", "")
    if link.kind == "image" and not link.label_start < link.label_end:
        edits.add(link.start, link.end, markup.escape_staged(link.dest), "")
