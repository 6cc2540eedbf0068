"""The answer to a query: results, and what else is told."""

from __future__ import annotations

from urllib.parse import quote

from msgspec import Struct, field


class OtherPlace(Struct, frozen=True):
    """Where the answer may stand if not where a result opens: at a section or, without, the top.

    ``heading`` is that of the section; empty if a long section continues from an earlier file.
    """

    anchor: str = ""
    heading: str = ""


class SearchResult(Struct, frozen=True):
    """One page and its best section; if the page is translated, in the reader's language.

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
        return self._url(self.anchor)

    @property
    def other_url(self) -> str:
        """The address of the other place, if there is one."""
        return self._url(self.other.anchor) if self.other else ""

    def _url(self, anchor: str) -> str:
        return f"{self.url.partition('#')[0]}#{quote(anchor)}" if anchor else self.url


class SearchAnswer(Struct):
    """The answer to a query.

    ``results`` are the first of ``total`` pages. ``expanded`` are other names of glossary terms
    that were searched too, ``corrected`` pairs of a typed word and the word searched instead. If
    nothing was found, ``suggestions`` are words like those typed. ``missing`` are the shards that
    could not be read. ``facets`` counts the pages as facet → value → number. ``is_weak`` says that
    probably no page answers; the results are then what is near. ``is_loose`` says that no page has
    the phrases of the query: the results have their words. ``evidence`` is what speaks for
    and against an answer, by the names of its weights.
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
