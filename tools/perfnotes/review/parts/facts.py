"""Facts: which constants and formulas changed, their values, and the pages that show them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from perfnotes.graph.site import Site
from perfnotes.labs.report import number
from perfnotes.model.fact import Fact, FactError, Facts
from perfnotes.review.entry import Line, ReportEntry, ReportPart, line, listed
from perfnotes.review.pair import Pair

PLACE = 45


def compare(pair: Pair) -> ReportPart:
    old, new = pair.old.library.facts, pair.new.library.facts
    shown_before, shown_now = _shown(pair.old), _shown(pair.new)
    found = []
    for id in [*new.by_id, *(i for i in old.by_id if i not in new.by_id)]:
        was, now = old.by_id.get(id), new.by_id.get(id)
        if now and was is None:
            words = line("{}: {}", id, _value(new, now))
            found.append(ReportEntry("added", words, tuple(_pages(shown_now[id])), _path(now)))
        elif was and now is None:
            words = line("{}: {}", id, _value(old, was))
            found.append(ReportEntry("removed", words, tuple(_pages(shown_before[id])), _path(was)))
        elif was and now and (details := tuple(_differences(old, was, new, now))):
            more = tuple(_pages(shown_now[id]))
            found.append(ReportEntry("changed", line("{}", id), (*details, *more), _path(now)))
    return ReportPart("facts", "Facts", tuple(found))


def _differences(old: Facts, was: Fact, new: Facts, now: Fact) -> Iterator[Line]:
    before, after = _value(old, was), _value(new, now)
    if before != after:
        yield line("value: {} → {}", before, after)
    formulas = [f.formula.text if f.formula else "" for f in (was, now)]
    pairs = [
        (line("formula: {} → {}"), formulas[0], formulas[1]),
        (line("source: {} → {}"), was.source, now.source),
        (line("what: {} → {}"), was.what.en, now.what.en),
        (line("qualifier: {} → {}"), was.qualifier.en, now.qualifier.en),
    ]
    for words, a, b in pairs:
        if a != b:
            yield Line(words.words, (a, b))


def _value(facts: Facts, fact: Fact) -> str:
    try:
        return number(facts.value(fact.id).median, fact.unit)
    except FactError as error:
        return f"none: {error}"


def _pages(pages: set[str]) -> Iterator[Line]:
    yield line("shown in {}", listed(pages)) if pages else line("no page shows it")


def _path(fact: Fact) -> str:
    return f"notes/facts/{fact.file}.yml" if fact.file else ""


def _shown(site: Site) -> defaultdict[str, set[str]]:
    """Return, for each fact, the files that bind a number to it."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for links in site.graph.links.values():
        for binding in links.bindings:
            if binding.found.fact:
                found[binding.found.fact.id].add(links.text.path)
    for row in site.library.latency.rows:
        if row.address.startswith("fact:"):
            found[row.address.removeprefix("fact:")].add("notes/latency.yml")
    return found
