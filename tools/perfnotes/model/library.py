"""The Library: everything that was read from a folder of notes, before anything is linked.

A folder with a ``topics.yml`` was written for perfnotes; then ``own`` is true. In any other folder
of Markdown, the topics are the subfolders, front matter may be absent, and findings are warnings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from perfnotes.model.calculator import Calculator
from perfnotes.model.fact import Facts
from perfnotes.model.lab import Lab
from perfnotes.model.latency import Latency
from perfnotes.model.note import Meta, Note
from perfnotes.model.reference import Reference
from perfnotes.model.result import Result
from perfnotes.model.review import Review
from perfnotes.model.symptom import SymptomIndex
from perfnotes.model.tag import Tag
from perfnotes.model.term import Term
from perfnotes.model.tool import Tools
from perfnotes.model.topic import Topic
from perfnotes.model.translation import Translation
from perfnotes.model.wanted import Wanted
from perfnotes.text.body import Body
from perfnotes.text.findings import Finding
from perfnotes.text.source import Source


class SitePage(Struct, frozen=True):
    """A page of ``docs/``, such as the home page. A translation has the id of its original."""

    id: str  # "" for the home page, "about" for docs/about.md
    lang: str
    file: str
    meta: Meta
    body: Body

    @property
    def url(self) -> str:
        """The page's address below the site's root."""
        # The search page itself has the address search/, so docs/search.md needs another one.
        path = "search/about/" if self.id == "search" else f"{self.id}/" if self.id else ""
        return path if self.lang == "en" else f"{self.lang}/{path}"


class Annotation(Struct, frozen=True):
    """A text about a reference, from ``notes/references/<key>.md``."""

    key: str
    file: str
    body: Body


@dataclass
class Library:
    """Everything read from the notes folder ``root``, which findings call ``shown_root``."""

    root: Path
    shown_root: str
    own: bool
    read_on: str  # the day, UTC
    topics: dict[str, Topic] = field(default_factory=dict)
    notes: dict[str, Note] = field(default_factory=dict)
    drafts: dict[str, Note] = field(default_factory=dict)
    translations: dict[str, Translation] = field(default_factory=dict)
    # Drafts among the translations of published notes. Pages show only their symptoms.
    draft_translations: dict[str, Translation] = field(default_factory=dict)
    tags: dict[str, Tag] = field(default_factory=dict)
    references: dict[str, Reference] = field(default_factory=dict)
    annotations: dict[str, Annotation] = field(default_factory=dict)
    terms: dict[str, Term] = field(default_factory=dict)
    labs: dict[str, Lab] = field(default_factory=dict)  # by the note's id
    results: dict[str, dict[str, Result]] = field(default_factory=dict)  # by lab and machine
    calculators: dict[str, dict[str, Calculator]] = field(default_factory=dict)  # by note and id
    facts: Facts = field(default_factory=Facts)
    latency: Latency = field(default_factory=Latency)
    symptom_index: SymptomIndex = field(default_factory=SymptomIndex)
    tools: Tools = field(default_factory=Tools)
    wanted: Wanted = field(default_factory=Wanted)
    reviews: dict[str, Review] = field(default_factory=dict)  # by the path of the text
    introductions: dict[str, Note] = field(default_factory=dict)  # by topic; "" is the home page
    pages: dict[tuple[str, str], SitePage] = field(default_factory=dict)  # by id and language
    assets: frozenset[str] = frozenset()  # files beside notes, relative to root
    page_assets: Mapping[str, Path] = field(default_factory=dict)  # other files of docs/, by path
    sources: dict[str, Source] = field(default_factory=dict)  # topics.yml and the other tables
    findings: list[Finding] = field(default_factory=list)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """``en``, and ``zh`` if any note or page has a Chinese translation."""
        return ("en", "zh") if self.translations or self._has_chinese_pages else ("en",)

    @property
    def _has_chinese_pages(self) -> bool:
        return any(lang == "zh" for _, lang in self.pages)

    @cached_property
    def main_language(self) -> str:
        """The language of most notes; the site's own labels are in it."""
        chinese = sum(1 for n in self.notes.values() if n.lang == "zh")
        return "zh" if self.notes and chinese * 2 > len(self.notes) else "en"

    @cached_property
    def cited_by_tables(self) -> frozenset[str]:
        """The keys of the references that the tables of symptoms and of tools cite."""
        return self.symptom_index.cited | self.tools.cited

    @property
    def texts(self) -> list[Note | Translation]:
        """Every published note, each followed by its translation."""
        return [text for id in self.notes for text in self.texts_of(id)]

    def texts_of(self, id: str) -> list[Note | Translation]:
        """A published note and its translation; an empty list if no note has that id."""
        if id not in self.notes:
            return []
        twin = self.translations.get(id)
        return [self.notes[id], twin] if twin else [self.notes[id]]

    @cached_property
    def by_topic(self) -> dict[str, list[Note]]:
        """Each topic's notes: first those that ``topics.yml`` orders, then the others by name."""
        groups: dict[str, list[Note]] = {topic: [] for topic in self.topics}
        for note in self.notes.values():
            groups.setdefault(note.topic, []).append(note)
        for topic, notes in groups.items():
            order = self.topics[topic].order if topic in self.topics else ()
            rank = {slug: i for i, slug in enumerate(order)}
            notes.sort(key=lambda n: (rank.get(n.slug, len(rank)), _natural_order(n)))
        return groups

    @cached_property
    def by_tag(self) -> dict[str, list[Note]]:
        """Each tag's notes, sorted by title."""
        groups: dict[str, list[Note]] = {tag: [] for tag in self.tags}
        for note in self.notes.values():
            for tag in note.meta.tags:
                if tag in groups:
                    groups[tag].append(note)
        for notes in groups.values():
            notes.sort(key=lambda n: (n.meta.title.casefold(), n.id))
        return groups

    def record_command(self, lab: Lab, machine: str) -> str:
        """Return the command that records a lab on a machine, whether it has a result there or not.

        ``lab record`` does not overwrite the result of the reference machine, ``lab replace`` does.
        """
        has_result = machine in self.results.get(lab.id, {})
        verb = "replace" if machine == lab.reference and has_result else "record"
        return f"perfnotes lab {verb} {lab.id}"

    def shown(self, file: str) -> str:
        """Return the path by which findings name a file of the notes folder."""
        return f"{self.shown_root}/{file}" if self.shown_root else file


def _natural_order(note: Note) -> tuple[list[tuple[int, str]], str]:
    """Return a sort key that compares numbers in ids by their size: "2-x" is before "10-x"."""
    parts = re.findall(r"\d+|\D+", note.id.casefold())
    return [(int(p), "") if p.isdecimal() else (-1, p) for p in parts], note.id
