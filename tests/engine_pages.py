"""What a reader gets from a page, whatever engine made it."""

from __future__ import annotations

import posixpath
from pathlib import Path
from xml.etree import ElementTree as ET

from selectolax.lexbor import LexborHTMLParser


def different_articles(ours: Path, theirs: Path) -> list[str]:
    """Return the pages whose articles differ between two sites, or that one of them lacks."""
    a, b = ({p.relative_to(s).as_posix() for p in s.rglob("*.html")} for s in (ours, theirs))
    both = {name for name in a & b if article(ours / name) != article(theirs / name)}
    return sorted((a ^ b) | both)


def article(file: Path) -> dict[str, object] | None:
    """What a reader gets from a page's article, whatever the engine; a redirect has none."""
    node = LexborHTMLParser(file.read_text("utf-8")).css_first("article")
    if node is None:
        return None
    return {
        "text": " ".join(node.text(deep=True).split()),
        "headings": [h.attributes.get("id") for h in node.css("h1, h2, h3, h4, h5, h6")],
        "links": [a.attributes.get("href") for a in node.css("a")],
        "pictures": [i.attributes.get("src") for i in node.css("img")],
    }


def frame(file: Path) -> dict[str, object]:
    """What our templates put around an article."""
    page = LexborHTMLParser(file.read_text("utf-8"))
    return {
        "head": [
            node.html for node in page.css("meta, title, link[rel=canonical], link[hreflang]")
        ],
        "links": [
            ((a.attributes.get("href") or "").rstrip("/"), " ".join(a.text().split()))
            for a in page.css(".md-header a, .md-nav--primary a, .md-path a, .md-footer a")
        ],
        "scripts": [
            posixpath.normpath(source)
            for node in page.css("script")
            if "/perfnotes/" in (source := node.attributes.get("src") or "")
        ],
    }


def site_map(file: Path) -> dict[str | None, list[tuple[str, str]]]:
    """Addresses and the languages of each."""
    xmlns = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    link = "{http://www.w3.org/1999/xhtml}link"
    return {
        url.findtext(f"{xmlns}loc"): [
            (a.get("hreflang", ""), a.get("href", "")) for a in url.iter(link)
        ]
        for url in ET.parse(file).getroot()
    }
