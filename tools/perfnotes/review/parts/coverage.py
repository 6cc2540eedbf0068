"""The shares of quantities with evidence, before and after: of all pages together and of each."""

from __future__ import annotations

from perfnotes.graph.coverage import WAIVED, Share, share
from perfnotes.graph.site import Site
from perfnotes.review.entry import ReportEntry, ReportPart, line
from perfnotes.review.pair import PageText, Pair

PLACE = 35


def compare(pair: Pair) -> ReportPart:
    before, after = _total(pair.old), _total(pair.new)
    found = []
    for page in pair.pages:
        was, now = _share_of(pair.old, page.old), _share_of(pair.new, page.new)
        if was == now or was[0].total + now[0].total == 0:
            continue
        if was[0] == now[0]:
            words = line("{}: {} waived, {} before", page.name, now[1], was[1])
        else:
            words = line("{}: {} → {}", page.name, _words(was[0]), _words(now[0]))
        found.append(ReportEntry(_kind(was[0], now[0]), words, (), page.path))
    if before == after and not found:
        return ReportPart("coverage", "Evidence")
    summary = line("{} → {}", _words(before), _words(after))
    return ReportPart("coverage", "Evidence", tuple(found), summary)


def _kind(was: Share, now: Share) -> str:
    """Compare the numbers of quantities without evidence, not the shares.

    New numbers with evidence raise the share although the others still have no evidence.
    """
    before, after = was.total - was.evident, now.total - now.evident
    return "less evidence" if after > before else "more evidence" if after < before else "changed"


def _words(found: Share) -> str:
    return f"{found.percent:.1f} % ({found.evident} of {found.total})" if found.total else "none"


def _share_of(site: Site, page: PageText | None) -> tuple[Share, int]:
    """Return a page's share, and how many of its quantities are waived."""
    coverage = site.coverages.get(page.path) if page else None
    judged = coverage.judged if coverage else []
    return share(judged), sum(1 for j in judged if j.state == WAIVED)


def _total(site: Site) -> Share:
    return sum((share(c.judged) for c in site.coverages.values()), Share(0, 0))
