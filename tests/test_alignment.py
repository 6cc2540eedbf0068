"""Two texts aligned by lines: as difflib does it, and in bounded time."""

from __future__ import annotations

from difflib import SequenceMatcher, unified_diff
from itertools import pairwise
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from perfnotes.text import alignment
from perfnotes.text.alignment import changes, unified

LINES = st.lists(st.sampled_from([*"abcdefgh", "", "one line", "- x"]), max_size=40)


@given(LINES, LINES)
@settings(max_examples=200, deadline=None)
def test_a_short_text_is_compared_as_by_difflib(old: list[str], new: list[str]) -> None:
    theirs = unified_diff(old, new, "before", "now", lineterm="")
    assert list(unified(old, new, "before", "now")) == list(theirs)


@given(LINES, LINES, st.integers(0, 300))
@settings(max_examples=200, deadline=None)
def test_the_changes_of_a_long_text_make_the_new_one(
    old: list[str], new: list[str], most: int
) -> None:
    with mock.patch.object(alignment, "_MOST", most):
        found = changes(old, new)
    made: list[str] = []
    at = 0
    for tag, a, b, c, d in found:
        assert (a, c) == (at, len(made))
        assert (tag == "equal") == (old[a:b] == new[c:d])
        assert tag in ("equal", "replace" if b > a and d > c else "delete" if b > a else "insert")
        made += new[c:d]
        at = b
    assert (at, made) == (len(old), new)
    tags = [tag == "equal" for tag, *_ in found]
    assert all(one != other for one, other in pairwise(tags))


def test_difflib_compares_no_more_than_it_may() -> None:
    """Every second of 5,000 lines differs, for which difflib alone would search 2,500 times."""
    old = [f"line {i}" for i in range(5000)]
    new = [line if i % 2 else f"{line} changed" for i, line in enumerate(old)]
    compared: list[int] = []

    class Counting(SequenceMatcher[str]):
        def __init__(self, _: None, old: list[str], new: list[str]) -> None:
            compared.append(len(old) * len(new))
            super().__init__(None, old, new)

    with mock.patch.object(alignment, "SequenceMatcher", Counting):
        found = changes(old, new)
    assert [tag for tag, *_ in found] == ["replace", "equal"] * 2500
    assert sum(compared) == 2500
    alike = ["a", "b"] * 5000
    assert changes(alike, alike[1:]) == [("delete", 0, 1, 0, 0), ("equal", 1, 10000, 0, 9999)]
    other = ["b", "a", "c"] * 3000
    assert changes(alike, other) == [("replace", 0, 10000, 0, 9000)]
