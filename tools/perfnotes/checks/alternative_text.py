"""PN505: an image without alternative text."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

ANY_FOLDER = True
_FIGURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">'
    '<rect width="20" height="10"/></svg>\n'
)

RULE = Rule(
    code="PN505",
    severity=Severity.ERROR,
    title="An image without alternative text",
    why=(
        "The words between `![` and `]` replace the image where it cannot be seen: in a screen "
        "reader, in search and in the Markdown of the page. Say in a sentence what the image "
        "shows; words such as “a figure” alone tell nothing."
    ),
    wrong={"caches/rows.md": "![](row.svg)\n", "caches/row.svg": _FIGURE},
    right={
        "caches/rows.md": "![Eight words of a row fill one line of the cache](row.svg)\n",
        "caches/row.svg": _FIGURE,
    },
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Images without any text between the brackets."""
    del site
    body = links.text.body
    text = body.document.text
    for link in body.document.links:
        if link.kind not in ("image", "image-reference"):
            continue
        if not text[link.label_start : link.label_end].strip():
            message = "an image without alternative text"
            hint = "say between the brackets what the image shows"
            yield body.source.finding(link.start, RULE.code, message, hint)
