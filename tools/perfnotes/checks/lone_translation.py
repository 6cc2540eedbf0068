"""PN701: a translation without its English text. For notes the readers find it."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN701",
    severity=Severity.ERROR,
    title="A translation without its original",
    why=(
        "`rows.zh.md` is the Chinese version of `rows.md` in the same folder. There is no such "
        "English file: the translation was misnamed, or the English file was moved without it."
    ),
    wrong={"caches/row.zh.md": "---\ntitle: 先行后列\n---\n\n数组在内存中按行存放。\n"},
    right={"caches/rows.zh.md": "---\ntitle: 先行后列\n---\n\n数组在内存中按行存放。\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """Chinese pages of ``docs/`` without their English page."""
    pages = site.library.pages
    for (id, lang), page in pages.items():
        if lang != "en" and (id, "en") not in pages:
            message = f"a translation of the page {id or 'index'!r}, which does not exist"
            hint = "the English page has the same path without '.zh'"
            yield page.body.source.finding(0, RULE.code, message, hint)
