"""What a reviewer looks at first: changes that could make a wrong number pass every check.

These are: a claim with another kind, expectation or control; changed samples; another reference
machine; a waiver; a fact with another value from the same source; a changed formula or worked case
of a calculator; a translation with a renewed hash but unchanged words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from perfnotes.model.calculator import Calculator
from perfnotes.review.entry import ReportEntry, ReportPart, line
from perfnotes.review.pair import Pair
from perfnotes.review.parts import _promises, _samples

PLACE = 0


def compare(pair: Pair) -> ReportPart:
    found = [
        *_promises.entries(pair),
        *_samples.entries(pair),
        *_waivers(pair),
        *_facts(pair),
        *_calculators(pair),
        *_translations(pair),
    ]
    return ReportPart("first", "Look at these first", tuple(found))


def _waivers(pair: Pair) -> Iterator[ReportEntry]:
    """Yield numbers that the front matter newly waives or lists as chosen by the author."""
    for page in pair.pages:
        if page.new is None or page.new.meta is None:
            continue
        now, was = page.new.meta, page.old.meta if page.old else None
        before = dict(was.waived) if was else {}
        for text, reason in now.waived:
            if before.get(text) != reason:
                words = line("{}: {}, for this reason: {}", page.name, text, reason)
                yield ReportEntry("waiver added", words, (), page.path)
        chosen = was.chosen if was else ()
        for text in now.chosen:
            if text not in chosen and was is not None:
                words = line("{}: {} counts as chosen by the author", page.name, text)
                yield ReportEntry("size chosen", words, (), page.path)


def _facts(pair: Pair) -> Iterator[ReportEntry]:
    """Yield facts with another value, unit or formula, and facts that lost their source.

    A fact whose value and source both changed is left out.
    """
    old, new = pair.old.library.facts.by_id, pair.new.library.facts.by_id
    for id, now in new.items():
        was, path = old.get(id), f"notes/facts/{now.file}.yml"
        if was is None:
            continue
        if was.source and not now.source and now.formula is None:
            words = line("{}: its source was {}", id, was.source)
            yield ReportEntry("source of a fact removed", words, (), path)
        before, after = f"{was.value} {was.unit}", f"{now.value} {now.unit}"
        if now.value is not None and before != after and was.source == now.source:
            words = line("{}: {} → {}, from the same source: {}", id, before, after, now.source)
            yield ReportEntry("fact changed", words, (), path)
        formulas = [each.formula.text if each.formula else "" for each in (was, now)]
        if formulas[0] != formulas[1]:
            words = line("{}: {} → {}", id, *formulas)
            yield ReportEntry("formula of a fact changed", words, (), path)


def _calculators(pair: Pair) -> Iterator[ReportEntry]:
    """Yield calculators that are gone or whose formulas, inputs or worked cases changed."""
    old, new = _by_name(pair.old.library.calculators), _by_name(pair.new.library.calculators)
    old = {f"{pair.id_now(c.note)}#{c.id}": c for c in old.values()}
    for id, was in old.items():
        now = new.get(id)
        path = now.source.path if now else ""
        if now is None:
            yield ReportEntry("calculator removed", line("{}", id), (), path)
            continue
        for kind, before, after in (
            ("formula of a calculator changed", was.formulas, now.formulas),
            ("worked case changed", _cases(was), _cases(now)),
            ("input of a calculator changed", _inputs(was), _inputs(now)),
        ):
            gone = [each for each in before if each not in after]
            come = [each for each in after if each not in before]
            if gone or (come and kind != "worked case changed"):
                details = tuple(line("before: {}", each) for each in gone)
                details += tuple(line("now: {}", each) for each in come)
                yield ReportEntry(kind, line("{}", id), details, path)


def _by_name(
    calculators: Mapping[str, Mapping[str, Calculator]],
) -> dict[str, Calculator]:
    return {f"{c.note}#{c.id}": c for group in calculators.values() for c in group.values()}


def _cases(calculator: Calculator) -> tuple[str, ...]:
    return tuple(
        f"{case.what.en}: "
        + ", ".join(f"{k} = {v}" for k, v in (*case.values.items(), *case.gives.items()))
        for case in calculator.cases
    )


def _inputs(calculator: Calculator) -> tuple[str, ...]:
    return tuple(f"{each.id} = {each.value} {each.unit}" for each in calculator.inputs)


def _translations(pair: Pair) -> Iterator[ReportEntry]:
    """Yield translations with another hash of the English text but the same words as before."""
    for page, old, new in pair.both:
        if old.meta is None or new.meta is None or not new.meta.translates:
            continue
        was, now = old.meta.translates, new.meta.translates
        same = old.text.body.text == new.text.body.text
        if was != now and same and old.meta.symptoms == new.meta.symptoms:
            words = line("{}: the English text changed, the translation did not", page.name)
            yield ReportEntry("translation renewed without a change", words, (), page.path)
