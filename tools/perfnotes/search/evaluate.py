"""Judged queries: the ranks of the expected pages, by class, and the cost of a first visit."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from msgspec import Struct

from perfnotes.search.answer import SearchResult
from perfnotes.search.query import Engine
from perfnotes.source import yamlnodes

DEPTH = 10  # results of a query that are looked at


class JudgedError(ValueError):
    """A file of judged queries cannot be read. The message says why."""


class JudgedQuery(Struct, frozen=True):
    """A query and the pages that answer it; none if no page does.

    ``expected`` holds ids of pages, or ``page#section`` if one section is the answer. ``deeper``
    are ids of further pages that answer, but not on the first screen of any place. ``kind`` is the
    query's class. ``half`` is ``seen`` if people looked at the query while they tuned the search,
    or ``unseen``; empty if the file does not say. ``lang`` is the language of the reader who asks.
    """

    id: str
    kind: str
    query: str
    expected: tuple[str, ...]
    half: str = ""
    lang: str = "en"
    deeper: tuple[str, ...] = ()

    @property
    def pages(self) -> frozenset[str]:
        """The ids of the pages that answer, without their sections."""
        return frozenset(each.partition("#")[0] for each in (*self.expected, *self.deeper))


class FirstScreen(Struct, frozen=True):
    """Whether readers judged that what they see at once answers the query; None if nobody did.

    ``place`` is their judgement of the first screen where a result opens, ``other`` that of the
    first screen at its other place, and ``card`` that of the card that shows the other place.
    """

    place: bool | None = None
    other: bool | None = None
    card: bool | None = None


class QueryOutcome(Struct, frozen=True):
    """The results of one query.

    ``rank`` is the rank of the best expected page, 0 if none is among the first ten. ``found`` are
    the ids of the results. ``bytes`` (after gzip) and ``requests`` are what the first result costs.
    ``landing`` is where the first result opens, as in ``expected``. ``said`` says whether the
    engine said that no note answers. ``other`` is the first result's other place, if there is one,
    and ``screen`` holds the judgements of what the reader sees there.
    """

    judged: JudgedQuery
    rank: int
    found: tuple[str, ...]
    bytes: int = 0
    requests: int = 0
    landing: str = ""
    said: bool = False
    other: str = ""
    screen: FirstScreen = FirstScreen()

    @property
    def lands(self) -> bool:
        """Whether the first result opens at an expected place: a section, or the top of a page."""
        return self.landing in self.judged.expected

    @property
    def answers(self) -> bool:
        """Whether the place where the first result opens is expected, or was judged to answer."""
        return self.lands or bool(self.screen.place)

    @property
    def either(self) -> bool:
        """Whether one of the first result's two places is expected, or was judged to answer."""
        return self.answers or self.other in self.judged.expected or bool(self.screen.other)

    @property
    def shown(self) -> bool:
        """Whether the place where the first result opens answers, or the card on that screen."""
        return self.answers or bool(self.screen.card)


class EvaluationSummary(Struct, frozen=True):
    """How well some queries are answered. All figures but the counts are shares, 0 to 1.

    ``queries`` counts the queries that some page answers. ``success1`` and ``success3`` are the
    shares of them with an expected page at rank 1 and at rank 1 to 3. ``mrr`` is the mean of 1/rank
    (mean reciprocal rank). ``wrongly`` is the share for which the engine said that no note answers.
    ``landed``, ``answering``, ``either`` and ``shown`` are the shares of ``QueryOutcome.lands``,
    ``answers``, ``either`` and ``shown``. ``judged`` counts the first screens that readers judged,
    and ``cards`` the cards. ``unanswered`` counts the queries that no page answers, and ``said`` is
    the share of them for which the engine said so.
    """

    queries: int
    success1: float
    success3: float
    mrr: float
    landed: float = 0.0
    wrongly: float = 0.0
    unanswered: int = 0
    said: float = 0.0
    answering: float = 0.0
    judged: int = 0
    either: float = 0.0
    shown: float = 0.0
    cards: int = 0


