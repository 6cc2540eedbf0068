"""PN803: a topic with a name that the site needs."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN803",
    severity=Severity.ERROR,
    title="A topic with a name that the site needs",
    why=(
        "A topic's id is the first part of its notes' addresses. Some ids are already taken: by "
        "lists such as `tags` and `references`, by the Chinese half of the site (`zh`), by the "
        "theme (`assets`), and by the pages in `docs/`."
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
