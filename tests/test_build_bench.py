"""The benchmark of builds: what it runs, and the table that it prints."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.build.generate import generate
from benchmarks.build.generators import GENERATORS, Generator, Missing
from benchmarks.build.measure import BuildError, Cost, run
from benchmarks.build.run import measure, spread, table

from tests.project import ROOT


def test_every_generator_has_settings_or_says_why_not(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    generate(8, notes)
    names = []
    for number, maker in enumerate(GENERATORS):
        folder = tmp_path / str(number)
        folder.mkdir()
        made = maker(notes, folder)
        names.append(made.name)
        assert isinstance(made, Missing) or made.command
    assert len(set(names)) == len(GENERATORS)


# A program's peak is never below that of the process that started it, so a small one starts both.
_MEASURED = """
import sys
from pathlib import Path
from benchmarks.build.measure import run
both = "import os\\nif os.fork(): os.wait()\\nelse:\\n x = b'x' * 90_000_000; sum(range(3_000_000))"
costs = [run([sys.executable, "-c", code], Path("log"), Path(), {}) for code in ("pass", both)]
assert costs[1].cpu > costs[0].cpu, costs
assert costs[1].memory > costs[0].memory, costs
"""


def test_a_program_is_measured_with_all_that_it_starts(tmp_path: Path) -> None:
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "tools")))
    measured = [sys.executable, "-c", _MEASURED]
    subprocess.run(measured, cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}, check=True)
    with pytest.raises(BuildError, match="no such thing"):
        run([sys.executable, "-c", "exit('no such thing')"], tmp_path / "log", tmp_path, {})


def test_one_that_fails_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    good = Generator("good", [sys.executable, "-c", ""], tmp_path / "site", tmp_path)
    bad = Generator("bad", [sys.executable, "-c", "exit('broken')"], tmp_path / "site", tmp_path)
    costs, failures = measure([good, bad, Missing("gone", "not here")], 2, tmp_path)
    assert {name: len(each) for name, each in costs.items()} == {"good": 2}
    assert failures == {"bad": "broken", "gone": "not here"}


def test_ratios_are_made_within_a_round() -> None:
    costs = {
        "ours": [Cost(1.0, 2.0, 100.0), Cost(4.0, 4.0, 110.0)],
        "MkDocs + Material": [Cost(2.0, 2.0, 90.0), Cost(4.0, 8.0, 90.0)],
    }
    ours = table(costs).splitlines()[2]
    assert ours.endswith("| 0.75 [0.50, 1.00] | 0.75 [0.50, 1.00] |")
    assert spread([1.0]) == "1.0"
