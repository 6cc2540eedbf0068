"""Which results answer: symptoms, where a result opens, what is not answered, what is left out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from perfnotes.graph.site import Site
from perfnotes.search.analysis import analyse
from perfnotes.search.codec import impact_of
from perfnotes.search.confidence import QueryWeights, is_doubtful, least_score, worth_listing
from perfnotes.search.document import Block, SearchDocument
from perfnotes.search.evaluate import by_class, evaluate, read_judged
from perfnotes.search.impacts import postings_of
from perfnotes.search.landing import opens_at_section, section_share
from perfnotes.search.query import Engine
from perfnotes.search.shards import Shards
from perfnotes.search.symptoms import FILE, other_words
from perfnotes.site.searchable.changed import documents_after
from tests.project import ROOT
from tests.sampling import at_even_distances
from tests.search_index import index_of, write_folder

QUERIES = ROOT / "benchmarks" / "search" / "own_queries_seen.yml"


def note(id: str, title: str, *blocks: Block, **more: object) -> SearchDocument:
    found = SearchDocument(id, f"{id}/", title, "en", "note", blocks, names=(title,))
    return replace(found, **more)


def symptom(of: SearchDocument, id: str, see: str, confirm: str, anchor: str) -> SearchDocument:
    return SearchDocument(
        of.id, of.url, of.title, of.lang, "note", (Block(anchor, see, confirm),), symptom=id,
        is_twin=of.is_twin,
    )  # fmt: skip


SHARING = note(
    "caches/sharing",
    "False sharing",
    Block("", "", "Two variables in one line."),
    Block("padding", "Padding", "Give each counter a line of its own, by padding to 64 bytes."),
)
TWIN = replace(
    SHARING, url="zh/caches/sharing/", title="伪共享", lang="zh", names=("伪共享",), is_twin=True,
    blocks=(Block("", "", "两个变量在同一行。"), Block("padding", "填充", "让计数器独占一行。")),
)  # fmt: skip
DOCUMENTS = [
    SHARING,
    TWIN,
    symptom(SHARING, "slower", "Two threads are slower than one.", "perf c2c shows it.", "padding"),
    symptom(TWIN, "slower", "两个线程比单线程还慢。", "perf c2c 会显示。", "padding"),
    note("cpu/threads", "Threads", Block("", "", "How threads are started, and a thread's stack.")),
    note("cpu/clock", "Clock frequency", Block("", "", "A slow clock makes all of it slow.")),
]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(dict(Shards().files(DOCUMENTS)).get)


@pytest.fixture(scope="module")
def own(own_index: dict[str, bytes]) -> Engine:
    return Engine(own_index.get)


def test_a_symptom_is_found_as_a_part_of_its_note(engine: Engine) -> None:
    answer = engine.search("two threads slower than one")
    first = answer.results[0]
    assert (first.id, first.is_symptom) == ("caches/sharing", True)
    assert (first.section, first.text) == ("Two threads are slower than one.", "perf c2c shows it.")
    assert [r.id for r in answer.results].count("caches/sharing") == 1
    assert {r.id for r in engine.search("type:note").results} == {
        "caches/sharing", "cpu/threads", "cpu/clock",
    }  # fmt: skip


def test_a_symptom_is_shown_in_the_readers_language(engine: Engine) -> None:
    first = engine.search("two threads slower than one", "zh").results[0]
    assert (first.section, first.url) == ("两个线程比单线程还慢。", "zh/caches/sharing/")
    assert engine.search("线程比单线程慢").results[0].section == "Two threads are slower than one."


def test_a_symptom_is_found_by_other_words_for_the_same(engine: Engine) -> None:
    assert "sluggish" in other_words("Two threads are slower than one.")
    assert "慢" not in other_words("Two threads are slower than one.")
    first = engine.search("sluggish with several workers").results[0]
    assert (first.id, first.is_symptom) == ("caches/sharing", True)


def test_a_symptom_is_found_by_what_others_say(engine: Engine) -> None:
    said = replace(DOCUMENTS[2], extra="counters ping-pong\nno speedup from OpenMP")
    other = Engine(dict(Shards().files([*DOCUMENTS[:2], said, *DOCUMENTS[3:]])).get)
    assert engine.search("counters ping-pong without speedup").results[0].id == "caches/sharing"
    first = other.search("no speedup from OpenMP").results[0]
    assert (first.id, first.section) == ("caches/sharing", "Two threads are slower than one.")
    assert "OpenMP" not in first.section + first.text


def test_lines_of_words_for_the_same_have_several_words_each_once() -> None:
    for line in json.loads(FILE.read_text("utf-8")):
        assert len(line) == len(set(line)) > 1, line


def test_a_note_named_by_the_query_shows_no_symptom(engine: Engine) -> None:
    first = engine.search("false sharing").results[0]
    assert (first.id, first.is_symptom, first.anchor) == ("caches/sharing", False, "")


@pytest.mark.parametrize(
    ("heading", "share", "asked", "opens"),
    [
        ("Padding the counters", 0.6, QueryWeights(1, 0, 3), True),
        ("Padding the counters", 0.3, QueryWeights(1, 0, 3), False),  # most of it stands elsewhere
        (
            "What to do about it",
            0.6,
            QueryWeights(1, 0, 3),
            False,
        ),  # nobody asked for one of these words
        ("What to do about it", 0.6, QueryWeights(1, 0, 3, has_code=True), False),
        ("What to do about it", 0.8, QueryWeights(1, 0, 3, has_code=True), True),
        ("What to do about it", 0.8, QueryWeights(1, 0, 3), False),
        (
            "What to do about it",
            0.92,
            QueryWeights(1, 0, 3),
            True,
        ),  # hardly anything stands elsewhere
        ("What to do about it", 0.92, QueryWeights(1, 0, 1), False),
        (
            "What to do about it",
            1.0,
            QueryWeights(1, 0, 1),
            True,
        ),  # the page has the word nowhere else
        ("计数器的填充", 0.6, QueryWeights(1, 0, 3), False),
    ],
)
def test_a_result_opens_at_a_section_that_clearly_is_the_answer(
    heading: str, share: float, asked: QueryWeights, opens: bool
) -> None:
    assert opens_at_section(heading, share, {"padding", "line"}, asked) is opens


def test_blocks_of_one_section_share_its_evidence() -> None:
    blocks = {0: 1.0, 7: 2.0, 8: 1.0}
    assert section_share(blocks, ["a", "b", "b"], 7) == 0.75
    assert section_share(blocks, ["", "a"], 0) == 0.25
    assert section_share({}, [""], 0) == 0.0


def test_signs_of_names_are_found() -> None:
    tests = note("bash/tests", "Tests: [ ] or [[ ]]", Block("", "", "Quote variables in a test."))
    named = replace(tests, names=("Tests: [ ] or [[ ]]", "[[ =~ ]]"))
    other = note("cpu/re", "The re module", Block("", "", "A module re of Python, and x."))
    engine = Engine(dict(Shards().files([other, named])).get)
    assert engine.search("[[ $x =~ $re ]]").results[0].id == "bash/tests"
    assert engine.search("[ ] vs [[ ]]").results[0].id == "bash/tests"
    assert engine.search("the re module >>>!!").results[0].id == "cpu/re"
    assert analyse("[[ a && b ]] || '2>&1' ... --").signs == ("?[[?", "?&&?", "?]]?", "?||?")
    assert analyse("${var:-word} or -- alone").signs == ("?${?", "?:-?", "?--?")


@pytest.mark.parametrize(
    "query",
    ["__rdtsc", "__builtin_prefetch", "std::vector", "a->b", "ps --sort", "__init__", "main()"],
)
def test_what_belongs_to_a_name_is_no_sign(query: str) -> None:
    """A page with another such name in its title has nothing to do with it."""
    assert analyse(query).signs == ()
    assert [slot.is_option for slot in analyse("numactl --interleave").slots] == [False, True]


def test_a_name_in_capitals_is_not_the_beginning_of_a_longer_word() -> None:
    subsequence = note("dp/basic", "Subsequences", Block("", "", "The LIS of a row of numbers."))
    linked = note("dp/list", "Linked list", Block("", "", "A list of nodes, and lists of these."))
    engine = Engine(dict(Shards().files([linked, subsequence])).get)
    assert [result.id for result in engine.search("LIS").results] == ["dp/basic"]
    assert {result.id for result in engine.search("lis").results} == {"dp/basic", "dp/list"}


def test_all_pages_with_a_name_of_code_are_listed() -> None:
    """A page that has it once in a long text says next to nothing of it, and is wanted still."""
    named = note("gpu/copies", "cudaMemcpyAsync", Block("", "", "cudaMemcpyAsync returns. " * 9))
    aside = note("gpu/other", "Other", Block("", "", "Words of no use. " * 400 + "cudaMemcpyAsync"))
    engine = Engine(dict(Shards().files([named, aside])).get)
    assert [r.id for r in engine.search("cudaMemcpyAsync").results] == ["gpu/copies", "gpu/other"]
    assert engine.search("copies").total == 1


def test_words_that_no_page_has_make_an_answer_doubtful(engine: Engine) -> None:
    assert not engine.search("two threads slower than one").is_weak
    assert not engine.search("false sharing").is_weak
    assert engine.search("slow minecraft server with forty players").is_weak
    assert engine.search("zzzz").is_weak
    assert engine.search('"no such phrase"').is_weak
    assert not engine.search('"slow clock" zzzz').is_weak
    assert QueryWeights(0.0, 0.0, 0).evidence(0.0, set(), 0, is_note=True) == {}
    assert not is_doubtful({})


def test_words_that_the_first_result_lacks_make_an_answer_doubtful() -> None:
    """They do even if other notes have them. A twin and a symptom have words for their note."""
    clock = note("cpu/clock", "The clock", Block("", "", "A clock that runs slowly at night."))
    twin = note("cpu/clock", "时钟", Block("", "", "夜里变慢的时钟。"), lang="zh", is_twin=True)
    seen = symptom(clock, "late", "Everybody arrives after breakfast.", "Look at it.", "")
    others = [note(f"a/{i}", f"Letter {i}", Block("", "", "A minecraft server.")) for i in range(3)]
    engine = Engine(dict(Shards().files([clock, twin, seen, *others])).get)

    def absent(query: str) -> list[float]:
        answer = engine.search(query)
        assert answer.results[0].id == "cpu/clock"
        return [answer.evidence["absent"], answer.evidence["rarest"]]

    assert absent("slowly at night") == [0, 0]
    assert absent("night 变慢的") == [0, 0]
    assert absent("night breakfast") == [0, 0]
    assert absent("night 7 43000 3.2G") == [0, 0]
    one = absent("slowly runs clock night minecraft")
    assert 0 < one[0] == one[1] < 0.5
    both = absent("slowly runs clock night minecraft server")
    assert both[0] > one[0]
    assert both[1] < both[0]
    assert engine.store.with_parts(0) == engine.store.with_parts(1) == {0, 1, 2}
    assert engine.store.with_parts(3) == {3}


@pytest.mark.slow
def test_our_notes_tell_when_they_have_no_answer_and_seldom_wrongly(own: Engine) -> None:
    """The judged queries that the weights were fitted to; every fourth of those with an answer."""
    judged = read_judged(QUERIES)
    without = [query for query in judged if query.kind == "unanswered" and not query.pages]
    answered = [query for query in judged if query.pages][::4]
    told = [own.search(query.query, query.lang, 1).is_weak for query in without]
    wrongly = [query.query for query in answered if own.search(query.query, query.lang, 1).is_weak]
    assert len(without) > 100
    assert sum(told) >= 0.9 * len(told)
    assert len(wrongly) <= 0.02 * len(answered), wrongly


def test_a_subject_that_no_note_is_about_is_told_and_shown() -> None:
    wanted = note("help-wanted", "Help wanted", Block("", "", "What is to do."), type="page")
    subject = symptom(wanted, "databases", "Databases", "No notes are about these.", "outside")
    subject = replace(subject, type="page", extra="postgres\nslow queries of mysql")
    engine = Engine(dict(Shards().files([*DOCUMENTS, wanted, subject])).get)
    assert engine.store.subjects == {len(DOCUMENTS) + 1}
    answer = engine.search("why is postgres slow with several threads")
    assert answer.is_weak
    assert answer.evidence["rival"] > 0
    first = engine.search("slow queries of mysql and postgres").results[0]
    assert (first.id, first.section, first.anchor) == ("help-wanted", "Databases", "outside")
    assert not engine.search("two threads slower than one").is_weak
    assert not Engine(dict(Shards().files(DOCUMENTS)).get).store.subjects


def test_pages_that_say_next_to_nothing_are_not_listed() -> None:
    scores = {1: 1.0, 2: 0.1, 3: 2.0}
    assert worth_listing([3, 1, 2], scores, least_score(scores.values())) == [3, 1]
    named = {1: 1.0, 2: 0.1, 3: 2_000_000.5}
    assert worth_listing([3, 1, 2], named, least_score(named.values())) == [3, 1]
    assert worth_listing([2], scores, least_score(scores.values())) == [2]  # a filter left it alone
    assert worth_listing([], {}, least_score([])) == []


def test_a_command_with_a_short_option_is_one_term(own: Engine, tmp_path: Path) -> None:
    assert [s.term for s in analyse("set -e in a script").slots] == ["set-e", "script"]
    assert [s.term for s in analyse("-e set").slots] == ["e", "set"]
    assert own.search("set -e").results[0].id == "bash/strict-mode"
    notes = {
        "a.md": "# Settings\n\nA set of settings; set e to 1, and set it again.\n",
        "b.md": "# Failures\n\nWith `set -e` a script ends at the first failure.\n",
    }
    answer = Engine(index_of(write_folder(tmp_path, notes)).get).search("set -e")
    assert [r.id for r in answer.results] == ["b"]


@pytest.mark.parametrize("query", ["set", "bank", "set variable", "bank account"])
def test_a_common_word_is_not_replaced_by_the_names_of_a_term(own: Engine, query: str) -> None:
    expanded = own.search(query).expanded
    assert not {"cache set", "DRAM bank"} & set(expanded)


@pytest.mark.parametrize("query", ["pipefail", "UVM", "NUMB"])
def test_an_identifier_is_not_taken_for_a_typo_of_another(own: Engine, query: str) -> None:
    assert own.search(query).corrected == []


def test_a_hyphenated_name_is_found_without_its_hyphen(own: Engine) -> None:
    assert "SMT" in own.search("hyperthreading").expanded


def test_a_list_of_pages_comes_after_a_page_about_the_subject(own: Engine) -> None:
    assert own.search("屋顶线", "zh").results[0].id == "cpu/roofline"


def test_a_chinese_title_is_not_long_because_it_is_cut_into_pairs() -> None:
    chinese, _ = postings_of(note("a", "多线程程序的内存分配"), 0)
    english, _ = postings_of(note("b", "Memory allocation in threaded programs"), 0)
    assert impact_of(chinese["线程"]) == impact_of(english["threaded"])


def test_words_in_one_section_count_more_than_the_same_words_apart(tmp_path: Path) -> None:
    text = "# {}\n\nNothing.\n\n## One\n\n{}\n\n## Two\n\n{}\n"
    notes = {
        "a.md": text.format("First", "A cache is small.", "A line of text is long."),
        "b.md": text.format("Second", "A cache is small; a line of text is long.", "No more."),
    }
    answer = Engine(index_of(write_folder(tmp_path, notes)).get).search("cache line")
    assert [r.id for r in answer.results] == ["b", "a"]


def test_a_symptom_opens_at_the_top_of_its_note_unless_it_names_a_heading(
    own: Engine, own_site: Site
) -> None:
    traps = own_site.library.notes["bash/traps"]
    first = own.search("a second trap on EXIT replaces the first, no cleanup").results[0]
    opens = [s.opens for s in traps.meta.symptoms if s.see == first.section]
    assert (first.id, first.is_symptom, opens) == ("bash/traps", True, [first.anchor])
    assert first.anchor
    query = "going through a big two-dimensional array column by column is slow"
    first = own.search(query).results[0]
    assert (first.id, first.is_symptom, first.anchor) == ("caches/row-order", True, "")


@pytest.mark.slow
def test_every_symptom_of_our_notes_finds_its_note(
    own: Engine, own_site: Site, own_documents: list[SearchDocument], all_notes: bool
) -> None:
    """In the suite 200 of them are asked for, with ``--all-notes`` every one."""
    found = [d for d in own_documents if d.symptom and d.type == "note"]
    assert len(found) >= 300  # at least 150 in each of two languages
    found = at_even_distances(found, len(found) if all_notes else 200)
    queries = {d: re.sub('["“”]', " ", d.blocks[0].heading) for d in found}
    wrong = [q for d, q in queries.items() if own.search(q, d.lang, 1).results[0].id != d.id]
    assert len(wrong) <= len(found) // 50, wrong
    again = documents_after(own_documents, own_site, own_site, frozenset())
    assert again == own_documents


def test_landings_and_queries_without_an_answer_are_judged(engine: Engine, tmp_path: Path) -> None:
    queries = """
