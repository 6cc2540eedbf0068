"""Pictures of graphs: edges lead on, nothing overlaps, the same input gives the same places."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfnotes.site.layout.cards import cards, homes
from perfnotes.site.layout.layered import layered, spaced, without_cycles
from perfnotes.text.wrap import width, wrap


@pytest.mark.parametrize("seed", range(60))
def test_every_edge_leads_to_a_later_column_and_nothing_overlaps(seed: int) -> None:
    """... whatever the edges are, circles and loops included."""
    r = random.Random(seed)
    names = [f"n{i}" for i in range(r.randint(1, 12))]
    sizes = {name: r.uniform(10, 60) for name in names}
    edges = [(r.choice(names), r.choice(names)) for _ in range(r.randint(0, 24))]
    floors = {name: r.randint(0, 2) for name in names}
    plan = layered(sizes, edges, floors, gap=8)
    wanted = [(a, b) for a, b in dict.fromkeys(edges) if a != b]
    for a, b in without_cycles(list(sizes), wanted):
        assert plan.rank[a] < plan.rank[b]
        assert [column for column, _ in plan.bends[a, b]] == list(
            range(plan.rank[a] + 1, plan.rank[b])
        )
    assert set(plan.rank.values()) == set(range(max(plan.rank.values()) + 1))
    for column in set(plan.rank.values()):
        row = sorted((n for n in sizes if plan.rank[n] == column), key=lambda n: plan.place[n])
        for one, other in pairwise(row):
            free = plan.place[other] - plan.place[one] - (sizes[one] + sizes[other]) / 2
            assert free >= 8 - 1e-6
    assert all(plan.place[n] - sizes[n] / 2 >= -1e-6 for n in sizes)
    assert all(plan.place[n] + sizes[n] / 2 <= plan.extent + 1e-6 for n in sizes)
    assert layered(sizes, edges, floors, gap=8) == plan


def test_floors_keep_their_order_where_nothing_else_asks() -> None:
    plan = layered(dict.fromkeys("abc", 10.0), [], {"a": 2, "b": 0, "c": 2}, 5)
    assert plan.rank == {"a": 1, "b": 0, "c": 1}  # no column stays empty


def test_a_circle_is_broken_at_its_last_edge() -> None:
    edges = [("a", "b"), ("b", "c"), ("c", "a"), ("a", "c")]
    assert without_cycles(["a", "b", "c"], edges) == [("a", "b"), ("b", "c"), ("a", "c")]


def test_crossings_that_can_be_avoided_are_avoided() -> None:
    sizes = dict.fromkeys(["a", "b", "x", "y"], 10.0)
    plan = layered(sizes, [("a", "y"), ("b", "x")], {}, 5)
    assert (plan.place["a"] < plan.place["b"]) == (plan.place["y"] < plan.place["x"])


def test_what_stands_alone_follows_what_is_linked() -> None:
    sizes = dict.fromkeys(["alone", "a", "b"], 10.0)
    plan = layered(sizes, [("a", "b")], {}, 5)
    assert plan.place["alone"] - plan.place["a"] == 15
    assert plan.place["a"] == plan.place["b"]


def test_places_are_the_nearest_to_the_wanted_ones() -> None:
    sizes = dict.fromkeys("abc", 10.0)
    assert spaced(["a", "b", "c"], [0, 50, 100], sizes, 0) == [0, 50, 100]
    assert spaced(["a", "b"], [20, 20], sizes, 0) == [15, 25]


def test_cards_keep_groups_together_and_nodes_apart() -> None:
    # Two groups, one of them with more notes than a column holds, and a paper for each note.
    groups = [0] * 6 + [1] * 40 + [-1] * 46
    edges = [(i, 46 + i, 0.5) for i in range(46)] + [(0, 6, 1.0)]
    places = cards(groups, edges)
    assert places == cards(groups, edges)
    everyone = range(len(groups))
    apart = min(math.dist(places[a], places[b]) for a in everyone for b in everyone if a < b)
    assert apart > 0.6
    assert homes(groups, edges) == [0] * 6 + [1] * 40 + [0] * 6 + [1] * 40
    # The boxes around the two groups do not overlap.
    boxes = []
    for group in (0, 1):
        own = [places[i] for i in everyone if homes(groups, edges)[i] == group]
        xs, ys = zip(*own, strict=True)
        boxes.append((min(xs), min(ys), max(xs), max(ys)))
    one, other = boxes
    assert one[2] < other[0] or one[3] < other[1]
    assert cards([], []) == []
    assert cards([-1], []) == [(0.0, 0.2)]


def test_small_cards_stand_below_each_other_beside_a_large_one() -> None:
    groups = [0] * 16 + [group for group in range(1, 5) for _ in range(2)]
    places = cards(groups, [])
    corners = [places[groups.index(group)] for group in range(5)]
    assert [left for left, _ in corners[1:]] == [corners[1][0]] * 4
    assert corners[1][0] > 0
    tops = [top for _, top in corners[1:]]
    assert all(below - above > 4 for above, below in pairwise(tops))
    assert max(y for _, y in places) <= places[15][1], "the large one is the tallest"


def test_a_node_stands_where_most_of_its_edges_are() -> None:
    groups = [0, 1, 1, -1]
    assert homes(groups, [(0, 3, 0.9), (1, 3, 0.5), (2, 3, 0.5)])[3] == 1
    assert homes(groups, [(0, 3, 0.5), (1, 3, 0.5)])[3] == 0


@given(st.text(max_size=60), st.integers(4, 30), st.integers(1, 4))
def test_lines_hold_what_fits(text: str, ems: int, most: int) -> None:
    lines = wrap(text, ems, most)
    assert 1 <= len(lines) <= most
    assert all(width(line) <= ems for line in lines)


@pytest.mark.parametrize(
    ("text", "ems"),
    [
        ("What huge pages save", 11.458),
        ("PyTorch operator costs", 11.544),
        ("jitter, will-it fill (0.5 ms)?", 12.220),
        ("MMUs & TLBs: 64 KB pages", 13.692),
    ],
)
def test_a_text_is_as_wide_as_a_wide_typeface_sets_it(text: str, ems: float) -> None:
    """``ems`` is the sum of the advance widths in the file of DejaVu Sans 2.37."""
    assert ems <= width(text) <= 1.08 * ems


def test_lines_break_between_words_and_between_chinese_characters() -> None:
    assert wrap("rows against columns", 9, 5) == ["rows against", "columns"]
    assert wrap("缓存友好的代码：按行与按列", 5, 5) == ["缓存友好的", "代码：按行", "与按列"]
    assert wrap("DRAM 的突发与行", 5.5, 5) == ["DRAM 的突", "发与行"]
    assert wrap("one two three four five", 6.5, 2) == ["one two", "three four…"]
    assert wrap("one… two", 4, 1) == ["one…"]  # with one ellipsis, not two


def test_a_long_word_is_cut_in_one_pass() -> None:
    assert wrap("x" * 100_000, 9, 5) == ["x" * 12 + "…"]
