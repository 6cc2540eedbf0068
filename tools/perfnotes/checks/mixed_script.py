"""PN108: a word with letters of two scripts that look alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import ascii_letters

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.hidden import hidden_name
from perfnotes.text.source import Source
from perfnotes.text.spans import Spans

RULE = Rule(
    code="PN108",
    severity=Severity.WARNING,
    title="A word with letters of two scripts",
    why=(
        "Some letters of other scripts look like Latin ones: the Cyrillic letter U+0430 and the "
        "Latin a, for example. A word that mixes them reads like another word and is not that "
        "word, so search, links and lists do not find it, and a name can be imitated. Type the "
        "letter again. Greek letters that look like no Latin one, such as \u03bc and \u0394, may "
        "stand in a word, and code may hold any letter."
    ),
    wrong={"caches/rows.md": "A row of the c\u0430che.\n"},
    right={"caches/rows.md": "A row of the cache.\n"},
    in_words=(
        "The word cache with the Cyrillic letter U+0430 in the place of its a.",
        "The word cache in Latin letters.",
    ),
)

LOOKS_AT: frozenset[str] = frozenset()

# Cyrillic, Armenian, Cherokee, Greek letters that look like Latin ones, letters for formulas, and
# full-width letters.
_OTHER = (
    "\u0400-\u052f\u0530-\u058f\u13a0-\u13ff"
    "\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf"
    "\U0001d400-\U0001d6a5\uff21-\uff3a\uff41-\uff5a"
)
# The common case of a text without such letters must be quick: every build looks at all tables.
_OTHER_LETTER = re.compile(f"[{_OTHER}]")
_LATIN = frozenset(ascii_letters)


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Mixed words of a text and its front matter, each line once. Code may hold any letter."""
    del site
    document = links.text.body.document
    known = Spans([*document.code, *((m.start, m.end) for m in document.maths)])
    yield from _found(links.text.body.source, known)


def find(site: Site) -> Iterator[Finding]:
    """The same in tables, in the words of labs and in facts."""
    library = site.library
    sources = [*library.sources.values(), *(lab.source for lab in library.labs.values())]
    for source in {source.path: source for source in sources}.values():
        yield from _found(source, Spans([]))


def _found(source: Source, code: Spans) -> Iterable[Finding]:
    lines = set()
    text = source.text
    for match in () if text.isascii() else _OTHER_LETTER.finditer(text):
        at = match.start()
        if _LATIN.isdisjoint(text[max(at - 1, 0) : at + 2]):
            continue
        line = source.position(at)[0]
        if line in lines or code.around(at):
            continue
        lines.add(line)
        message = f"{hidden_name(text[at])} stands in a word of Latin letters"
        yield source.finding(at, RULE.code, message, "type the letter that it looks like")
