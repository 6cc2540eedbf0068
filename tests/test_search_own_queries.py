"""The queries about our own notes: their form, and that the unseen half is as it was committed."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest
import yaml
from benchmarks.search.own_queries import (
    HALVES,
    KINDS,
    LANGUAGES,
    LOADER,
    OwnQuery,
    digest,
    expected_halves,
    read_queries,
    report,
)

from perfnotes.source.names import NAMES
from perfnotes.text.body import read_body
from perfnotes.text.source import Source

ROOT = Path(__file__).parents[1]
NOTES = ROOT / "notes"
README = ROOT / "benchmarks" / "search" / "README.md"
JUDGED = ("benchmarks/search/queries.yml", "tests/search/queries.yml", "tests/search/judged.yml")
MOST_PAGES = 4
LISTED = {"terms": "TERM", "tags": "TAG", "references": "KEY", "facts": "ENTITY"}
UNSEEN_OF_TOPICS = {
    "bash": "88130e54e13778a92747f0926db86a5aa2653db9608ca8926d5d38791e79b9a8",
    "gpu": "7662154fb55e224712f51952f517c3bf4efd525b1012a30f0be3be46e8c237a4",
    "pytorch": "1c5c436a4c8ac5b7d9b56edc87372776745af52aec244674d7697682ad489fae",
}
UNSEEN = "8eb254ec41278dec35d2656d40577c34e8af645308cfb9c7ec2c36fe80aa5013"


@pytest.fixture(scope="module")
def halves() -> dict[str, list[OwnQuery]]:
    return {half: read_queries(half) for half in HALVES}


@pytest.fixture(scope="module")
def queries(halves: dict[str, list[OwnQuery]]) -> list[OwnQuery]:
    return [query for half in HALVES for query in halves[half]]


@pytest.fixture(scope="module")
def topics() -> dict[str, list[OwnQuery]]:
    return {
        topic: [query for half in HALVES for query in read_queries(half, topic)]
        for topic in UNSEEN_OF_TOPICS
    }


def bare(text: str) -> str:
    return re.sub(r"\W+", " ", unicodedata.normalize("NFKC", text).casefold()).strip()


def test_every_entry_has_the_form_that_the_readme_describes(
    halves: dict[str, list[OwnQuery]], queries: list[OwnQuery]
) -> None:
    assert len({query.id for query in queries}) == len(queries)
    assert len({bare(query.query) for query in queries}) == len(queries)
    for half, entries in halves.items():
        for query in entries:
            assert query.half == half, query.id
            assert query.lang in LANGUAGES, query.id
            assert query.kind in KINDS, query.id
            assert query.id.startswith(f"{query.lang}-{query.kind}-"), query.id
            assert query.query == " ".join(query.query.split()), query.id
            assert bool(query.meant) == (query.kind != "unanswered"), query.id
            assert bool(query.thread) == (query.kind == "symptom"), query.id
            assert query.labelled or not query.answers, query.id


def sections(note: str) -> set[str]:
    """The ids of a note's sections, or nothing if the id belongs to no note."""
    files = [f for f in (NOTES / f"{note}.md", NOTES / note / "index.md") if f.is_file()]
    return {
        section.id
        for file in files
        for section in read_body(Source(file.name, file.read_text(encoding="utf-8"))).sections
    }


@pytest.mark.slow
def test_the_answers_are_pages_of_this_repository_and_sections_of_its_notes(
    queries: list[OwnQuery], topics: dict[str, list[OwnQuery]]
) -> None:
    pages = set(NAMES["NOTE"](NOTES))
    for folder, kind in LISTED.items():
        pages |= {f"{folder}/{name}" for name in NAMES[kind](NOTES)}
    pages |= {f"checks/{code.lower()}" for code in NAMES["CODE"](NOTES)}
    anchors: dict[str, set[str]] = {}
    for query in (*queries, *chain.from_iterable(topics.values())):
        assert len(set(query.answers)) == len(query.answers), query.id
        answering = {each.partition("#")[0] for each in query.answers}
        assert len(answering) <= MOST_PAGES, query.id
        assert answering.isdisjoint(query.deeper), query.id
        assert {*query.deeper} <= pages, query.id
        for page, _, section in (answer.partition("#") for answer in query.answers):
            assert page in pages, query.id
            if section:
                known = anchors.setdefault(page, sections(page))
                assert section in known, f"{query.id}: {page}#{section}"


def test_the_wording_of_symptoms_comes_from_threads_with_odd_numbers(
    queries: list[OwnQuery],
) -> None:
    symptoms = [query for query in queries if query.kind == "symptom"]
    for query in symptoms:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+#\d*[13579]", query.thread), query.id
    used = Counter((query.lang, query.thread) for query in symptoms)
    assert max(used.values()) == 1


def test_each_half_is_large_enough_in_each_language(halves: dict[str, list[OwnQuery]]) -> None:
    for half, entries in halves.items():
        counts = Counter((query.lang, query.kind) for query in entries)
        for lang in LANGUAGES:
            assert counts[lang, "symptom"] >= 50, half
            assert counts[lang, "unanswered"] >= 50, half
            assert sum(counts[lang, kind] for kind in KINDS) >= 150, half


def test_the_halves_follow_from_the_texts(queries: list[OwnQuery]) -> None:
    assert {query.id: query.half for query in queries} == expected_halves(queries)


def test_the_texts_of_the_unseen_half_are_those_that_were_committed(
    halves: dict[str, list[OwnQuery]],
) -> None:
    assert digest(halves["unseen"]) == UNSEEN
    assert UNSEEN in README.read_text(encoding="utf-8")


def test_no_query_was_judged_before(queries: list[OwnQuery]) -> None:
    judged = [
        bare(entry["query"])
        for name in JUDGED
        for entry in yaml.load((ROOT / name).read_text(encoding="utf-8"), Loader=LOADER)
    ]
    assert not {bare(query.query) for query in queries} & set(judged)


def test_the_report_counts_every_query(halves: dict[str, list[OwnQuery]]) -> None:
    lines = report(halves)
    counts = [int(count) for line in lines[: -len(HALVES)] for count in line.split()[2:]]
    assert sum(counts) == sum(len(entries) for entries in halves.values())
    assert lines[-1] == f"unseen {len(halves['unseen'])} {UNSEEN}"


@pytest.mark.parametrize("topic", UNSEEN_OF_TOPICS)
def test_the_queries_about_a_topic_are_sixty_and_their_unseen_half_is_as_it_was_committed(
    topics: dict[str, list[OwnQuery]], topic: str
) -> None:
    entries = topics[topic]
    assert {query.id: query.half for query in entries} == expected_halves(entries)
    unseen = [query for query in entries if query.half == "unseen"]
    assert len(entries) >= 60
    assert digest(unseen) == UNSEEN_OF_TOPICS[topic]
    assert UNSEEN_OF_TOPICS[topic] in README.read_text(encoding="utf-8")


def test_no_query_stands_in_two_collections(
    queries: list[OwnQuery], topics: dict[str, list[OwnQuery]]
) -> None:
    texts = [bare(query.query) for query in (*queries, *chain.from_iterable(topics.values()))]
    assert len(set(texts)) == len(texts)
