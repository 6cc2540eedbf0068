"""The passages of a note that say most of a query, and the excerpts that the card shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfnotes.site.searchable.screens import Screens
from tests.example_notes import read_site, write_notes

FILLER = "\n\n".join(" ".join(f"filler{i}x{j}" for j in range(50)) + "." for i in range(4))
NOTE = f"""\
Rows come first; a stride is seen on this first screen.

{FILLER}

## Counting

A stride of one line counts every line. {"It is long. " * 30}The stride ends here.

| machine | lines | misses |
|---|--:|--:|
| old | 1 | 2 |
| prefetcher | 3 | 4 |

| you ask | in short |
|---|---|
| what is a bank? | a part of a DRAM chip |

## Program

```bash
one
two

perf stat --prefetcher
four
five
six
seven
```

After the program.

## Where to read on

All about the stride and the prefetcher.
"""


@pytest.fixture(scope="module")
def screens(tmp_path_factory: pytest.TempPathFactory) -> Screens:
    folder = write_notes(tmp_path_factory.mktemp("site"), {"caches/rows.md": NOTE})
    return Screens(read_site(folder))


def card(screens: Screens, query: str, place: str = "caches/rows") -> list[str]:
    return (screens.card(place, "en", query) or "").splitlines()


def test_what_is_in_sight_is_left_out(screens: Screens) -> None:
    found = card(screens, "stride")
    assert found[0] == "Counting"
    assert "first screen" not in " ".join(found)


def test_a_long_paragraph_is_cut_between_sentences(screens: Screens) -> None:
    found = card(screens, "line counts")
    assert found[1].startswith("A stride of one line counts every line. It is long.")
    assert found[2].endswith("It is long.")
    assert all(len(line.split()) <= 45 for line in found)


def test_a_section_is_shown_from_its_beginning_as_long_as_there_is_room(screens: Screens) -> None:
    found = card(screens, "perf stat")
    assert found[0] == "Program"
    lines = ["one", "two", "perf stat --prefetcher", "four", "five", "six", "seven"]
    assert found[1:] == [*lines, "After the program."]


def test_what_a_section_says_further_down_follows_its_beginning(screens: Screens) -> None:
    found = card(screens, "a part of a bank")
    assert found[:2] == ["Counting", found[1]]
    assert found[1].startswith("A stride of one line counts every line.")
    assert found[-1] == "what is a bank? · a part of a DRAM chip"
    assert found.count("Counting") == 1


def test_a_row_comes_with_the_head_of_a_wide_table(screens: Screens) -> None:
    found = card(screens, "old machine lines")
    at = found.index("machine · lines · misses")
    assert found[at + 1] == "old · 1 · 2"


def test_a_section_that_begins_on_the_first_screen_is_shown_from_where_the_screen_ends(
    tmp_path: Path,
) -> None:
    texts = " ".join(f"Sentence {i} says wall {'and more ' * 14}here." for i in range(12))
    note = f"Short.\n\n## Wall\n\n{texts}\n"
    screens = Screens(read_site(write_notes(tmp_path, {"caches/rows.md": note})))
    found = card(screens, "wall")
    assert found[0] == "Wall"
    assert "Sentence 0 " not in " ".join(found)
    assert found[1].startswith("Sentence ")


def test_sections_that_say_less_than_half_as_much_are_left_out(screens: Screens) -> None:
    assert "Program" not in card(screens, "stride of one line counts")
    assert {"Counting", "Program"} <= {*card(screens, "stride prefetcher program")}


def test_further_reading_is_not_shown(screens: Screens) -> None:
    assert "Where to read on" not in card(screens, "stride prefetcher all about")


def test_at_a_section_the_top_may_be_shown(screens: Screens) -> None:
    found = card(screens, "rows come first", "caches/rows#program")
    assert found[0] == "Rows before columns"
    assert found[1].startswith("Rows come first;")


def test_nothing_is_shown_for_words_that_the_note_lacks(screens: Screens) -> None:
    assert card(screens, "zebra") == []
    assert screens.card("caches/missing", "en", "stride") is None
