"""A Page: one page of the site before the engine: its address, its Markdown and its frame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from perfnotes.text.findings import Finding


@dataclass(frozen=True)
class Page:
    """``body`` is staged Markdown below the title; ``twin`` is the same page for people's tools.

    ``topic`` and ``section`` say where the page stands in the navigation; ``alternates`` leads
    from a language to the address of the same page there.
    """

    url: str
    lang: str
    title: str
    body: str
    twin: str
    description: str = ""
    kind: str = ""
    title_id: str = "top"
    heading: bool = True  # False: the body brings its own first heading
    topic: str | None = None
    section: str = ""
    note: str = ""
    alternates: dict[str, str] = field(default_factory=dict)
    previous: tuple[str, str] | None = None  # title and address
    next: tuple[str, str] | None = None
    edit: str = ""
    foot: str = ""  # HTML of what stands below the text; made from ``edit`` where it is empty
    source: str = ""  # the file that findings about this page name
    files: frozenset[str] = frozenset()  # paths in the repository's tree to publish with it
    findings: tuple[Finding, ...] = ()
    styles: tuple[str, ...] = ()  # of the theme's own, beside those of every page
    scripts: tuple[str, ...] = ()
    data: str = ""  # what the page is, as JSON-LD that may stand in a script element


def block(html: Iterable[str] | str) -> str:
    """Raw HTML as a Markdown block: one element, no blank line inside, blank lines around."""
    text = html if isinstance(html, str) else "".join(html)
    return "\n\n" + "\n".join(line for line in text.splitlines() if line.strip()) + "\n\n"


@dataclass(frozen=True, slots=True)
class PageAddress:
    """An address with the file that findings about its page name, or else the page's title."""

    url: str
    source: str
    title: str = ""
