"""The Site: the linked library, its addresses and settings; every page is made from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from msgspec import Struct

from perfnotes.graph.address import Addresses
from perfnotes.graph.coverage import Coverage, coverages
from perfnotes.graph.graph import Graph
from perfnotes.graph.knowledge import Knowledge, is_linked, knowledge
from perfnotes.graph.latency import TimedRow, timed_rows
from perfnotes.graph.related import Related
from perfnotes.graph.starting_points import weights
from perfnotes.graph.termuses import TermFinder
from perfnotes.model.contributor import contributor_names
from perfnotes.model.fact import Fact
from perfnotes.model.library import Library
from perfnotes.model.note import Note
from perfnotes.model.repository import Repository
from perfnotes.model.topic import Topic
from perfnotes.source.history import History
from perfnotes.source.read.memo import Memo
from perfnotes.text.source import Source

Derived = TypeVar("Derived")


class Settings(Struct, frozen=True):
    """The settings in ``mkdocs.yml``; ``url`` and ``repository`` are empty until they are set."""

    name: str
    description: str = ""
    url: str = ""  # ends in a slash
    repository: str = ""  # without a slash at the end
    branch: str = "main"
    notes: str = "notes"  # the notes folder in the repository
    docs: str = "docs"
    themes: tuple[str, ...] = ()  # folders with the project's own templates


@dataclass(frozen=True)
class Site:
    """What every kind of page is made from. Properties are computed once, when first used."""

    graph: Graph
    settings: Settings
    history: History = field(default_factory=History)
    memo: Memo = field(default_factory=Memo)
    coverages_before: Mapping[str, Coverage] = field(default_factory=dict, repr=False)
    _derived: dict[object, Any] = field(default_factory=dict, repr=False)

    def derived(self, make: Callable[[Site], Derived]) -> Derived:
        """Return what the function ``make`` computes from this site; it is computed once."""
        if make not in self._derived:
            self._derived[make] = make(self)
        found: Derived = self._derived[make]
        return found

    @property
    def library(self) -> Library:
        return self.graph.library

    @property
    def addresses(self) -> Addresses:
        return self.graph.addresses

    @cached_property
    def sources(self) -> dict[str, Source]:
        """The files that findings can point into, by the path that findings name."""
        sources = {s.path: s for s in self.library.sources.values()}
        sources |= {lab.source.path: lab.source for lab in self.library.labs.values()}
        sources |= {f.source.path: f.source for f in self.library.facts.files.values()}
        sources |= {r.source.path: r.source for r in self.library.reviews.values()}
        texts = (links.text.body.source for links in self.graph.links.values())
        return sources | {s.path: s for s in texts}

    @cached_property
    def coverages(self) -> dict[str, Coverage]:
        """The coverage of each note and translation, by path; empty in a foreign folder."""
        return coverages(self.graph, self.coverages_before) if self.library.own else {}

    @cached_property
    def latency(self) -> list[TimedRow]:
        """Every row of the latency numbers, including those without a time."""
        return timed_rows(self.library.latency.rows, self.graph.evidence)

    @cached_property
    def related(self) -> Related:
        return Related(self.graph)

    @cached_property
    def knowledge(self) -> Knowledge:
        """The graph of notes, papers and terms, the same in every language."""
        return knowledge(self.graph, self._term_uses["en"] if self.library.terms else {})

    @cached_property
    def has_knowledge(self) -> bool:
        """Whether ``knowledge`` has an edge; this is faster than computing ``knowledge``."""
        return is_linked(self.graph, lambda: self._term_uses["en"])

    @cached_property
    def weights(self) -> dict[str, int]:
        """For each note, how much other notes build on it; see ``starting_points``."""
        return weights(self.graph)

    @cached_property
    def _changed_by(self) -> dict[tuple[str, bool], list[Mapping[str, int]]]:
        """Who changed each file of a note: by (note id, whether the file is Chinese)."""
        found: dict[tuple[str, bool], list[Mapping[str, int]]] = {}
        below = f"{self.settings.notes}/"
        for path, people in self.history.people.items():
            parts = path.removeprefix(below).split("/")
            if path.startswith(below) and len(parts) > 1:
                slug = parts[1].removesuffix(".md").removesuffix(".zh")
                found.setdefault((f"{parts[0]}/{slug}", ".zh." in parts[-1]), []).append(people)
        return found

    def contributors(self, note: Note, lang: str) -> list[str]:
        """The authors of the note, its lab and figures; in Chinese also of the translation."""
        metas = [note.meta]
        first_commits: list[Mapping[str, int]] = []
        twin = self.library.translations.get(note.id) if lang == "zh" else None
        metas += [twin.meta] if twin else []
        for id in (note.id, *note.meta.aliases):
            for chinese in (False, True) if twin else (False,):
                first_commits += self._changed_by.get((id, chinese), ())
        return contributor_names(metas, first_commits, f"{self.settings.name} contributors")

    @cached_property
    def facts_by_key(self) -> dict[str, list[Fact]]:
        """By reference key, the facts that cite the reference, in the order of the files."""
        found: dict[str, list[Fact]] = {}
        for fact in self.library.facts.by_id.values():
            for key in fact.keys:
                found.setdefault(key, []).append(fact)
        return found

    @cached_property
    def required_by(self) -> dict[str, list[Note]]:
        """By note id, the notes that require this note, in the order of the site."""
        found: dict[str, list[Note]] = {}
        for group in self.library.by_topic.values():
            for note in group:
                for needed in note.meta.requires:
                    found.setdefault(needed, []).append(note)
        return found

    def topics_below(self, parent: str) -> list[Topic]:
        """The topics directly below ``parent`` ("" for the top), in the order of the site."""
        return self._topic_tree.get(parent, [])

    @cached_property
    def _topic_tree(self) -> dict[str, list[Topic]]:
        tree: dict[str, list[Topic]] = {}
        known = self.library.topics
        for topic in known.values():
            if topic.id:
                above = topic.id.rpartition("/")[0]
                while above and above not in known:
                    above = above.rpartition("/")[0]
                tree.setdefault(above, []).append(topic)
        return tree

    def alternates(self, address: Callable[[str], str]) -> dict[str, str]:
        """A page's address by language; empty if the site has only one language."""
        languages = self.library.languages
        return {lang: address(lang) for lang in languages} if len(languages) > 1 else {}

    def updated(self, note: Note) -> str:
        """The day of the note's last change, as ``YYYY-MM-DD``.

        ``updated`` of the front matter if it is set, else the later of git's day and ``date``.
        """
        recorded = self.history.date(f"{self.settings.notes}/{note.file}")
        return note.meta.updated or max(recorded, note.meta.date)

    def title(self, note: Note, lang: str) -> str:
        twin = self.library.translations.get(note.id) if lang == "zh" else None
        return (twin or note).meta.title

    def description(self, note: Note, lang: str) -> str:
        twin = self.library.translations.get(note.id) if lang == "zh" else None
        return (twin or note).meta.description

    @cached_property
    def repository(self) -> Repository:
        """The repository in which readers edit and report; empty for a foreign folder."""
        s = self.settings
        return Repository(s.repository if self.library.own else "", s.branch)

    def twin_path(self, note: Note) -> str:
        """The path of a note's Chinese version, whether or not the file exists."""
        return f"{self.settings.notes}/{note.file.removesuffix('.md')}.zh.md"

    def edit_table(self, name: str, file: str, offset: int = 0) -> str:
        """The address at which a reader edits the table ``name``; "" if there is no such table.

        With ``offset``, the address leads to the line of that place.
        """
        source = self.library.sources.get(name)
        if source is None:
            return ""
        line = source.position(offset)[0] if offset else 0
        return self.repository.edit(f"{self.settings.notes}/{file}", line)

    def docs_address(self, id: str, lang: str = "en") -> str:
        """The address of the page ``id`` of ``docs/`` in ``lang``; "" if there is no such page."""
        known = any((id, each) in self.library.pages for each in ("en", "zh"))
        return self.addresses.page(id, lang) if known else ""

    @cached_property
    def term_finders(self) -> dict[str, TermFinder]:
        """By language, the finder of the glossary's terms, which keeps the uses it found."""
        terms = self.library.terms.values()
        return {lang: TermFinder(terms, lang, self.memo) for lang in ("en", "zh")}

    def reuse_from(self, other: Site) -> None:
        """Take over what ``other``, an earlier state of the same notes, has computed.

        That is where its texts use terms, if both glossaries are equal, and which notes are
        related, if links, citations and tags of all notes are the same.
        """
        # Written into __dict__, where cached properties keep their values; the class is frozen.
        if self.library.terms == other.library.terms:
            self.__dict__["term_finders"] = other.term_finders
        self.__dict__["related"] = Related(self.graph, other.related)

    @cached_property
    def _term_uses(self) -> dict[str, dict[str, list[str]]]:
        uses: dict[str, dict[str, list[str]]] = {}
        for lang in self.library.languages:
            found: dict[str, list[str]] = {}
            for note in self.library.notes.values():
                twin = self.library.translations.get(note.id) if lang == "zh" else None
                body = (twin or note).body
                for use in self.term_finders["zh" if twin else note.lang].first_uses(body):
                    found.setdefault(use.term, []).append(note.id)
            uses[lang] = found
        return uses

    def uses_of_terms(self, lang: str) -> dict[str, list[str]]:
        """By term id, the ids of the notes whose running text contains the term."""
        return self._term_uses[lang]
