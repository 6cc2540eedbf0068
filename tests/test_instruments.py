"""The contract of instruments, and those that read time, memory and output of programs."""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator

import jsonschema_rs
import pytest

from perfnotes.labs.box import LabError
from perfnotes.labs.instruments import instruments
from tests.instrument_box import Box, box_with_programs, measure, values

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    with box_with_programs(tmp_path_factory) as box:
        yield box


def test_every_instrument_keeps_the_contract() -> None:
    names = (
        "allocator cachegrind callgrind json mca memory nogpu objdump output pairs perf ptxas size"
    )
    assert sorted(instruments()) == sorted([*names.split(), "sass", "software", "strace"])
    for module in instruments().values():
        schema = module.OPTIONS
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert schema["required"]
        jsonschema_rs.meta.validate(dict(schema))
        assert "uantit" in (module.__doc__ or "")


def test_json(box: Box) -> None:
    found = measure(box, "json", command="./p hold 3", units={"each": "B"})
    assert list(found.quantities["held"].samples) == [
        3,
    ]
    assert list(found.quantities["each"].samples) == [64, 64]
    assert found.quantities["each"].unit == "B"
    assert found.output.startswith("held 3\n")
    with pytest.raises(LabError, match=r"printed `one two three`"):
        measure(box, "json", command="./p exit 0")


def test_pairs_interleave_and_alternate(box: Box) -> None:
    note = "import sys; print(sys.argv[1], file=open('order', 'a')); print('said', sys.argv[1])"
    (box.path / "note.py").write_text(note)
    commands = {"a": f"{sys.executable} note.py a", "b": f"{sys.executable} note.py b"}
    found = measure(box, "pairs", commands=commands, pairs=3)
    assert (box.path / "order").read_text().split() == "a b  a b  b a  a b".split()
    assert found.output == "said a\nsaid b\n"
    assert set(found.quantities) == {"a", "b", "a_wall", "b_wall"}
    assert all(len(q.samples) == 3 and q.unit == "s" for q in found.quantities.values())
    with pytest.raises(LabError, match="a_wall is the wall time of a"):
        measure(box, "pairs", commands={"a": "true", "a_wall": "true"})


def test_pairs_see_a_difference(box: Box) -> None:
    commands = {"more": "./p spin 40000000", "less": "./p spin 10000000"}
    found = measure(box, "pairs", commands=commands, pairs=3).quantities
    pairs = zip(found["more"].samples, found["less"].samples, strict=True)
    assert sorted(more / less for more, less in pairs)[1] > 2


def test_memory_counts_touched_pages(box: Box) -> None:
    few = values(box, "memory", command="./p touch 0")
    many = values(box, "memory", command="./p touch {n}")
    # A few pages more or less: where the stack and the libraries lie differs from run to run.
    assert abs(many["minor_faults"] - few["minor_faults"] - 4096) <= 32
    assert measure(box, "memory", command="./p").quantities["max_rss"].unit == "B"
    assert many["max_rss"] >= 4096 * resource.getpagesize()


def test_output(box: Box) -> None:
    found = measure(box, "output", command="./p exit 3", status=3)
    assert found.output == "one\ntwo\nthree"
    assert list(found.quantities["lines"].samples) == [
        3,
    ]
    assert list(found.quantities["exit_status"].samples) == [
        3,
    ]
    with pytest.raises(LabError, match="status 3"):
        measure(box, "output", command="./p exit 3")
