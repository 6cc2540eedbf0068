"""The vocabulary: which glossary terms, tags and topics changed, and which notes show them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from perfnotes.graph.graph import texts_of
from perfnotes.graph.site import Site
from perfnotes.graph.termuses import TermFinder
from perfnotes.model.bilingual import Bilingual
from perfnotes.model.term import Term
from perfnotes.review.entry import Line, ReportEntry, ReportPart, line, listed
from perfnotes.review.pair import Pair

PLACE = 60
_POSITIONS = ("offset", "note_offset")  # fields that say where an entry is in its file


def compare(pair: Pair) -> ReportPart:
    old, new = pair.old.library, pair.new.library
    found = [
        *_changes(pair, old.terms, new.terms, "term", _notes_with_term),
        *_changes(pair, old.tags, new.tags, "tag", _notes_with_tag),
        *_changes(pair, old.topics, new.topics, "topic", _notes_in_topic),
    ]
    return ReportPart("words", "Terms, tags and topics", tuple(found))


def _changes(
    pair: Pair,
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    what: str,
    notes: Callable[[Site, str], set[str]],
) -> list[ReportEntry]:
    path = {"term": "notes/glossary.yml", "tag": "notes/tags.yml", "topic": "notes/topics.yml"}
    found = []
    for id in [*new, *(i for i in old if i not in new)]:
        site = pair.new if id in new else pair.old
        details: list[Line] = []
        if id in old and id in new:
            kind = f"{what} changed"
            details = _differences(_with_note_now(old[id], pair), new[id])
            if not details:
                continue
        else:
            kind = f"{what} added" if id in new else f"{what} removed"
        shown = notes(site, id)
        details.append(line("shown in {}", listed(shown)) if shown else line("no note shows it"))
        found.append(ReportEntry(kind, line("{}", id), tuple(details), path[what]))
    return found


def _with_note_now(entry: Any, pair: Pair) -> Any:
    """Return a term with the id that its note has now; any other entry as it is."""
    if isinstance(entry, Term):
        return replace(entry, note=pair.id_now(entry.note))
    return entry


def _differences(old: Any, new: Any) -> list[Line]:
    """Return each field that differs, old and new."""
    found = []
    for name in old.__struct_fields__:
        was, now = getattr(old, name), getattr(new, name)
        if name not in _POSITIONS and was != now:
            found.append(line("{}: {} → {}", name, _text(was), _text(now)))
    return found


def _text(value: Any) -> str:
    if isinstance(value, Bilingual):
        return f"{value.en} / {value.zh}" if value.zh else value.en
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _notes_with_term(site: Site, id: str) -> set[str]:
    term = site.library.terms[id]
    finders = {lang: TermFinder([term], lang) for lang in ("en", "zh")}
    texts = (t for t in texts_of(site.library) if t.kind == "note")
    return {t.id for t in texts if any(finders[t.lang].first_uses(t.body))}


def _notes_with_tag(site: Site, id: str) -> set[str]:
    return {note.id for note in site.library.by_tag.get(id, [])}


def _notes_in_topic(site: Site, id: str) -> set[str]:
    return {note.id for note in site.library.by_topic.get(id, [])}