- {id: a, kind: symptom, lang: en, query: two threads slower than 1,
   answers: [caches/sharing#padding]}
- {id: b, kind: symptom, lang: en, query: false sharing, answers: [caches/sharing#padding]}
- {id: c, kind: unanswered, lang: zh, query: zzzz, answers: []}
- {id: d, kind: unanswered, lang: zh, query: clock frequency, answers: []}
"""
    file = tmp_path / "queries.yml"
    file.write_text(queries, encoding="utf-8")
    rows = by_class(evaluate(engine, read_judged(file), lambda _: 0, []))
    assert list(rows) == ["symptom, en", "unanswered, zh"]
    first, last = rows.values()
    assert (first.queries, first.success1, first.landed, first.wrongly) == (2, 1.0, 0.5, 0.0)
    assert (last.queries, last.unanswered, last.said) == (0, 2, 0.5)


def test_a_note_is_found_by_what_people_ask_which_no_result_shows() -> None:
    asked = replace(SHARING, asked="zwiebelkuchen histogram crawls on a laptop")
    found = [asked if document is SHARING else document for document in DOCUMENTS]
    first = Engine(dict(Shards().files(found)).get).search("zwiebelkuchen").results[0]
    assert (first.id, first.anchor) == ("caches/sharing", "")
    assert "zwiebelkuchen" not in f"{first.title} {first.section} {first.text}"
    without = Engine(dict(Shards().files(DOCUMENTS)).get)
    assert without.search("zwiebelkuchen").results == []
