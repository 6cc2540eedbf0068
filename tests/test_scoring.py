"""Scores of pages: which page comes first, and why. The browser's engine has the same tests."""

from __future__ import annotations

import pytest

from perfnotes.search.analysis import Slot
from perfnotes.search.constants import NAMED
from perfnotes.search.lookup import Hits
from perfnotes.search.scoring import Ranked, Scored, best_block, loosened, said_once, score


def ranked(**scores: float) -> Ranked:
    return Ranked({int(page[1:]): Scored(value) for page, value in scores.items()})


def values(found: Ranked) -> dict[int, float]:
    return {page: scored.value for page, scored in found.scores.items()}


def test_pages_that_the_query_names_come_first() -> None:
    found = ranked(p1=2.0, p2=1.0, p3=3.0)
    found.put_first({3: 1, 2: 0, 4: 1})
    assert found.order(set(), "en") == [2, 3, 4, 1]


def test_a_page_with_a_name_in_the_query_is_favoured_unless_it_is_named_already() -> None:
    found = ranked(p1=2.0, p2=1.0)
    found.put_first({2: 1})
    named = found.scores[2].value
    found.favour([1, 2, 9], 0.5)
    assert values(found) == {1: 3.0, 2: named}
    assert named >= NAMED


def test_the_better_of_two_searches_counts() -> None:
    found = ranked(p1=2.0, p2=1.0)
    assert found.take_better(ranked(p1=2.0, p2=4.0, p3=1.0), 0.5)
    assert values(found) == {1: 2.0, 2: 2.0, 3: 0.5}
    assert not found.take_better(Ranked({}), 1.0)


@pytest.mark.parametrize(("lang", "pages"), [("en", [1, 3]), ("zh", [2, 3])])
@pytest.mark.parametrize(("original", "twin"), [(5.0, 1.0), (1.0, 5.0)])
def test_a_note_and_its_twin_are_one_result_with_the_better_score(
    lang: str, pages: list[int], original: float, twin: float
) -> None:
    for found in (ranked(p1=original, p2=twin, p3=3.0), ranked(p2=twin, p1=original, p3=3.0)):
        assert found.order({2}, lang) == pages


def test_equal_scores_are_ordered_by_page() -> None:
    assert ranked(p4=1.0, p2=1.0, p3=1.0 + 1e-9).order(set(), "en") == [2, 3, 4]


def test_the_block_that_contributes_most_is_shown() -> None:
    found = Ranked({1: Scored(1.0, {4: 1.0, 2: 3.0, 7: 3.0}), 2: Scored(1.0)})
    assert [best_block(page, found) for page in (1, 2, 3)] == [2, 0, 0]


def rows(*hits: dict[int, tuple[int, int]], kind: str = "word") -> list[tuple[Slot, Hits]]:
    return [(Slot(f"w{at}", kind, at), Hits(pages, df=len(pages))) for at, pages in enumerate(hits)]


def test_a_page_with_every_word_beats_one_with_one_word_twice_as_often() -> None:
    both = {1: (1000, 0)}
    found = score(rows({**both, 2: (2000, 0)}, both), lambda _: 1000)
    assert found.order(set(), "en") == [1, 2]


def test_the_words_of_a_note_and_of_its_twin_count_together() -> None:
    """Page 2 translates page 1: one has the first word, the other both. No page translates 3."""
    words = rows({1: (2000, 5), 2: (1000, 4), 3: (2000, 0)}, {2: (1000, 3)})
    apart, joined = (score(words, lambda _: 1000, twins) for twins in ((), {2}))
    whole = score(rows({1: (2000, 5)}, {1: (1000, 3)}), lambda _: 1000)
    assert joined.scores[1].value == joined.scores[2].value == whole.scores[1].value
    assert joined.scores[1].value > max(apart.scores[page].value for page in (1, 2))
    assert joined.scores[3].value == apart.scores[3].value
    assert [list(joined.scores[page].blocks) for page in (1, 2)] == [[5], [4, 3]]


def test_words_of_the_translation_alone_count_for_the_note_too() -> None:
    found = score(rows({2: (1000, 0)}, {1: (1000, 0), 2: (500, 1)}), lambda _: 1000, {2})
    whole = score(rows({1: (1000, 0)}, {1: (1000, 1)}), lambda _: 1000)
    assert found.scores[1].value == found.scores[2].value == whole.scores[1].value


def test_the_score_of_a_symptom_goes_to_both_languages_of_its_note() -> None:
    found = ranked(p1=1.0, p2=1.0, p3=9.0)
    found.fold({3: 1}, {2})
    assert found.scores[1] == found.scores[2]
    assert [found.answering_symptom(page, {2}) for page in (1, 2)] == [3, 3]


def test_a_word_that_is_repeated_counts_once() -> None:
    slots = [("ms", "word"), ("线程", "pair"), ("ms", "word"), ("线程", "pair"), ("秒", "char")]
    kept = said_once((Slot(term, kind, at), Hits()) for at, (term, kind) in enumerate(slots))
    assert [slot.at for slot, _ in kept] == [0, 1, 3, 4]


def test_a_score_falls_with_the_square_of_what_a_page_lacks() -> None:
    """Pages 1 to 3 have one, two and four of four words, each word as often."""
    page = (1000, 0)
    hits = ({1: page, 2: page, 3: page}, {2: page, 3: page}, {3: page}, {3: page})
    found = values(score(rows(*hits), lambda _: 1000))
    whole = found[3] / 4
    shares = {1: found[1] / whole, 2: found[2] / (2 * whole)}
    least = (shares[1] - 1 / 16) / (1 - 1 / 16)
    assert 0 <= least < 0.5
    assert shares[2] == pytest.approx(least + (1 - least) / 4)


def test_two_words_as_one_add_to_a_score_and_are_not_asked_for() -> None:
    page = {1: (1000, 0), 2: (1000, 0)}
    joined = [(Slot("ab", "both", 0), Hits({2: (1000, 0)}, df=1))]
    found = values(score([*rows(page, page), *joined], lambda _: 1000))
    assert found[1] == pytest.approx(values(score(rows(page, page), lambda _: 1000))[1])
    assert found[2] > found[1]


@pytest.mark.parametrize(
    ("frequencies", "kinds"),
    [
        ((9000, 10, 9000), "pair loose pair"),
        ((9000, 10, 12), "pair pair pair"),  # the second and third form a word
        ((12, 10, 9000), "pair pair pair"),
        ((10, 9000), "pair pair"),  # there is no word before it
    ],
)
def test_a_pair_across_two_words_is_rarer_than_both_its_neighbours(
    frequencies: tuple[int, ...], kinds: str
) -> None:
    found = loosened((Slot("字", "pair", at), Hits({}, df=df)) for at, df in enumerate(frequencies))
    assert [slot.kind for slot, _ in found] == kinds.split()
