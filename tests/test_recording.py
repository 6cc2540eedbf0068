"""What a block that shows a recorded run has to show beside the output."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from perfnotes.graph.outputs import _first_difference
from perfnotes.graph.sessions import _setting, missing_commands


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("  export A=1  # one", "export A=1"),
        ("export COLOUR='#fff' # white", "export COLOUR='#fff'"),
        ("gcc -O2 -o a a.c", "gcc -O2 -o a a.c"),
        (". ./env.sh", ". ./env.sh"),
        ("source env.sh with arguments", ""),
        ("exported A=1", ""),
        ("export # nothing", ""),
        ("echo export A=1", ""),
    ],
)
def test_a_line_of_a_script_that_changes_the_shell(line: str, command: str) -> None:
    assert _setting(line) == command


def test_a_line_of_blanks_is_read_once() -> None:
    """A pattern that looked for the end of the command at each blank took hours for this line."""
    assert _setting(f"export a{' ' * 1_000_000}b\x00").startswith("export a ")


def test_a_block_is_not_searched_for_settings_without_end() -> None:
    settings = [f"export A{i}=1" for i in range(100_000)]
    lab: Any = SimpleNamespace(build=[])
    shown = "\n".join(f"$ {each}" for each in settings[:300])
    assert missing_commands(settings, lab, shown) == ["export A200=1"]
    assert missing_commands(settings[:200], lab, shown) == []


def test_lines_after_a_gap_are_looked_for_from_there_on() -> None:
    """Each gap is followed by a line further on; nothing before it is looked at again."""
    looked: list[int] = []

    class Recorded(list[str]):
        def index(self, line: str, start: int = 0, *_: Any) -> int:  # type: ignore[override]
            looked.append(start)
            return super().index(line, start)

    recorded = Recorded(str(i) for i in range(100))
    shown = [(0, text) for i in range(0, 100, 2) for text in ("...", str(i))]
    assert _first_difference([*shown, (0, "...")], recorded, 0) is None
    assert looked == [0, *range(1, 98, 2)]
    assert _first_difference([(0, "9"), (5, "..."), (9, "8")], recorded[9:], 0) == (9, "")
