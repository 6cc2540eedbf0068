"""The page of symptoms: places, their questions, and the commands to run first, that changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from perfnotes.model.symptom import FirstCommand, Place
from perfnotes.review.entry import Line, ReportEntry, ReportPart, line
from perfnotes.review.pair import Pair

PLACE = 65
_PATH = "notes/symptoms.yml"


def compare(pair: Pair) -> ReportPart:
    old, new = pair.old.library.symptom_index, pair.new.library.symptom_index
    places = _changes("place", *({p.id: _place_words(p) for p in i.places} for i in (old, new)))
    first = _changes("command", *({c.command: _words(c) for c in i.first} for i in (old, new)))
    return ReportPart("symptoms", "Where to look, and what to run first", (*places, *first))


def _changes(
    what: str, old: Mapping[str, list[str]], new: Mapping[str, list[str]]
) -> Iterator[ReportEntry]:
    """Yields what was added, taken away or changed; the values are what a reader sees of each."""
    for name in [*new, *(n for n in old if n not in new)]:
        before, after = old.get(name, []), new.get(name, [])
        if before == after:
            continue
        kind = "changed" if name in old and name in new else "added" if name in new else "removed"
        details: list[Line] = [line("now: {}", text) for text in after if text not in before]
        details += [line("no more: {}", text) for text in before if text not in after]
        yield ReportEntry(f"{what} {kind}", line("{}", name), tuple(details), _PATH)


def _place_words(place: Place) -> list[str]:
    words = [f"{place.title.en} / {place.title.zh}"]
    for question in place.questions:
        words += [f"{text.en} / {text.zh}" for text in (question.ask, question.by)]
        words += [f"{each.id}: {each.says.en} / {each.says.zh}" for each in question.answers]
    return words


def _words(command: FirstCommand) -> list[str]:
    words = [f"{command.look.en} / {command.look.zh}", command.source]
    return words + [f"{each.leads}: {each.says.en} / {each.says.zh}" for each in command.readings]
