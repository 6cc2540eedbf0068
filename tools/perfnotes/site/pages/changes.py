"""A page for each translation that is behind: what changed in the English note since then."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from perfnotes.graph.site import Site
from perfnotes.graph.translation_source import original_of, translated_part
from perfnotes.model.translation import Translation
from perfnotes.site.navigation import listed_in_navigation
from perfnotes.site.page import Page, PageAddress
from perfnotes.site.page_plan import PagePlan
from perfnotes.site.render.markup import escape_staged, fenced
from perfnotes.site.strings import add_words, string
from perfnotes.text.alignment import unified
from perfnotes.text.highlighting import HighlightBudget
from perfnotes.text.joining import joins
from perfnotes.text.source import Source

WORDS = {
    "changes_none": (
        "The English text that this translation follows is not in the history at hand, so the "
        "difference cannot be shown.",
        "现有历史中找不到此译文所依据的英文原文，无法列出差异。",
    ),
    "changes_title": ("What changed since this translation", "译文之后英文原文的改动"),
}
add_words(WORDS)


def plans(site: Site, lang: str) -> Iterator[PagePlan]:
    for twin in site.library.translations.values() if lang == "zh" else ():
        if twin.is_behind:
            group = site.library.by_topic[twin.note.topic]
            yield PagePlan(
                _url(twin),
                frozenset({("text", twin.note.id)}),
                partial(listed_in_navigation, group),
                partial(_page, site, twin),
            )


def _url(twin: Translation) -> str:
    return f"{twin.url}changes/"


def _page(site: Site, twin: Translation) -> Page:
    title = f"{string('changes_title', 'zh')}{joins('zh').colon}{twin.meta.title}"
    before = original_of(site, twin)
    if before is None:
        body = string("changes_none", "zh") + "\n"
    else:
        after = twin.note.body.source
        body = _fenced(translated_part(Source(after.path, before)), translated_part(after))
    return Page(
        url=_url(twin),
        lang="zh",
        title=title,
        description=string("behind", "zh"),
        body=body,
        markdown=f"# {escape_staged(title)}\n\n{body}",
        kind="changes",
        topic=twin.note.topic,
        source=site.library.shown(twin.file),
    )


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    for twin in site.library.translations.values():
        if lang == "zh" and twin.is_behind:
            yield PageAddress(_url(twin), site.library.shown(twin.file))


def _fenced(before: str, after: str) -> str:
    diff = "\n".join(unified(before.splitlines(), after.splitlines(), "before", "now"))
    return fenced(diff, HighlightBudget().language("diff", diff))
