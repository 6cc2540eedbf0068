"""The pages of a site: all of a kind, the one at an address, those that an edit may change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType

from msgspec import Struct

from perfnotes.graph.site import Site
from perfnotes.site.page import Page
from perfnotes.site.page_plan import BEYOND_TEXTS, FRONT_MATTER_IN, Name, PagePlan
from perfnotes.site.pages import page_kinds, with_function
from perfnotes.storage.digests import digest

GONE = "gone"
"""Stands for the names of a page that a later state of the site does not have."""


class StalePage(Struct, frozen=True):
    """A page that may be different, and a digest of its names beyond texts.

    ``shows`` is empty if the page had the same names in the site ``before`` of ``stale_pages``, or
    if its kind has no plans.
    """

    page: Page
    shows: str = ""


def pages_of(kind: ModuleType, site: Site, lang: str) -> Iterator[Page]:
    """Yield the pages of a kind in one language."""
    plans = _plans(kind, site, lang)
    if plans is None:
        yield from kind.pages(site, lang)
    else:
        for plan in plans:
            yield plan.make()


def page_at(kind: ModuleType, site: Site, lang: str, url: str) -> Page | None:
    """Return the page of a kind at an address, or None if there is none."""
    plans = _plans(kind, site, lang)
    if plans is None:
        return next((page for page in kind.pages(site, lang) if page.url == url), None)
    return next((plan.make() for plan in plans if plan.url == url), None)


def pages_of_site(site: Site) -> Iterator[Page]:
    """Yield all pages, in the order of the build."""
    for kind in page_kinds():
        for lang in site.library.languages:
            yield from pages_of(kind, site, lang)


def stale_pages(
    site: Site, before: Site, changed: frozenset[Name], later: Mapping[str, str] | None = None
) -> Iterator[StalePage]:
    """Yield the pages that may be different from those that an earlier build left.

    That build left pages of the site ``before``, and pages of states between ``before`` and
    ``site``. Of the latter, ``later`` has by address what ``StalePage.shows`` was, and ``GONE`` for
    each page that only the site ``before`` had. ``changed`` are the names of everything that is
    different since that build.
    """
    kinds_changed = {name[0] for name in changed}
    changed_in = {lang: _changed_in(changed, lang) for lang in site.library.languages}
    for kind in page_kinds():
        # Plans without SHOWS are all compared.
        shown = getattr(kind, "SHOWS", kinds_changed if hasattr(kind, "plans") else BEYOND_TEXTS)
        if kinds_changed.isdisjoint(shown):
            continue
        for lang, differs in changed_in.items():
            plans = _plans(kind, site, lang)
            if plans is not None:
                earlier = _plans(kind, before, lang) if BEYOND_TEXTS in differs else None
                yield from _stale(plans, earlier, differs, later or {})
            else:
                yield from map(StalePage, kind.pages(site, lang))


def _changed_in(changed: frozenset[Name], lang: str) -> frozenset[Name]:
    """Return the names of what differs for pages in ``lang``.

    The front matter of a note counts only if a part differs that pages in ``lang`` show.
    """
    known = [name for name in changed if name[0] == FRONT_MATTER_IN]
    here = {("note", id) for _, of, id in known if of == lang}
    return changed - {("note", id) for _, _, id in known} - {*known} | here


def same_files(
    by_kind: Mapping[str, list[str]], changed: frozenset[Name]
) -> Mapping[str, list[str]]:
    """Return the paths of the files that need not be made again, by the page kind that makes them.

    ``by_kind`` are the paths of all files that are not pages.
    """
    kinds_changed = {name[0] for name in changed}
    same = {
        kind.__name__
        for kind in with_function("files")
        if kinds_changed.isdisjoint(getattr(kind, "FILES_SHOW", BEYOND_TEXTS))
    }
    return {kind: paths for kind, paths in by_kind.items() if kind in same}


def _stale(
    plans: Iterator[PagePlan],
    earlier: Iterator[PagePlan] | None,
    changed: frozenset[Name],
    later: Mapping[str, str],
) -> Iterator[StalePage]:
    """Yield the pages of plans that may be different.

    ``earlier`` are the plans of the pages before, or None if only texts differ.
    """
    if earlier is None:
        for plan in plans:
            shows = later.get(plan.url, "")
            if shows == GONE:
                yield StalePage(plan.make(), _digest(plan.shows()))
            elif not changed.isdisjoint(plan.of_texts):
                yield StalePage(plan.make(), shows)
        return
    before = {plan.url: plan for plan in earlier}
    for plan in plans:
        shown = plan.shows()
        same = before.get(plan.url)
        shows = "" if same and same.shows() == shown else _digest(shown)
        is_same = shows == later.get(plan.url, "")
        if not (is_same and changed.isdisjoint(plan.of_texts) and changed.isdisjoint(shown)):
            yield StalePage(plan.make(), shows)


def _digest(shown: frozenset[Name]) -> str:
    return digest(*sorted(map(repr, shown)))


def _plans(kind: ModuleType, site: Site, lang: str) -> Iterator[PagePlan] | None:
    """Return the plans of the pages of a kind, or None if the kind makes its pages at once."""
    return kind.plans(site, lang) if hasattr(kind, "plans") else None
