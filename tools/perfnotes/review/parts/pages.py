"""Pages: which were added, changed, renamed or removed, and what changed in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perfnotes.model.symptom import Symptom
from perfnotes.review.entry import Line, ReportEntry, ReportPart, line, listed
from perfnotes.review.pair import PagePair, PageText, Pair, words_of
from perfnotes.site.pages.redirects import old_ids
from perfnotes.text.body import Body

PLACE = 10
_ORDER = ("removed", "renamed", "unreadable", "added", "changed")
# What is said of a field of the front matter that changed, and of a list that got or lost entries.
_FIELDS = {
    "title": line("title: {} → {}"),
    "description": line("description: {} → {}"),
    "level": line("level: {} → {}"),
    "date": line("date: {} → {}"),
    "updated": line("updated: {} → {}"),
}
_LISTS = {
    "tags": ("tags added: {}", "tags taken away: {}"),
    "requires": ("to be read first, added: {}", "to be read first, taken away: {}"),
    "aliases": ("aliases added: {}", "aliases taken away: {}"),
    "authors": ("authors added: {}", "authors taken away: {}"),
    "asked": ("what people ask, added: {}", "what people ask, taken away: {}"),
    "chosen": ("listed as chosen, added: {}", "listed as chosen, taken away: {}"),
}

_SYMPTOM = {
    "see": "symptom {}: {} → {}",
    "confirm": "symptom {}, how to confirm it: {} → {}",
    "section": "symptom {}, the section: {} → {}",
    "opens": "symptom {}, where a search opens: {} → {}",
    "where": "symptom {}, the place: {} → {}",
}


def compare(pair: Pair) -> ReportPart:
    found = [e for page in pair.pages for e in _entries(pair, page)]
    found.sort(key=lambda e: _ORDER.index(e.kind))
    return ReportPart("pages", "Pages", tuple(found))


def _entries(pair: Pair, page: PagePair) -> Iterator[ReportEntry]:
    old, new = page.old, page.new
    if old and new:
        details = (
            *_meta(old, new),
            *_sections(old.text.body, new.text.body),
            *_lost_addresses(pair, page),
        )
        if old.text.id != new.text.id:
            yield _renamed(pair, old, page, details)
        elif details:
            yield ReportEntry("changed", line("{}", page.name), details, page.path)
    elif new:
        yield _added(pair, new, page)
    elif old:
        yield _missing(pair, old, page)


def _added(pair: Pair, new: PageText, page: PagePair) -> ReportEntry:
    title = new.meta.title if new.meta else ""
    words = words_of(new.text.body.text).total()
    about = (line("title: {}", title),) if title else ()
    if pair.before.has(new.path):
        note = pair.old.library.drafts.get(new.text.id)
        why = "it was a draft before" if note else "before, it could not be read"
        about = (*about, line(why))
    return ReportEntry("added", line("{}, words: {}", page.name, words), about, page.path)


def _renamed(pair: Pair, old: PageText, page: PagePair, details: tuple[Line, ...]) -> ReportEntry:
    details = (_address(pair, old.text.id), *details)
    return ReportEntry("renamed", line("{} is now {}", old.text.id, page.name), details, page.path)


def _missing(pair: Pair, old: PageText, page: PagePair) -> ReportEntry:
    """Return the entry of a page that is gone, is a draft now or cannot be read any more."""
    if pair.after.has(old.path):
        if old.text.id in pair.new.library.drafts:
            why = line("it is a draft now, which the site leaves out")
        else:
            why = line("the file is there, but cannot be read; the findings say why")
        return ReportEntry("unreadable", line("{}", page.name), (why,), page.path)
    details: list[Line] = []
    if old.text.kind == "note" and old.text.lang == "en":
        details.append(_address(pair, old.text.id))
        linked = {e.source for e in pair.old.graph.inbound.get(old.text.id, [])}
        if linked:
            details.append(line("these notes linked to it: {}", listed(linked)))
    return ReportEntry("removed", line("{}", page.name), tuple(details), page.path)


def _address(pair: Pair, id: str) -> Line:
    """Say where the old address of a note leads now."""
    for note in pair.new.library.notes.values():
        if id in old_ids(note):
            return line("its old address leads on to {}", note.id)
    return line("its old address leads nowhere: no note has {} as an alias", id)


def _lost_addresses(pair: Pair, page: PagePair) -> Iterator[Line]:
    """Yield the aliases of the old note that no note has now, so that they lead nowhere."""
    if not page.new or page.new.text.kind != "note" or page.new.text.lang != "en":
        return
    old_note = next(
        (n for id, n in pair.old.library.notes.items() if pair.id_now(id) == page.new.text.id), None
    )
    if old_note is None:
        return
    kept = {a for n in pair.new.library.notes.values() for a in (n.id, *old_ids(n))}
    for alias in old_ids(old_note):
        if alias not in kept:
            yield line("the old address {} leads nowhere any more", alias)


def _meta(old: PageText, new: PageText) -> Iterator[Line]:
    """Yield what changed in the front matter."""
    if old.meta is None or new.meta is None:
        return
    for name, words in _FIELDS.items():
        was, now = str(getattr(old.meta, name)), str(getattr(new.meta, name))
        if was != now:
            yield Line(words.words, (was, now))
    for name, (added, taken) in _LISTS.items():
        before, after = getattr(old.meta, name), getattr(new.meta, name)
        if more := [w for w in after if w not in before]:
            yield Line(added, (listed(more),))
        if less := [w for w in before if w not in after]:
            yield Line(taken, (listed(less),))
    waived, waives = dict(old.meta.waived), dict(new.meta.waived)
    for text, why in waives.items():
        if waived.get(text) != why:
            yield line("waived: {}, because {}", text, why)
    for text in waived:
        if text not in waives:
            yield line("not waived any more: {}", text)
    yield from _symptoms(old.meta.symptoms, new.meta.symptoms)


def _symptoms(old: Iterable[Symptom], new: Iterable[Symptom]) -> Iterator[Line]:
    before, after = {s.id: s for s in old}, {s.id: s for s in new}
    for id, symptom in after.items():
        was = before.get(id)
        if was is None:
            yield line("symptom added, {}: {} To confirm: {}", id, symptom.see, symptom.confirm)
            continue
        for key, words in _SYMPTOM.items():
            if getattr(was, key) != getattr(symptom, key):
                yield Line(words, (id, getattr(was, key), getattr(symptom, key)))
    for id, symptom in before.items():
        if id not in after:
            yield line("symptom taken away, {}: {}", id, symptom.see)


def _sections(old: Body, new: Body) -> Iterator[Line]:
    """Yield each section whose own text changed, and how many words were added and removed."""
    before, after = _own_texts(old), _own_texts(new)
    titles = {s.id: s.title for s in (*old.sections, *new.sections)}
    for id in [*after, *(i for i in before if i not in after)]:
        name = titles.get(id, "the beginning")
        if id not in before:
            yield line("section added: {}, words: {}", name, words_of(after[id]).total())
        elif id not in after:
            if id:
                words = "section removed: {}; its address {} leads to the top of the page now"
                yield Line(words, (name, f"#{id}"))
            else:
                yield line("the text before the first heading is gone")
        elif before[id] != after[id]:
            yield _changed(name, before[id], after[id])


def _changed(name: str, before: str, after: str) -> Line:
    was, now = words_of(before), words_of(after)
    more, less = (now - was).total(), (was - now).total()
    if more or less:
        return line("section {}, words: {} added, {} removed", name, more, less)
    if before.split() == after.split():
        return line("section {}: only white space", name)
    return line("section {}: the same words in another order or form", name)


def _own_texts(body: Body) -> dict[str, str]:
    """Return the text of each section down to the next heading, by section id.

    The text before the first heading, if there is any, has the id "".
    """
    text = body.document.text
    starts = [body.document.start, *(s.start for s in body.sections)]
    ids = ["", *(s.id for s in body.sections)]
    ends = [*starts[1:], len(text)]
    own = {id: text[a:b].strip() for id, a, b in zip(ids, starts, ends, strict=True)}
    return {id: text for id, text in own.items() if text or id}
