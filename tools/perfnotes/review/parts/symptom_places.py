"""The page of symptoms: places, their questions, and the commands to run first, that changed."""

from __future__ import annotations

from perfnotes.model.symptom import FirstCommand, Place, SymptomIndex
from perfnotes.review.entry import ReportPart
from perfnotes.review.pair import Pair
from perfnotes.review.parts._changes import changes

PLACE = 65
_PATH = "notes/symptoms.yml"


def compare(pair: Pair) -> ReportPart:
    old, new = pair.old.library.symptom_index, pair.new.library.symptom_index
    places = changes("place", _places(old), _places(new), _PATH)
    first = changes("command", _first(old), _first(new), _PATH)
    return ReportPart("symptoms", "Where to look, and what to run first", (*places, *first))


def _places(index: SymptomIndex) -> dict[str, list[str]]:
    return {place.id: _place_words(place) for place in index.places}


def _first(index: SymptomIndex) -> dict[str, list[str]]:
    return {command.command: _command_words(command) for command in index.first}


def _place_words(place: Place) -> list[str]:
    words = [f"{place.title.en} / {place.title.zh}"]
    for question in place.questions:
        words += [f"{text.en} / {text.zh}" for text in (question.ask, question.by)]
        words += [f"{each.id}: {each.says.en} / {each.says.zh}" for each in question.answers]
    return words


def _command_words(command: FirstCommand) -> list[str]:
    words = [f"{command.look.en} / {command.look.zh}", command.source]
    return words + [f"{each.leads}: {each.says.en} / {each.says.zh}" for each in command.readings]
