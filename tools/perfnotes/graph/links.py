"""Links: what the links, citations and bound numbers of one text mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from msgspec import Struct

from perfnotes.graph.binding import Binding
from perfnotes.graph.evidence import Evidence
from perfnotes.graph.resolve import Problem, Resolver
from perfnotes.graph.targets import NONE, LinkedText, Target
from perfnotes.model.library import Library
from perfnotes.model.reference import Reference
from perfnotes.source.bib.citestyle import label, narrative
from perfnotes.storage.digests import digest
from perfnotes.text.findings import Finding
from perfnotes.text.joining import joins
from perfnotes.text.nearest import Guesses
from perfnotes.text.prose import Prose
from perfnotes.text.sentences import sentences
from perfnotes.text.tokens import Citation, Link, Wiki

_KEY_LIKE = re.compile(r"[a-z]{2,}(?:19|20)\d\d[a-z]*$")
_SHOWN_OF_BACKLINK = 180  # letters of the words around a link


class Edge(Struct, frozen=True):
    """One link or citation: from the note ``source`` (its id) to ``target``.

    ``target`` is the id of a note or the key of a reference. ``offset`` is the place in the text.
    """

    source: str
    lang: str
    target: str
    offset: int
    sentence: str


@dataclass
class Links:
    """What the links, citations and bound numbers of one text mean, in the order of the text."""

    text: LinkedText
    wikis: list[tuple[Wiki, Target]] = field(default_factory=list)
    links: list[tuple[Link, Target]] = field(default_factory=list)
    definitions: dict[int, Target] = field(default_factory=dict)  # by the definition's offset
    citations: list[tuple[Citation, tuple[Reference, ...]]] = field(default_factory=list)
    cited: dict[str, list[str]] = field(default_factory=dict)  # key → sentences
    bindings: list[Binding] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)  # to notes
    citing: list[Edge] = field(default_factory=list)  # to references
    findings: list[Finding] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)  # of notes and terms, by id

    @cached_property
    def prose(self) -> Prose:
        """The text as plain words: links become titles, citations become names and years."""
        return Prose(self.text.body.document, self.name)

    @cached_property
    def sentence_digests(self) -> frozenset[str]:
        """The digests of the sentences of the body, by which reviews know what was read.

        They are stored with the links, since taking the sentences of all notes apart takes long.
        """
        return frozenset(s.digest for s in sentences(self.text.body.document, self.prose))

    @property
    def targets(self) -> Iterator[Target]:
        """The targets of all links of the text, each as often as it is linked."""
        for _, target in self.wikis:
            yield target
        for _, target in self.links:
            yield target
        yield from self.definitions.values()

    @property
    def prose_digest(self) -> str:
        """A hash of what ``prose`` is made from: the Markdown, and how its links read."""
        document = self.text.body.document
        tokens: tuple[Wiki | Citation, ...] = (*document.wikis, *document.citations)
        names = map(self.name, tokens)
        return digest(str(document.start), document.text, *names)

    def has_same_prose_as(self, other: Links) -> bool:
        """Whether ``prose`` is that of ``other``: the same body, whose links read the same."""
        if self.text.body is not other.text.body:
            return False
        document = self.text.body.document
        tokens: tuple[Wiki | Citation, ...] = (*document.wikis, *document.citations)
        return all(self.name(token) == other.name(token) for token in tokens)

    @cached_property
    def by_label(self) -> dict[str, Target]:
        """The targets of reference links, by label. Of equal labels the first definition counts."""
        blocks = self.text.body.document.blocks
        return {d.label: self.definitions[d.start] for d in reversed(blocks.definitions)}

    def __getstate__(self) -> dict[str, object]:
        """Pickle without ``prose`` and the names, which are quickly computed again."""
        return {k: v for k, v in self.__dict__.items() if k not in ("_names", "prose")}

    def name(self, token: Wiki | Citation) -> str:
        """How a wiki link or a citation of the text reads."""
        return self._names.get(token.start, "")

    @cached_property
    def _names(self) -> dict[int, str]:
        """How each wiki link and citation reads, by where it begins."""
        names: dict[int, str] = {}
        raw = self.text.body.document.text
        for wiki, target in self.wikis:
            plain = wiki.label or self.titles.get(target.id, wiki.target)
            names[wiki.start] = raw[wiki.start : wiki.end] if target.kind == "none" else plain
        for citation, references in self.citations:
            names[citation.start] = citation_text(citation, references, self.text.lang)
        for citation in self.text.body.document.citations:
            names.setdefault(citation.start, raw[citation.start : citation.end])
        return names


def citation_text(citation: Citation, references: tuple[Reference, ...], lang: str) -> str:
    """A citation as words: ``(Goto & van de Geijn 2008, sec. 4)``."""
    signs = joins(lang)
    parts = []
    for item, reference in zip(citation.items, references, strict=True):
        if citation.narrative:
            return narrative(reference, lang, item.locator)
        words = (item.suppress_author and reference.year) or label(reference, lang)
        prefix = f"{item.prefix} " if item.prefix else ""
        parts.append(prefix + words + (f"{signs.comma}{item.locator}" if item.locator else ""))
    return signs.opening + signs.semicolon.join(parts) + signs.closing


def links_of(
    text: LinkedText,
    library: Library,
    titles: dict[str, str],
    resolver: Resolver,
    evidence: Evidence,
    keys: dict[str, str],
) -> Links:
    """Resolve the links and citations of a text.

    ``titles`` names notes and terms by their ids in the text's language. ``keys`` maps the keys of
    references in lower case to keys.
    """
    links = Links(text, titles=titles)
    _resolve(links, resolver, keys)
    links.bindings = _bindings(links, evidence)
    _find_edges(links, library)
    return links


def _resolve(links: Links, resolver: Resolver, keys: dict[str, str]) -> None:
    text = links.text
    document = text.body.document
    source = text.body.source

    def report(offset: int, problem: Problem | None) -> None:
        if problem:
            links.findings.append(source.finding(offset, *problem))

    for wiki in document.wikis:
        target, problem = resolver.wiki(wiki.target, text)
        report(wiki.start, problem)
        links.wikis.append((wiki, target))
    for link in document.links:
        if link.kind in ("reference", "image-reference"):
            continue  # resolved below, at its definition
        is_image = link.kind == "image" or document.text.startswith("<img", link.start)
        target, problem = resolver.link(link.dest, text, is_image=is_image)
        report(link.dest_start, problem)
        links.links.append((link, target))
    pictures = {link.dest for link in document.links if link.kind == "image-reference"}
    for definition in document.blocks.definitions:
        dest = document.text[definition.dest_start : definition.dest_end].strip("<>")
        target, problem = resolver.link(dest, text, is_image=definition.label in pictures)
        report(definition.dest_start, problem)
        links.definitions[definition.start] = target
    for citation in document.citations:
        _cite(links, citation, resolver.library.references, keys, report)


def _bindings(links: Links, evidence: Evidence) -> list[Binding]:
    """The bound numbers of a text, in its order."""
    targets = {link.start: target for link, target in links.links}
    found = []
    for link in links.text.body.document.links:
        target = targets.get(link.start) or links.by_label.get(link.dest, NONE)
        if target.kind == "evidence":
            found.append(evidence.bind(links.text, link, target.id))
    return found


def _cite(
    links: Links,
    citation: Citation,
    known: Mapping[str, Reference],
    keys: Mapping[str, str],
    report: Callable[[int, Problem | None], None],
) -> None:
    found = []
    for item in citation.items:
        reference = known.get(item.key)
        if reference:
            found.append(reference)
            continue
        problem = _unknown_key(item.key, keys, links.text.guesses, narrative=citation.narrative)
        if problem:
            report(item.key_start - 1, problem)
    if len(found) == len(citation.items):
        links.citations.append((citation, tuple(found)))


def _unknown_key(
    key: str, keys: Mapping[str, str], guesses: Guesses, *, narrative: bool
) -> Problem | None:
    """Return the problem to report for a key that no reference has.

    Returns None if the word is probably no citation: no known key is near it, and it does not have
    the form of a key. ``keys`` maps each reference's key in
    lower case to the key as the bibliography has it.
    """
    same = keys.get(key.casefold())
    guess = same or guesses.nearest(key, keys.values())
    if guess:
        hint = f"did you mean @{guess}? else add the paper: perfnotes cite"
        return "PN405", f"no reference has the key {key!r}", hint
    if _KEY_LIKE.match(key) and keys:
        hint = "add the paper: perfnotes cite DOI, an arXiv id, BibTeX or RIS"
        return ("PN406" if narrative else "PN405"), f"no reference has the key {key!r}", hint
    return None


def _find_edges(links: Links, library: Library) -> None:
    """Add the edges of a text. If one sentence links a target twice, that is one edge."""
    text = links.text
    prose = links.prose
    named: list[tuple[int, Target]] = [(w.start, t) for w, t in links.wikis]
    named += [(each.start, t) for each, t in links.links]
    named += [
        (each.start, links.by_label.get(each.dest, NONE))
        for each in text.body.document.links
        if each.kind in ("reference", "image-reference")
    ]
    is_note = text.kind == "note"
    seen: set[tuple[str, str]] = set()
    for offset, target in sorted(named, key=lambda pair: pair[0]):
        id = target.id
        if target.kind == "term":
            id = library.terms[id].note
        if target.kind not in ("note", "term") or id not in library.notes or not is_note:
            continue
        if id == text.id:
            continue
        sentence = prose.sentence(offset, _SHOWN_OF_BACKLINK)
        if (id, sentence) in seen:
            continue
        seen.add((id, sentence))
        links.edges.append(Edge(text.id, text.lang, id, offset, sentence))
    seen_keys: set[tuple[str, str]] = set()
    for citation, references in links.citations:
        sentence = prose.sentence(citation.start)
        for reference in references:
            if (reference.key, sentence) in seen_keys:
                continue
            seen_keys.add((reference.key, sentence))
            links.cited.setdefault(reference.key, []).append(sentence)
            if is_note:
                edge = Edge(text.id, text.lang, reference.key, citation.start, sentence)
                links.citing.append(edge)