def read_judged(file: Path) -> list[JudgedQuery]:
    """Read judged queries from YAML, JSON or JSON Lines; the contents decide.

    Raises ``JudgedError``.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise JudgedError(f"cannot read {file}: {error}") from None
    rows = _rows(text, file)
    if isinstance(rows, dict) and isinstance(rows.get("queries"), list):
        rows = rows["queries"]
    elif isinstance(rows, dict) and "query" in rows:
        rows = [rows]  # one line of JSON Lines
    if not isinstance(rows, list):
        raise JudgedError(f"{file}: not a list of queries")
    return [_judged(row, i, file) for i, row in enumerate(rows)]


def _rows(text: str, file: Path) -> Any:
    if text.lstrip().startswith(("{", "[")):
        try:
            return json.loads(text)
        except RecursionError:
            raise JudgedError(f"{file}: nested too deeply") from None
        except ValueError:
            pass  # one object in each line, or YAML in its flow style
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError:
            pass
    try:
        return yamlnodes.value(text)
    except yamlnodes.YamlError as error:
        line = text.count("\n", 0, error.offset) + 1
        raise JudgedError(f"{file}:{line}: {error.message}") from None


def _judged(row: Any, i: int, file: Path) -> JudgedQuery:
    if not isinstance(row, dict) or not isinstance(row.get("query"), (str, int, float)):
        raise JudgedError(f"{file}: entry {i + 1} is not a mapping with a query")
    expected = row.get("expected", row.get("answers"))
    if not expected and not isinstance(expected, list):
        raise JudgedError(
            f"{file}: entry {i + 1} names no page under `expected`: write [] if no page answers"
        )
    pages = expected if isinstance(expected, list) else [expected]
    return JudgedQuery(
        id=str(row.get("id", i + 1)),
        kind=str(row.get("class", row.get("kind", ""))),
        query=str(row["query"]),
        expected=tuple(str(page) for page in pages),
        half=str(row.get("half", "")),
        lang=str(row.get("lang", "en")),
        deeper=tuple(str(page) for page in row.get("deeper") or ()),
    )


def evaluate(
    engine: Engine,
    judged: Iterable[JudgedQuery],
    size: Callable[[str], int],
    page_files: Sequence[str],
    screen: Callable[[JudgedQuery, SearchResult], FirstScreen] = lambda *_: FirstScreen(),
) -> list[QueryOutcome]:
    """Search for every query.

    ``size`` gives the number of bytes of a file after gzip. ``page_files`` are the files that every
    page with search loads; they count for each query. ``screen`` gives the judgements of what a
    reader of the result sees.
    """
    always = sum(size(name) for name in page_files)
    outcomes = []
    for each in judged:
        answer = engine.search(each.query, each.lang, DEPTH)
        ids = list(dict.fromkeys(r.id for r in answer.results))
        rank = next((i for i, id in enumerate(ids, 1) if id in each.pages), 0)
        names = engine.first_result_shards(each.query, each.lang)
        first = answer.results[0] if answer.results else None
        outcomes.append(
            QueryOutcome(
                judged=each,
                rank=rank,
                found=tuple(ids),
                bytes=always + sum(size(engine.store.file(name)) for name in names),
                requests=len(names) + len(page_files),
                landing=first.place if first else "",
                said=answer.is_weak,
                other=first.other_place if first else "",
                screen=screen(each, first) if first else FirstScreen(),
            )
        )
    return outcomes


def summary(outcomes: Sequence[QueryOutcome]) -> EvaluationSummary:
    """Summarise all outcomes."""
    answered = [o for o in outcomes if o.judged.pages]
    others = [o for o in outcomes if not o.judged.pages]
    many = len(answered) or 1
    return EvaluationSummary(
        queries=len(answered),
        success1=sum(o.rank == 1 for o in answered) / many,
        success3=sum(1 <= o.rank <= 3 for o in answered) / many,
        mrr=sum(1 / o.rank for o in answered if o.rank) / many,
        landed=sum(o.lands for o in answered) / many,
        wrongly=sum(o.said for o in answered) / many,
        unanswered=len(others),
        said=sum(o.said for o in others) / (len(others) or 1),
        answering=sum(o.answers for o in answered) / many,
        judged=sum(o.screen.place is not None for o in answered),
        either=sum(o.either for o in answered) / many,
        shown=sum(o.shown for o in answered) / many,
        cards=sum(o.screen.card is not None for o in answered),
    )


def by_class(outcomes: Sequence[QueryOutcome]) -> dict[str, EvaluationSummary]:
    """Summarise the outcomes of each class, in the order in which the classes first occur.

    If readers of several languages ask, each language has its own row: ``symptom, zh``.
    """
    has_languages = len({o.judged.lang for o in outcomes}) > 1
    groups: dict[str, list[QueryOutcome]] = {}
    for outcome in outcomes:
        judged = outcome.judged
        name = f"{judged.kind}, {judged.lang}" if has_languages else judged.kind
        groups.setdefault(name, []).append(outcome)
    return {name: summary(found) for name, found in groups.items()}


def by_half(outcomes: Sequence[QueryOutcome]) -> dict[str, EvaluationSummary]:
    """Summarise the outcomes of each half (see ``JudgedQuery``), for queries that name theirs."""
    halves = dict.fromkeys(o.judged.half for o in outcomes if o.judged.half)
    return {half: summary([o for o in outcomes if o.judged.half == half]) for half in halves}


def costs(outcomes: Sequence[QueryOutcome]) -> dict[str, float]:
    """Return the median and the maximum of the bytes and requests of a first visit.

    They count what is loaded until the first result shows.
    """
    sizes = [o.bytes for o in outcomes] or [0]
    requests = [o.requests for o in outcomes] or [0]
    return {
        "bytes_median": median(sizes), "bytes_worst": max(sizes),
        "requests_median": median(requests), "requests_worst": max(requests),
    }  # fmt: skip


def packed_size(read: Callable[[str], bytes | None]) -> Callable[[str], int]:
    """Return a function from a file's name to its size after gzip, as a server sends it.

    A missing file counts as empty. Each file is compressed once.
    """
    known: dict[str, int] = {}

    def size(name: str) -> int:
        if name not in known:
            known[name] = len(gzip.compress(read(name) or b"", 6))
        return known[name]

    return size


def added_files(script: bytes) -> dict[str, bytes]:
    """Return what a page loads for the search besides the index, by name, one request each.

    The script that opens the search, and its style sheet, are parts of files that every page loads
    anyway, so they are not counted.
    """
    return {"added:app.js": script} if script else {}
