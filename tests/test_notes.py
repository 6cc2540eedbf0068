"""The knowledge itself: the notes of this repository keep the rules that they set."""

from __future__ import annotations

import re
from functools import cache

import pytest

from perfnotes.build.configuration import configuration
from perfnotes.build.session import Session
from perfnotes.checks import examine
from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.site.stage import stage
from perfnotes.source.project import project_root
from perfnotes.text.findings import Severity
from perfnotes.text.prose import has_cjk

_FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2", re.MULTILINE | re.DOTALL)
TOPICS = ("caches", "allocators", "cpu", "gpu", "pytorch", "bash")


@cache
def site() -> Site:
    return Session(quiet=True).read(configuration())


def notes() -> list[Note]:
    return list(site().library.notes.values())


@pytest.mark.slow
def test_check_finds_nothing_to_mend() -> None:
    found = examine(site(), stage(site()).findings)
    assert [f for f in found if f.severity is not Severity.NOTE] == []


def test_every_note_has_symptoms_and_every_place_some() -> None:
    library = site().library
    few = {note.id for note in notes() if not 3 <= len(note.meta.symptoms) <= 6}
    assert few == set()
    twins = [*library.translations.values(), *library.draft_translations.values()]
    assert sum(len(twin.meta.symptoms) for twin in twins) >= 150
    assert {note.id for note in notes()} == {twin.id for twin in twins}
    used = {symptom.where for note in notes() for symptom in note.meta.symptoms}
    assert set(library.symptom_index.addresses) - used <= {
        place.id for place in library.symptom_index.places if place.questions
    }


def test_every_topic_has_notes_and_half_of_them_have_twins() -> None:
    library = site().library
    assert set(TOPICS) <= set(library.topics)
    assert all(len(library.by_topic[topic]) >= 2 for topic in TOPICS)
    assert {t.note.topic for t in library.translations.values()} >= set(TOPICS)
    assert len(library.translations) >= 6


def test_references_and_terms_are_many() -> None:
    assert sum(1 for edges in site().graph.cited_by.values() if edges) >= 30
    terms = site().library.terms.values()
    assert len(terms) >= 60
    assert all(has_cjk(t.definition.zh) for t in terms)


def _sources(note: Note) -> set[str]:
    """What a note stands on: references, those of the facts that it binds, and labs."""
    graph = site().graph
    found = set(graph.cites[note.id])
    for binding in graph.links[f"notes/{note.file}"].bindings:
        if binding.found.fact:
            found.update(binding.found.fact.keys)
        if binding.found.lab:
            found.add(f"lab:{binding.found.lab.id}")
    return found


@pytest.mark.parametrize("note", notes(), ids=lambda n: n.id)
def test_a_note_answers_first_and_is_neither_thin_nor_padded(note: Note) -> None:
    lead = note.body.text[: note.body.sections[0].start].strip()
    assert 20 <= len(lead.split("\n\n")[0].split()) <= 110
    outside_code = _FENCE.sub("", note.body.text)
    assert 600 <= len(outside_code.split()) <= 2200
    assert len(_sources(note)) >= 5
    assert len(note.meta.description) <= 160
    languages = {f.language for f in note.body.document.blocks.fences}
    assert languages & {"console", "bash", "python", "c"}


@pytest.mark.parametrize("id", sorted(site().library.translations))
def test_a_twin_has_the_same_code_citations_and_headings(id: str) -> None:
    twin = site().library.translations[id]
    original = twin.note

    def code(text: str) -> list[str]:
        return re.findall(r"^ *```\w+\n.*?^ *```", text, flags=re.MULTILINE | re.DOTALL)

    def keys(path: str) -> set[str]:
        return set(site().graph.links[path].cited)

    assert [_without_comments(c) for c in code(twin.body.text)] == [
        _without_comments(c) for c in code(original.body.text)
    ]
    assert keys(f"notes/{twin.file}") == keys(f"notes/{original.file}")
    assert [s.id for s in twin.body.sections] == [s.id for s in original.body.sections]
    assert has_cjk(twin.meta.title + twin.meta.description)


def _without_comments(code: str) -> str:
    return re.sub(r"(?m)(?:#|//|;).*$", "", code)


def test_nothing_names_a_registry_or_a_machine() -> None:
    forbidden = re.compile(
        r"pypi\.org|pythonhosted|registry\.npmjs|deb\.debian\.org|/(?:work|root)/"
    )
    for file in (project_root() / "notes").rglob("*"):
        if file.suffix in (".md", ".yml", ".bib", ".svg"):
            assert not forbidden.search(file.read_text("utf-8")), file
