"""HTML pages, as browsers, blogs and Notion save them."""

from __future__ import annotations

import re

from perfnotes.contribute.imports.fields import Fields
from perfnotes.contribute.imports.htmltree import HtmlElement, invisible, parse
from perfnotes.contribute.imports.htmlwriter import Writer, joined
from perfnotes.contribute.imports.imported_page import ImportedPage

ENDINGS = ("html", "htm", "xhtml", "shtml")

_START = re.compile(
    r"\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--(?:(?!-->).)*+-->\s*+)*+<(?:!doctype html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_META = {
    "description": "description", "og:description": "description", "author": "author",
    "article:author": "author", "keywords": "keywords", "date": "date", "dcterms.date": "date",
    "article:published_time": "date", "article:modified_time": "updated", "og:title": "og title",
}  # fmt: skip


def likely(text: str) -> bool:
    return _START.match(text) is not None


def read(path: str, text: str) -> tuple[Fields, ImportedPage]:
    root, comments = parse(text)
    values: dict[str, object] = {}
    title = root.find("title")
    heading = root.find("h1")
    if (
        title
        and title.text.split()
        and not (heading and heading.text.split() == title.text.split())
    ):
        words = " ".join(title.text.split())
        values["page title" if heading and heading.text.strip() else "title"] = words
    _metas(root, values)
    for name in ("page title", "og title"):
        if values.get(name) in (values.get("title"), heading and " ".join(heading.text.split())):
            values.pop(name, None)
    writer = Writer(path)
    body, lines = joined(writer.blocks(root.children))
    for each in invisible(root):
        writer.tell(each.line, f"<{each.tag}> was left out, as no reader sees it")
    page = ImportedPage(path, body, lines, tuple(writer.guesses), tuple(writer.asides))
    kept = [c.strip() for _, c in comments if c.strip()]
    if kept:
        page = page.with_guess(f"{len(kept)} comments were moved into the front matter")
        page = ImportedPage(page.path, page.text, page.lines, page.guesses, (*page.asides, *kept))
    return Fields(values), page


def _metas(element: HtmlElement, values: dict[str, object]) -> None:
    for child in element.children:
        if not isinstance(child, HtmlElement):
            continue
        if child.tag == "meta":
            name = (child.attributes.get("name") or child.attributes.get("property") or "").lower()
            content = child.attributes.get("content", "").strip()
            if name in _META and content:
                values.setdefault(_META[name], content)
        elif child.tag in ("html", "head", "#root", "body"):
            _metas(child, values)
