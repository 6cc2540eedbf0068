"""Sentences that somebody had read and that changed, and new readings."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.reviews import digests_now
from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.model.review import KINDS, Reading, ReadSentence
from perfnotes.model.translation import Translation
from perfnotes.review.entry import Line, ReportEntry, ReportPart, line
from perfnotes.review.pair import PagePair, PageText, Pair

PLACE = 75
_MOST = 8


def compare(pair: Pair) -> ReportPart:
    found = []
    for page in pair.pages:
        found += [*_touched(pair, page), *_readings(pair, page)]
    return ReportPart("reviews", "Reviews", tuple(found))


def _touched(pair: Pair, page: PagePair) -> Iterator[ReportEntry]:
    """Yield an entry if sentences that had been read are not in the new text."""
    readings = _readings_of(pair.old, page.old)
    if not readings:
        return
    was, now = _digests(pair.old, page.old), _digests(pair.new, page.new)
    read = {s.digest: s for reading in readings for s in reading.sentences}
    gone = [s for digest, s in read.items() if digest in was and digest not in now]
    if gone:
        words = line("{}: {} of {} sentences that were read changed or went", page.name, len(gone),
                     len(read))  # fmt: skip
        yield ReportEntry("changed", words, tuple(_named(gone)), page.path)


def _named(gone: list[ReadSentence]) -> Iterator[Line]:
    for sentence in gone[:_MOST]:
        yield line("{}", sentence.words or sentence.digest)
    if len(gone) > _MOST:
        yield line("and {} more", len(gone) - _MOST)


def _readings(pair: Pair, page: PagePair) -> Iterator[ReportEntry]:
    """Yield the readings that the new side adds or changes, and those that it drops."""
    before = {(r.by, r.kind): r for r in _readings_of(pair.old, page.old)}
    after = {(r.by, r.kind): r for r in _readings_of(pair.new, page.new)}
    for key, reading in after.items():
        if before.get(key) != reading:
            kind = "read again" if key in before else "read"
            words = line("{}: {} sentences, {}, by {}", page.name, len(reading.sentences),
                         _KIND[reading.kind], reading.by)  # fmt: skip
            yield ReportEntry(kind, words, (), page.path)
    for key, reading in before.items():
        if key not in after:
            words = line("{}: the reading by {} is gone", page.name, reading.by)
            yield ReportEntry("removed", words, (), page.path)


_KIND = dict(zip(KINDS, ("against their sources", "as an expert"), strict=True))


def _text(site: Site, page: PageText | None) -> Note | Translation | None:
    if page is None or page.text.kind != "note":
        return None
    library = site.library
    note = library.notes.get(page.text.id)
    for text in (note, library.translations.get(page.text.id)):
        if text and f"notes/{text.file}" == page.path:
            return text
    return None


def _readings_of(site: Site, page: PageText | None) -> tuple[Reading, ...]:
    text = _text(site, page)
    review = site.library.reviews.get(text.file) if text else None
    return review.readings if review else ()


def _digests(site: Site, page: PageText | None) -> frozenset[str]:
    text = _text(site, page)
    return digests_now(site, text) if text else frozenset()
