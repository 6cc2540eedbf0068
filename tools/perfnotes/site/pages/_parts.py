"""Parts of HTML that several page kinds share."""

from __future__ import annotations

from collections.abc import Iterable

from perfnotes.graph.address import relative
from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.model.reference import Reference
from perfnotes.site.render.language import lang_attribute
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import string
from perfnotes.source.bib.citestyle import links

# The place of a field that a script adds. It hides each pn-row that lacks the words typed.
FILTER = '<div class="pn-find"></div>'


def quote_list(sentences: Iterable[str], lang: str) -> str:
    """Return each sentence as a quotation in HTML, for a page in ``lang``."""
    return "".join(
        f'<blockquote class="pn-quote"{lang_attribute(s, lang)}>{escape(s)}</blockquote>'
        for s in sentences
        if s
    )


def reference_links(reference: Reference) -> str:
    """Return links to where a reference can be read: DOI, arXiv, address."""
    return " ".join(
        f'<a class="pn-out" rel="external" href="{escape(url)}">{escape(label)}</a>'
        for label, url in links(reference)
    )


def count(what: str, n: int, lang: str) -> str:
    """Return a count in words, such as ``one note`` or ``7 notes``.

    The words are those of the keys ``what`` + ``_one`` and ``what`` + ``_n``.
    """
    return string(f"{what}_one", lang) if n == 1 else string(f"{what}_n", lang, n=n)


def fold(summary: str, rows: Iterable[str]) -> list[str]:
    """Return HTML that shows ``summary``, and ``rows`` when a reader opens it.

    The rows are also shown in print, and to a reader who follows a link into them.
    """
    return ['<details class="pn-fold">', f"<summary>{summary}</summary>", *rows, "</details>"]


def level_mark(level: str, lang: str) -> str:
    """Return a note's level as HTML; the theme shows a sign beside the word."""
    return f'<span class="pn-level pn-level-{level}">{string(level, lang)}</span>'


def note_link(site: Site, origin: str, note: Note, lang: str) -> str:
    """Return a link in HTML from the page at ``origin`` to a note in ``lang``.

    If the note does not exist in ``lang``, the link leads to the English page and says so.
    """
    href = relative(origin, site.addresses.note(note, lang))
    label = escape(site.title(note, lang))
    if site.addresses.has(note, lang):
        return f'<a href="{escape(href)}">{label}</a>'
    badge = f'<span class="pn-lang">{string("english_only", lang)}</span>'
    return f'<a href="{escape(href)}" hreflang="en" lang="en">{label}</a> {badge}'
