"""The answer to a query: the results, and what the reader is told about them."""

from __future__ import annotations

from urllib.parse import quote

from msgspec import Struct, field


class OtherPlace(Struct, frozen=True):
    """The second place of a note at which the answer may stand, where its result does not open.

    It is a section or, if ``anchor`` is empty, the top of the note. ``heading`` is the heading of
    the section. It is empty if the section's heading is in an earlier file of the page.
    """

    anchor: str = ""
    heading: str = ""


class SearchResult(Struct, frozen=True):
    """One page, in the reader's language if it is translated, and its best section.

    ``section`` is the heading of the section and ``anchor`` its id, ``text`` the text of the best
    block, ``page`` the number of the page. If the result opens at the top of the page, ``anchor``
    and ``section`` are empty. If a symptom of the page answers, ``section`` is what a person sees
    and ``text`` how to confirm it. ``other`` is the other place of a note at which the answer may
    stand, if there is one.
    """

    id: str
    url: str
    title: str
    lang: str
    type: str
    anchor: str
    section: str
    text: str
    score: float
    page: int
    is_symptom: bool = False
    other: OtherPlace | None = None

    @property
    def place(self) -> str:
        """Where the result opens: the page's id, with ``#`` and the anchor of a section."""
        return f"{self.id}#{self.anchor}" if self.anchor else self.id

    @property
    def other_place(self) -> str:
        """The other place as ``place`` is written; empty if there is none."""
        if self.other is None:
            return ""
        return f"{self.id}#{self.other.anchor}" if self.other.anchor else self.id

    @property
    def section_url(self) -> str:
        """The address at which the result opens, relative to the root of the site."""
        if not self.anchor:
            return self.url
        return f"{self.url.partition('#')[0]}#{quote(self.anchor)}"


class SearchAnswer(Struct):
    """The answer to a query.

    ``results`` are the first of ``total`` pages. ``expanded`` are other names of glossary terms
    that were searched too, ``corrected`` pairs of a typed word and the word searched instead. If
    nothing was found, ``suggestions`` are words similar to those typed. ``missing`` are the shards
    that could not be read. ``facets`` counts the pages as facet → value → number. ``is_weak`` says
    that probably no page answers the query; the results are then about similar things. ``is_loose``
    says that no page has the phrases of the query; the results then have the words of the phrases.
    ``evidence`` holds the numbers by which ``is_weak`` is decided, by the names of their weights in
    ``CONFIDENCE``.
    """

    results: list[SearchResult] = field(default_factory=list)
    total: int = 0
    expanded: list[str] = field(default_factory=list)
    corrected: list[tuple[str, str]] = field(default_factory=list)
    suggestions: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    facets: dict[str, dict[str, int]] = field(default_factory=dict)
    is_weak: bool = False
    is_loose: bool = False
    evidence: dict[str, float] = field(default_factory=dict)
