"""PN204: an id that stands twice in a table. The readers find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

_FIRST = """\
- id: cache
  name: {en: Cache, zh: 缓存}
  description: {en: Fast memory near a core., zh: 离核心近的快速存储。}

"""

RULE = Rule(
    code="PN204",
    severity=Severity.ERROR,
    title="An id that stands twice in a table",
    why=(
        "An id names one topic, tag or term, and its page has the id for an address. Of two "
        "entries with the same id (upper and lower case count as the same) one would be lost."
    ),
    wrong={
        "tags.yml": _FIRST
        + "- id: cache\n"
        + "  name: {en: Caching}\n"
        + "  description: {en: Keeping answers for later.}\n"
    },
    right={
        "tags.yml": _FIRST
        + "- id: caching\n"
        + "  name: {en: Caching}\n"
        + "  description: {en: Keeping answers for later.}\n"
    },
)
