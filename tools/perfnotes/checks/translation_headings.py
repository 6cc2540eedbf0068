"""PN703: a translation whose headings differ from those of its original."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.body import Body
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN703",
    severity=Severity.WARNING,
    title="A translation with other headings than its original",
    why=(
        "If both languages have the same number of headings at the same levels, each pair of "
        "headings shares one id, and a link to a section works in both languages. Otherwise a link "
        "into the Chinese page may end at the top of the page."
    ),
    wrong={
        "caches/rows.md": "## In C\n\nRow by row.\n\n## In Fortran\n\nColumn by column.\n",
        "caches/rows.zh.md": "## C 语言\n\n按行存放。Fortran 则按列存放。\n",
    },
    right={
        "caches/rows.md": "## In C\n\nRow by row.\n\n## In Fortran\n\nColumn by column.\n",
        "caches/rows.zh.md": "## C 语言\n\n按行存放。\n\n## Fortran 语言\n\n按列存放。\n",
    },
)


def find(site: Site) -> Iterator[Finding]:
    """One finding per translation, at the first heading without a counterpart of its level."""
    for twin in site.library.translations.values():
        yield from _differing(twin.body, twin.note.body)
    for (id, lang), page in site.library.pages.items():
        english = site.library.pages.get((id, "en"))
        if lang != "en" and english:
            yield from _differing(page.body, english.body)


def _differing(body: Body, original: Body) -> Iterator[Finding]:
    own = [section.level for section in body.sections]
    levels = [section.level for section in original.sections]
    if own == levels:
        return
    at = next((i for i, pair in enumerate(zip(own, levels, strict=False)) if pair[0] != pair[1]),
              min(len(own), len(levels)))  # fmt: skip
    source = body.source
    offset = body.sections[at].start if at < len(own) else max(len(source.text) - 1, 0)
    if at == len(levels):
        message, hint = "the English text has no heading that this one translates", ""
    else:
        english = original.sections[at]
        marks = "#" * english.level
        message = f"the heading '{marks} {english.title}' has no counterpart here"
        hint = "give both texts the same headings, in number and level"
    yield source.finding(offset, RULE.code, message, hint)
