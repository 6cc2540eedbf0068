"""A Page: one page of the site before it is rendered: its address, its Markdown, its frame."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from perfnotes.text.findings import Finding


class Page(Struct, frozen=True):
    """One page of the site.

    ``body`` is the staged Markdown below the title. ``markdown`` is the page's Markdown copy: plain
    Markdown, published beside the HTML for readers' own tools. ``topic`` and ``section`` say where
    the navigation lists the page. ``kind`` is the name by which templates and scripts know the kind
    of the page. ``note`` is the id of the note to which the page belongs, ``title_id`` the HTML id
    of the title. ``alternates`` maps each language to the address of the page in it.
    """

    url: str
    lang: str
    title: str
    body: str
    markdown: str
    description: str = ""
    kind: str = ""
    title_id: str = "top"
    topic: str | None = None
    section: str = ""
    note: str = ""
    alternates: dict[str, str] = field(default_factory=dict)
    previous: tuple[str, str] | None = None  # title and address
    next: tuple[str, str] | None = None
    edit: str = ""
    foot: str = ""  # HTML below the text; if it is empty, links made from ``edit`` are shown
    source: str = ""  # the file that is named in findings about this page
    # Files to publish with the page: paths in the repository, and ``OF_THEME`` + address for a file
    # of the theme.
    files: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()
    styles: tuple[str, ...] = ()  # style sheets of the theme that only some pages need
    scripts: tuple[str, ...] = ()  # scripts of the theme that only some pages need
    preload: tuple[str, ...] = ()  # scripts that another script will load at once
    data: str = ""  # JSON-LD that describes the page, escaped for a script element


def block(html: Iterable[str] | str) -> str:
    """Return raw HTML as a Markdown block: without blank lines inside, with blank lines around."""
    text = html if isinstance(html, str) else "".join(html)
    return "\n\n" + "\n".join(line for line in text.splitlines() if line.strip()) + "\n\n"


class PageAddress(Struct, frozen=True):
    """The address of a page, the file that findings about the page name, and the page's title."""

    url: str
    source: str
    title: str = ""
