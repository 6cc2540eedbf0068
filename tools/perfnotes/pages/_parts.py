"""Pieces of HTML that several page kinds share."""

from __future__ import annotations

from collections.abc import Iterable

from perfnotes.bib.citestyle import links
from perfnotes.reference import Reference
from perfnotes.render.markup import escape


def quote_list(sentences: Iterable[str]) -> str:
    """Sentences as quotations."""
    return "".join(f'<blockquote class="pn-quote">{escape(s)}</blockquote>' for s in sentences if s)


def reference_links(reference: Reference) -> str:
    """Where the reference can be read: DOI, arXiv, address."""
    return " ".join(
        f'<a class="pn-out" rel="external" href="{escape(url)}">{escape(label)}</a>'
        for label, url in links(reference)
    )
