"""PN803: a topic with a name that the site needs."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.address import RESERVED
from perfnotes.checks._rule import Rule
from perfnotes.findings import Finding, Severity
from perfnotes.site import Site

RULE = Rule(
    code="PN803",
    severity=Severity.ERROR,
    title="A topic with a name that the site needs",
    why=(
        "A topic's id is the first part of its notes' addresses. Some of these are taken: by lists "
        "such as `tags` and `references`, by the Chinese half of the site (`zh`), by the theme "
        "(`assets`), and by the pages in `docs/`."
    ),
    wrong={
        "topics.yml": (
            "- id: search\n  title: {en: Search}\n  description: {en: Finding things fast.}\n"
        )
    },
    right={
        "topics.yml": (
            "- id: searching\n  title: {en: Search}\n  description: {en: Finding things fast.}\n"
        )
    },
)


def find(site: Site) -> Iterator[Finding]:
    """Topics called like a section, a folder of the theme or a page of the site's own."""
    source = site.library.sources.get("topics")
    pages = {id.partition("/")[0] for id, _ in site.library.pages}
    for topic in site.library.topics.values():
        if source and (topic.id in RESERVED or topic.id in pages):
            message = f"a topic cannot be called {topic.id!r}: that address is the site's own"
            yield source.finding(topic.offset, RULE.code, message, "choose another id")
