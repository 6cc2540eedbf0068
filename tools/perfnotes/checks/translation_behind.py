"""PN702: a translation behind its English text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.model.library import SitePage
from perfnotes.model.note import Meta
from perfnotes.model.translation import text_hash
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.source import Source

_ENGLISH = """\
---
title: Rows before columns
description: Why the inner loop runs along a row.
---

A C array lies in memory row by row. A Fortran array lies there column by column.
"""
_CHINESE = """\
---
title: 先行后列
description: 内层循环为什么沿行走。
translates: {hash}
---

C 数组在内存中按行存放。{more}
"""

RULE = Rule(
    code="PN702",
    severity=Severity.WARNING,
    title="A translation behind its English text",
    why=(
        "A translation records the hash of the English text that it was made from, and the English "
        "text has changed since. An author who corrects an English sentence need not know Chinese, "
        "so this is only a warning, and the Chinese page tells its readers. Once the translation "
        "matches again, run `perfnotes translated caches/rows` to record the new hash."
    ),
    wrong={
        "caches/rows.md": _ENGLISH,
        "caches/rows.zh.md": _CHINESE.format(hash="d29108c12fb540e7", more=""),
    },
    right={
        "caches/rows.md": _ENGLISH,
        "caches/rows.zh.md": _CHINESE.format(
            hash="97809e703d896516", more="Fortran 数组则按列存放。"
        ),
    },
)

_HASH = re.compile(r"[0-9a-f]{16}$")


def find(site: Site) -> Iterator[Finding]:
    """Translations of notes and of pages in ``docs/`` whose English text has another hash."""
    for twin in site.library.translations.values():
        if twin.is_behind:
            yield from _behind(twin.body.source, twin.meta, f"run 'perfnotes translated {twin.id}'")
    for (id, lang), page in site.library.pages.items():
        english = site.library.pages.get((id, "en"))
        if lang == "en" or english is None:
            continue
        if page.meta.translates != _hash(english):
            name = f"docs/{english.file.removesuffix('.md')}"
            yield from _behind(page.body.source, page.meta, f"run 'perfnotes translated {name}'")


def _hash(page: SitePage) -> str:
    """Return the hash of a page, which is stored with its text."""
    said = page.meta.title, page.meta.description
    return page.body.computed("hash", said, lambda: text_hash(*said, page.body.text))


def _behind(source: Source, meta: Meta, renew: str) -> Iterator[Finding]:
    if _HASH.match(meta.translates):  # the schema check reports a malformed hash
        message = "the English text has changed since this translation was written"
        hint = f"bring the translation up to date, then {renew}; after an English typo, just run it"
        yield source.finding(meta.place("translates"), RULE.code, message, hint)
