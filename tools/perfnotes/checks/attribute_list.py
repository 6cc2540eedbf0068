"""PN606: an attribute, class or id that a text gives to an element."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.cut import cut
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.spans import Spans
from perfnotes.text.tokens import MarkdownDocument

RULE = Rule(
    code="PN606",
    severity=Severity.ERROR,
    title="An attribute, class or id that a text gives to an element",
    why=(
        "Classes, ids and attributes belong to the site. With them, plain words could look like a "
        "number that was measured, like a citation or like a card of the site, or could cover the "
        "page. So a text may give an element a name to link to, as in `{#sizes}`, and nothing "
        "else. A code host shows the braces as text anyway."
    ),
    wrong={"caches/rows.md": "The inner loop runs [along a row](lines.md){.pn-cite}.\n"},
    right={"caches/rows.md": "The inner loop runs [along a row](lines.md).\n"},
)

LOOKS_AT: frozenset[str] = frozenset()

_HINT = "remove it; only a name to link to may stand there, such as {#sizes}"
_NAME = re.compile(r"\{:?[ ]*#(?!__|pn-|fn:|fnref)[\w:.-]+[ ]*\}")
_HEADING = re.compile(r"\{(?P<inside>[^{}\n]*)\}[ \t]*#*[ \t]*$")
_HEADING_NAME = re.compile(r":?[ ]*#[^\s#{}]+[ ]*")
_BELOW = re.compile(r"^[ ]{0,3}\{:[^{}\n]*\}[ \t]*$", re.MULTILINE)
# The words behind the signs of a box, and what stands behind a bar in a callout, become classes.
_BOX = re.compile(
    r"^[ \t>]*(?:!!!|\?\?\?\+?)[ ]?(?P<words>[\w-]+(?:[ ]+[\w-]+)*)"
    r"|^[ \t>]*\[![^\]\[|\n]*\|(?P<bar>[^\]\[\n]*)\]",
    re.MULTILINE,
)
_OF_SITE = re.compile(r"(?<![\w-])(?:pn|md|js)-")
_ALLOWED_ELEMENT = ("kbd", "sub", "sup", "br")
_BARE_TAG = re.compile(r"</?[A-Za-z]+\s*/?>")


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Attribute lists with more than a name, classes of boxes, attributes of allowed elements."""
    del site
    body = links.text.body
    for offset, what in sorted({*_lists(body.document), *_boxes(body.document)}):
        yield body.source.finding(offset, RULE.code, what, _HINT)


def _lists(document: MarkdownDocument) -> Iterator[tuple[int, str]]:
    text = document.text
    for each in document.attributes:
        if not _NAME.fullmatch(text, each.start, each.end):
            yield each.start, f"the attribute list {_short(text[each.start : each.end])}"
    for heading in document.blocks.headings:
        line = text[heading.start : heading.end].rstrip("\n")
        for found in (_HEADING.search(line.partition("\n")[0]), _BELOW.search(line)):
            if found and (heading.attributes or found.re is _BELOW):
                inside = found[0].strip(" \t#").strip("{}")
                if not _HEADING_NAME.fullmatch(inside):
                    yield heading.start + found.start(), f"the attribute list {_short(found[0])}"
    for tag in document.tags:
        if tag.name in _ALLOWED_ELEMENT and not _BARE_TAG.fullmatch(text, tag.start, tag.end):
            yield tag.start, f"an attribute of <{tag.name}>"


def _boxes(document: MarkdownDocument) -> Iterator[tuple[int, str]]:
    code = Spans(document.code)
    for match in _BOX.finditer(document.text, document.start):
        kind = "words" if match["words"] else "bar"
        found = _OF_SITE.search(match[kind] or "")
        if found and not code.around(match.start(kind)):
            word = re.split(r"\s", match[kind][found.start() :])[0]
            yield match.start(kind) + found.start(), f"the class {word!r} of the site"


def _short(text: str) -> str:
    return cut(" ".join(text.split()), 60)
