"""What the notes still lack: the lists of the page that asks for help.

The lists are computed from the notes, so that finished work leaves them by itself. Only
``notes/wanted.yml`` is written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from perfnotes.graph.coverage import BOUND, CITED, JudgedQuantity
from perfnotes.graph.site import Site
from perfnotes.model.lab import Lab
from perfnotes.model.note import Note
from perfnotes.model.reference import Reference
from perfnotes.model.translation import Translation
from perfnotes.model.verdict import NOT_RUN, is_stale
from perfnotes.model.wanted import Subject


class Unmeasured(Struct, frozen=True):
    """Claims of a lab that no machine has measured yet."""

    lab: Lab
    claims: tuple[str, ...]


def note_of(site: Site, subject: Subject) -> Note | None:
    """The published note that has the subject's id as its id or as an alias; None if missing."""
    library = site.library
    by_alias = (n for n in library.notes.values() if subject.id in n.meta.aliases)
    return library.notes.get(subject.id) or next(by_alias, None)


def wanted_subjects(site: Site) -> Mapping[str, list[Subject]]:
    """The wanted subjects without a note, by topic, in the order of their file."""
    found: dict[str, list[Subject]] = {}
    for subject in site.library.wanted.subjects:
        if note_of(site, subject) is None:
            found.setdefault(subject.topic, []).append(subject)
    return found


def outdated_translations(site: Site) -> list[Translation]:
    """The translations whose English text was changed after they were made."""
    twins = site.library.translations
    return [
        twins[note.id] for note in _notes(site) if note.id in twins and twins[note.id].is_behind
    ]


def untranslated(site: Site) -> list[Note]:
    """The notes without a Chinese version; an empty list if the site has no Chinese at all."""
    return [note for note in _notes(site) if not site.addresses.has(note, "zh")]


def without_evidence(site: Site) -> list[tuple[Note, list[JudgedQuantity]]]:
    """Notes that have quantities without evidence, with these quantities, waived ones included."""
    found = []
    for note in _notes(site):
        coverage = site.coverages.get(f"notes/{note.file}")
        numbers = [j for j in coverage.judged if j.state not in (BOUND, CITED)] if coverage else []
        if numbers:
            found.append((note, numbers))
    return found


def labs_on_one_machine(site: Site) -> list[Lab]:
    """Labs with the result of one machine, or of none."""
    return [lab for lab in _labs(site) if len(site.library.results.get(lab.id, {})) < 2]


def unmeasured(site: Site) -> list[Unmeasured]:
    """Claims that no recorded machine could run. Labs without any result are left out."""
    found = []
    for lab in _labs(site):
        machines = site.library.results.get(lab.id, {})
        verdicts = [site.graph.evidence.verdicts(lab, machine) for machine in machines]
        claims = tuple(c for c in lab.claims if all(v[c].state == NOT_RUN for v in verdicts))
        if verdicts and claims:
            found.append(Unmeasured(lab, claims))
    return found


def stale(site: Site) -> list[tuple[Lab, str]]:
    """Pairs of a lab and a machine whose result was recorded before the lab's source changed."""
    return [
        (lab, machine)
        for lab in _labs(site)
        for machine, result in sorted(site.library.results.get(lab.id, {}).items())
        if is_stale(lab, result)
    ]


def uncited(site: Site) -> list[Reference]:
    """References that no text, no fact, no tool and no command to run first cites.

    A text is a note, a translation, a topic's introduction or a page of ``docs/``. Citations in
    annotations do not count. Labs and calculators hold none.
    """
    cited = texts_citing(site).keys() | site.facts_by_key.keys() | site.library.cited_by_tables
    return [r for r in site.library.references.values() if r.key not in cited]


def texts_citing(site: Site) -> Mapping[str, set[tuple[str, str]]]:
    """By reference key, the texts that cite it: their kinds and ids, so that a twin counts once."""
    found = {
        key: {("note", edge.source) for edge in edges} for key, edges in site.graph.cited_by.items()
    }
    for links in site.graph.links.values():
        if links.text.kind not in ("note", "annotation"):
            for key in links.cited:
                found.setdefault(key, set()).add((links.text.kind, links.text.id))
    return found


def drafts(site: Site) -> list[Note]:
    """The drafts, sorted by id."""
    return sorted(site.library.drafts.values(), key=lambda note: note.id)


def _notes(site: Site) -> list[Note]:
    return [note for group in site.library.by_topic.values() for note in group]


def _labs(site: Site) -> list[Lab]:
    return [site.library.labs[note.id] for note in _notes(site) if note.id in site.library.labs]
