"""PN220: two topics, tags or terms with the same name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from perfnotes.checks._pairs import duplicates
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

_FIRST = """\
- id: cache
  name: {en: Cache, zh: 缓存}
  description: {en: Fast memory near a core., zh: 离核心近的快速存储。}
"""

RULE = Rule(
    code="PN220",
    severity=Severity.WARNING,
    title="Two topics, tags or terms with the same name",
    why=(
        "Readers see names, not ids. Two names of one table that are equal, or differ only in "
        "upper and lower case, in the width of letters or in how accents are stored, cannot be "
        "told apart in lists and in the search. Keep one of the entries, or say in the name what "
        "sets it apart."
    ),
    wrong={
        "tags.yml": _FIRST
        + "- id: caching\n"
        + "  name: {en: CACHE, zh: 缓存技术}\n"
        + "  description: {en: Keeping answers for later., zh: 留存答案备用。}\n"
    },
    right={
        "tags.yml": _FIRST
        + "- id: caching\n"
        + "  name: {en: Caching, zh: 缓存技术}\n"
        + "  description: {en: Keeping answers for later., zh: 留存答案备用。}\n"
    },
)


def find(site: Site) -> Iterator[Finding]:
    """Each entry whose English name another entry of its table has too."""
    library = site.library
    tables = {
        "topics": [(t.id, t.title.en, t.offset) for t in library.topics.values()],
        "tags": [(t.id, t.name.en, t.offset) for t in library.tags.values()],
        "glossary": [(t.id, t.name.en, t.offset) for t in library.terms.values()],
    }
    for table, entries in tables.items():
        source = library.sources.get(table)
        for (_, name, offset), (other, *_) in duplicates(entries, lambda e: _form(e[1])):
            if source:
                message = f"{other!r} has the name {name!r} as well"
                hint = "keep one of the two, or say in the name what sets it apart"
                yield source.finding(offset, RULE.code, message, hint)


def _form(name: str) -> str:
    """Return a form that is the same for names that look the same in a list."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
