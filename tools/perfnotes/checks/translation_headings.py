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
    """A finding at the first heading that differs, in the translation and in its original.

    Both files get one, because somebody who adds a heading to one file may check only that file.
    """
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
    # Only levels are compared, so if a heading is missing among others of its level, the first
    # difference is further down. The messages say "or one above it" for that reason.
    hint = "give both texts the same headings, in number and level"
    counts = f"{len(own)} headings here, {len(levels)} in the English text"
    message = f"the English text has no heading for this one, or for one above it: {counts}"
    if at < len(levels):
        message = f"the heading {_shown(original, at)}, or one above it, is missing here: {counts}"
    yield body.source.finding(_place(body, at), RULE.code, message, hint)
    counts = f"{len(levels)} headings here, {len(own)} there"
    message = f"the translation {body.source.path} has more headings: {counts}"
    if at < len(levels):
        message = f"this heading, or one above it, is missing in {body.source.path}: {counts}"
    yield original.source.finding(_place(original, at), RULE.code, message, hint)


def _place(body: Body, at: int) -> int:
    return body.sections[at].start if at < len(body.sections) else max(len(body.source.text) - 1, 0)


def _shown(body: Body, at: int) -> str:
    section = body.sections[at]
    return f"'{'#' * section.level} {section.title}'"
