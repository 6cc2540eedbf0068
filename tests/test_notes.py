"""The knowledge itself: the notes of this repository keep the rules that they set."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from perfnotes.graph.graph import Graph
from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.model.translation import Translation
from perfnotes.source.project import project_root
from perfnotes.text.chinese import has_cjk

_FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2", re.MULTILINE | re.DOTALL)
TOPICS = ("caches", "allocators", "cpu", "gpu", "pytorch", "bash")


@pytest.fixture
def notes(own_site: Site) -> list[Note]:
    return list(own_site.library.notes.values())


@pytest.mark.slow
def test_a_build_finds_nothing_to_mend(said_of_our_notes: str) -> None:
    assert said_of_our_notes == ""


def test_every_note_has_symptoms_and_every_place_some(own_site: Site, notes: list[Note]) -> None:
    library = own_site.library
    few = {note.id for note in notes if not 3 <= len(note.meta.symptoms) <= 8}
    assert few == set()
    twins = [*library.translations.values(), *library.draft_translations.values()]
    assert sum(len(twin.meta.symptoms) for twin in twins) >= 150
    assert {note.id for note in notes} == {twin.id for twin in twins}
    used = {symptom.where for note in notes for symptom in note.meta.symptoms}
    assert set(library.symptom_index.addresses) - used <= {
        place.id for place in library.symptom_index.places if place.questions
    }


def test_every_topic_has_notes_and_half_of_them_have_twins(own_site: Site) -> None:
    library = own_site.library
    assert set(TOPICS) <= set(library.topics)
    assert all(len(library.by_topic[topic]) >= 2 for topic in TOPICS)
    assert {t.note.topic for t in library.translations.values()} >= set(TOPICS)
    assert len(library.translations) >= 6


def test_references_and_terms_are_many(own_site: Site) -> None:
    assert sum(1 for edges in own_site.graph.cited_by.values() if edges) >= 30
    terms = own_site.library.terms.values()
    assert len(terms) >= 60
    assert all(has_cjk(t.definition.zh) for t in terms)


def _sources(note: Note, graph: Graph) -> set[str]:
    """What a note stands on: references, those of the facts that it binds, and labs."""
    found = set(graph.cites[note.id])
    for binding in graph.links[f"notes/{note.file}"].bindings:
        if binding.found.fact:
            found.update(binding.found.fact.keys)
        if binding.found.lab:
            found.add(f"lab:{binding.found.lab.id}")
    return found


def _faults_of_a_note(note: Note, graph: Graph) -> Iterator[str]:
    lead = note.body.text[: note.body.sections[0].start].strip()
    if not 20 <= (words := len(lead.split("\n\n")[0].split())) <= 110:
        yield f"its first paragraph has {words} words"
    if not 600 <= (words := len(_FENCE.sub("", note.body.text).split())) <= 2200:
        yield f"it has {words} words outside of code"
    if len(sources := _sources(note, graph)) < 5:
        yield f"it stands on {sources} alone"
    if len(note.meta.description) > 160:
        yield "its description is too long"
    if not {"console", "bash", "python", "c"} & {
        fence.language for fence in note.body.document.blocks.fences
    }:
        yield "it shows nothing to run"


def test_a_note_answers_first_and_is_neither_thin_nor_padded(
    own_site: Site, notes: list[Note]
) -> None:
    found = {note.id: list(_faults_of_a_note(note, own_site.graph)) for note in notes}
    assert {id: faults for id, faults in found.items() if faults} == {}


def _code(text: str) -> list[str]:
    found = re.findall(r"^ *```\w+\n.*?^ *```", text, flags=re.MULTILINE | re.DOTALL)
    return [_without_comments(code) for code in found]


def _faults_of_a_twin(twin: Translation, graph: Graph) -> Iterator[str]:
    original, links = twin.note, graph.links
    if _code(twin.body.text) != _code(original.body.text):
        yield "its code"
    if set(links[f"notes/{twin.file}"].cited) != set(links[f"notes/{original.file}"].cited):
        yield "its citations"
    if [s.id for s in twin.body.sections] != [s.id for s in original.body.sections]:
        yield "its headings"
    if not has_cjk(twin.meta.title + twin.meta.description):
        yield "its title and description, which are not Chinese"


def test_a_twin_has_the_same_code_citations_and_headings(own_site: Site) -> None:
    twins = own_site.library.translations
    found = {id: list(_faults_of_a_twin(twin, own_site.graph)) for id, twin in twins.items()}
    assert {id: faults for id, faults in found.items() if faults} == {}


def _without_comments(code: str) -> str:
    return re.sub(r"(?m)(?:#|//|;).*$", "", code)


def test_nothing_names_a_registry_or_a_machine() -> None:
    # /proc/PID/root/ is the file system of a process, no folder of a machine.
    forbidden = re.compile(
        r"pypi\.org|pythonhosted|registry\.npmjs|deb\.debian\.org|(?<!/proc/PID)/(?:work|root)/"
    )
    for file in (project_root() / "notes").rglob("*"):
        if file.suffix in (".md", ".yml", ".bib", ".svg"):
            assert not forbidden.search(file.read_text("utf-8")), file
