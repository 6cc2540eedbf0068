"""PN204: an id that occurs twice in a table. The readers find it."""

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
    title="An id that occurs twice in a table",
    why=(
        "An id names one topic, tag or term and is part of the address of its page. Of two entries "
        "with the same id, one would be lost. Ids that differ only in upper and lower case count "
        "as the same."
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
