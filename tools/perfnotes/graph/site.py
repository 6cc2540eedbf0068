"""The Site: the linked library with its addresses and settings, all that a page is made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from perfnotes.graph.address import Addresses
from perfnotes.graph.coverage import Coverage, coverages
from perfnotes.graph.graph import Graph
from perfnotes.graph.knowledge import Knowledge, is_linked, knowledge
from perfnotes.graph.latency import Time, times
from perfnotes.graph.related import Related
from perfnotes.graph.starting_points import weights
from perfnotes.graph.termuses import TermFinder
from perfnotes.model.contributor import credits
from perfnotes.model.fact import Fact
from perfnotes.model.library import Library
from perfnotes.model.note import Note
from perfnotes.model.repository import Repository
from perfnotes.model.topic import Topic
from perfnotes.source.history import History
from perfnotes.source.read.memo import Memo
from perfnotes.text.source import Source

Derived = TypeVar("Derived")


@dataclass(frozen=True)
class Settings:
    """What ``mkdocs.yml`` says: the name and the two addresses, empty while undecided."""

    name: str
    description: str = ""
    url: str = ""  # ends in a slash
    repository: str = ""  # without a slash at the end
    branch: str = "main"
    notes: str = "notes"  # the notes folder in the repository
    docs: str = "docs"
    themes: tuple[str, ...] = ()  # folders of templates that are the project's own


@dataclass(frozen=True)
class Site:
    """What every page kind gets."""

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
        """Every file that a page is made from, by the path that findings name."""
        sources = {s.path: s for s in self.library.sources.values()}
        sources |= {lab.source.path: lab.source for lab in self.library.labs.values()}
        sources |= {f.source.path: f.source for f in self.library.facts.files.values()}
        texts = (links.text.body.source for links in self.graph.links.values())
        return sources | {s.path: s for s in texts}

    @cached_property
    def coverages(self) -> dict[str, Coverage]:
        """By path which quantities of each note have evidence."""
        return coverages(self.graph, self.coverages_before) if self.library.own else {}

    @cached_property
    def latency(self) -> list[Time]:
        """Every row of the latency numbers, those without a time too."""
        return times(self.library.latency.rows, self.graph.evidence)

    @cached_property
    def related(self) -> Related:
        return Related(self.graph)

    @cached_property
    def knowledge(self) -> Knowledge:
        """Notes, papers and terms as one graph, the same in every language."""
        return knowledge(self.graph, self._term_uses["en"] if self.library.terms else {})

    @cached_property
    def has_knowledge(self) -> bool:
        """Whether there is an edge in it, which is known without all of them."""
        return is_linked(self.graph, lambda: self._term_uses["en"])

    @cached_property
    def weights(self) -> dict[str, int]:
        """How much other notes build on each note."""
        return weights(self.graph)

    @cached_property
    def _changed_by(self) -> dict[tuple[str, bool], list[Mapping[str, int]]]:
        """By note, and whether it is in Chinese, who changed each file of it."""
        found: dict[tuple[str, bool], list[Mapping[str, int]]] = {}
        below = f"{self.settings.notes}/"
        for path, people in self.history.people.items():
            parts = path.removeprefix(below).split("/")
            if path.startswith(below) and len(parts) > 1:
                slug = parts[1].removesuffix(".md").removesuffix(".zh")
                found.setdefault((f"{parts[0]}/{slug}", ".zh." in parts[-1]), []).append(people)
        return found

    def contributors(self, note: Note, lang: str) -> list[str]:
        """Who wrote the note with its lab and figures, and for Chinese also the translation."""
        metas = [note.meta]
        first: list[Mapping[str, int]] = []
        twin = self.library.translations.get(note.id) if lang == "zh" else None
        metas += [twin.meta] if twin else []
        for id in (note.id, *note.meta.aliases):
            for chinese in (False, True) if twin else (False,):
                first += self._changed_by.get((id, chinese), ())
        return credits(metas, first, f"{self.settings.name} contributors")

    @cached_property
    def facts_by_key(self) -> dict[str, list[Fact]]:
        """By reference the facts that it is the source of, in the order of the files."""
        found: dict[str, list[Fact]] = {}
        for fact in self.library.facts.by_id.values():
            for key in fact.keys:
                found.setdefault(key, []).append(fact)
        return found

    @cached_property
    def required_by(self) -> dict[str, list[Note]]:
        """By note those that ask to read it first, in the order of the site."""
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

    def both(self, address: Callable[[str], str]) -> dict[str, str]:
        """The address of a page that exists in every language of the site."""
        languages = self.library.languages
        return {lang: address(lang) for lang in languages} if len(languages) > 1 else {}

    def updated(self, note: Note, file: str = "") -> str:
        """The day of the note's last change: front matter first, then git, then its date."""
        recorded = self.history.date(f"{self.settings.notes}/{file or note.file}")
        return note.meta.updated or max(recorded, note.meta.date)

    def title(self, note: Note, lang: str) -> str:
        twin = self.library.translations.get(note.id) if lang == "zh" else None
        return (twin or note).meta.title

    def description(self, note: Note, lang: str) -> str:
        twin = self.library.translations.get(note.id) if lang == "zh" else None
        return (twin or note).meta.description

    @cached_property
    def repository(self) -> Repository:
        """Where a reader changes or reports something; empty for a folder that is not ours."""
        s = self.settings
        return Repository(s.repository if self.library.own else "", s.branch)

    def twin_path(self, note: Note) -> str:
        """Where the Chinese version of a note lies, or would lie."""
        return f"{self.settings.notes}/{note.file.removesuffix('.md')}.zh.md"

    def edit_table(self, name: str, file: str, offset: int = 0) -> str:
        """Where an entry of a table of the notes folder is changed; nothing without the table."""
        source = self.library.sources.get(name)
        if source is None:
            return ""
        line = source.position(offset)[0] if offset else 0
        return self.repository.edit(f"{self.settings.notes}/{file}", line)

    def how_to(self, id: str, lang: str = "en") -> str:
        """The address of a page of the site's own that says how; nothing where there is none."""
        known = any((id, each) in self.library.pages for each in ("en", "zh"))
        return self.addresses.page(id, lang) if known else ""

    @cached_property
    def _term_uses(self) -> dict[str, dict[str, list[str]]]:
        uses: dict[str, dict[str, list[str]]] = {}
        for lang in self.library.languages:
            found: dict[str, list[str]] = {}
            finders = {each: TermFinder(self.library.terms.values(), each) for each in ("en", "zh")}
            for note in self.library.notes.values():
                twin = self.library.translations.get(note.id) if lang == "zh" else None
                document = (twin or note).body.document
                for use in finders["zh" if twin else note.lang].first_uses(document):
                    found.setdefault(use.term, []).append(note.id)
            uses[lang] = found
        return uses

    def uses_of_terms(self, lang: str) -> dict[str, list[str]]:
        """By term the notes in whose running text it stands."""
        return self._term_uses[lang]
