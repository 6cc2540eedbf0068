"""PN109: a mark that a merge of git has left."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.source import Source

RULE = Rule(
    code="PN109",
    severity=Severity.ERROR,
    title="A mark of a merge",
    why=(
        "Where a merge cannot decide, git writes both texts into the file, between lines that "
        "begin with `<<<<<<<` and `>>>>>>>`. The page would show these lines and both texts. In "
        "`references.bib` nobody would notice them, because BibTeX leaves out what stands between "
        "entries. Code that shows such a line has a space before it."
    ),
    wrong={
        "caches/rows.md": "<<<<<<< HEAD\nA row of the cache.\n=======\nA row.\n>>>>>>> rows\n",
    },
    right={"caches/rows.md": "A row of the cache.\n"},
)

LOOKS_AT: frozenset[str] = frozenset()
ANY_FOLDER = True

_MARK = re.compile(r"^(?:<{7}|>{7}|\|{7})(?= |$)", re.MULTILINE)


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """The marks in a text, its front matter and its code included."""
    del site
    yield from _found(links.text.body.source)


def find(site: Site) -> Iterator[Finding]:
    """The same in tables and in the references."""
    for source in site.library.sources.values():
        yield from _found(source)


def _found(source: Source) -> Iterator[Finding]:
    if "<<<<<<<" not in source.text and ">>>>>>>" not in source.text:
        return
    for match in _MARK.finditer(source.text):
        message = f"git has left {match[0]} in this file"
        hint = "keep the text that is right, and take out the other one and the marks"
        yield source.finding(match.start(), RULE.code, message, hint)
