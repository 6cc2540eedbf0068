"""The foot of a page: its links to edit and report, the note's authors and its reviews."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from perfnotes.graph.site import Site
from perfnotes.model.contributor import MOST_NAMES
from perfnotes.model.review import MAINTAINERS, ReviewState
from perfnotes.site.page import Page
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

add_words(
    {
        "wrong_fact_title": ("Mistake: {title}", "内容有误：{title}"),
        "dead_link_title": ("Dead link: {title}", "链接失效：{title}"),
        "maintainers": ("the maintainers", "维护者"),
        "review_sources": (
            "{n} statements read against their sources, {date}",
            "{n} 条陈述已对照来源读过，{date}",
        ),
        "review_sources_one": (
            "One statement read against its sources, {date}",
            "1 条陈述已对照来源读过，{date}",
        ),
        "review_expert": (
            "{n} statements judged by somebody who works in the field, {date}",
            "{n} 条陈述由业内人士评判过，{date}",
        ),
        "review_expert_one": (
            "One statement judged by somebody who works in the field, {date}",
            "1 条陈述由业内人士评判过，{date}",
        ),
        "review_by": ("by {names}", "审读者：{names}"),
        "review_mended": ("{n} of them mended", "其中 {n} 条已改正"),
        "review_unverified": ("{n} of them could not be verified", "其中 {n} 条无法核实"),
        "review_changed": ("{n} changed since", "其后有 {n} 条改动"),
    }
)


def address_in_report(site: Site, url: str) -> str:
    """Return the address that a reader's report gives for a page.

    It is the whole address if the site's own is set, otherwise the path from the site's root.
    """
    return site.settings.url + quote(url) if site.settings.url else f"/{url}"


def footer_links(site: Site, page: Page, *more: tuple[str, str]) -> str:
    """Return HTML with links to edit the page and to report mistakes in it.

    Empty if the page cannot be edited. ``more`` are further links, as pairs of a key of
    ``strings`` and an address. Links without an address are left out.
    """
    if not page.edit:
        return ""
    where, report = address_in_report(site, page.url), site.repository.report

    def titled(key: str) -> str:
        return string(key, page.lang, title=page.title)

    pairs = [
        ("edit", page.edit),
        ("report", report("wrong-fact", titled("wrong_fact_title"), page=where)),
        ("report_link", report("dead-link", titled("dead_link_title"), page=where)),
        *more,
    ]
    links = [
        f'<a href="{escape(address)}">{string(key, page.lang)}</a>'
        for key, address in pairs
        if address
    ]
    return f'<p class="pn-foot">{" · ".join(links)}</p>'


def review_lines(found: Sequence[ReviewState], lang: str) -> str:
    """Return HTML that says how much of the text was read, by whom and when; empty if none was."""
    return "".join(f'<p class="pn-review">{escape(_review_line(each, lang))}</p>' for each in found)


def _review_line(state: ReviewState, lang: str) -> str:
    one = "_one" if state.read == 1 else ""
    read = string(f"review_{state.kind}{one}", lang, n=state.read, date=state.date)
    names = [string("maintainers", lang) if by == MAINTAINERS else by for by in state.by]
    who = string("review_by", lang, names=joins(lang).item.join(names))
    more = [
        string(f"review_{key}", lang, n=n)
        for key, n in (("mended", state.mended), ("unverified", state.unverified))
        if n
    ]
    changed = string("review_changed", lang, n=len(state.changed)) if state.changed else ""
    first = f"{read}{joins(lang).comma}{who}"
    return joins(lang).semicolon.join(part for part in (first, *more, changed) if part)


def credit(names: Sequence[str], lang: str) -> str:
    """Return HTML that names the contributors of a note; empty if none are known."""
    if not names:
        return ""
    shown = joins(lang).item.join(names[:MOST_NAMES])
    rest = len(names) - MOST_NAMES
    if rest > 0:
        shown += string("contributors_more", lang, n=rest)
    label = f"{string('contributors', lang)}{joins(lang).colon}"
    return f'<p class="pn-credit">{label}{escape(shown)}</p>'
