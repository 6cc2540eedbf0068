"""The instrument ``allocator``: real programs with each of the allocators."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from perfnotes.labs.box import CannotRunError, LabError
from perfnotes.labs.instruments import _preload, instruments
from tests.instrument_box import Box, box_with_programs, measure, run

pytestmark = pytest.mark.slow
ALL = ["glibc", "tcmalloc", "jemalloc", "mimalloc"]


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    with box_with_programs(tmp_path_factory) as box:
        yield box


def test_allocators_are_used_and_told_apart(box: Box) -> None:
    found = measure(box, "allocator", command="./p hold {n}", allocators=ALL, statistics=True)
    quantities = {name: samples.samples for name, samples in found.quantities.items()}
    for allocator in ALL:
        assert quantities[f"{allocator}_held"] == (4096,)
        assert quantities[f"{allocator}_each"] == (64, 64)
        assert quantities[f"{allocator}_max_rss"][0] > 4096 * 64
        assert quantities[f"{allocator}_system"][0] >= 4096 * 64
    for allocator in ALL[:3]:
        in_use = quantities[f"{allocator}_in_use"][0]
        assert 4096 * 64 <= in_use <= quantities[f"{allocator}_system"][0]
    assert found.quantities["glibc_in_use"].unit == "B"
    assert "mimalloc_in_use" not in quantities


def test_allocator_statistics_follow_the_program(box: Box) -> None:
    def in_use(n: int) -> dict[str, float]:
        command = f"./p hold {n}"
        found = measure(box, "allocator", command=command, allocators=ALL[:3], statistics=True)
        return {a: found.quantities[f"{a}_in_use"].samples[0] for a in ALL[:3]}

    few, many = in_use(10_000), in_use(20_000)
    # glibc: 64 bytes and a header of 8, rounded up to 80; the others have a class of 64, and
    # fetch some objects ahead.
    assert many["glibc"] - few["glibc"] == 10_000 * 80
    assert many["tcmalloc"] - few["tcmalloc"] == pytest.approx(10_000 * 64, rel=0.05)
    assert many["jemalloc"] - few["jemalloc"] == pytest.approx(10_000 * 64, rel=0.05)


def test_allocator_that_is_not_loaded(box: Box) -> None:
    with pytest.raises(LabError, match=r"jemalloc was not loaded: .* linked statically"):
        measure(box, "allocator", command="./static hold 9", allocators=["jemalloc"])
    other = run("allocator", command="./p hold 9", allocators=["tcmalloc"])
    library = _preload.find("jemalloc", other, box)
    subprocess.run(
        ["gcc", "-o", "linked", "p.c", "-w", "-Wl,--no-as-needed", library],
        cwd=box.path,
        check=True,
    )
    with pytest.raises(LabError, match=r"glibc was not used: malloc of .* is from .*libjemalloc"):
        measure(box, "allocator", command="./linked hold 9", allocators=["glibc"])
    with pytest.raises(LabError, match="this instrument sets LD_PRELOAD"):
        measure(box, "allocator", command="./p", env={"LD_PRELOAD": "x.so"})


def test_allocator_of_any_program(box: Box) -> None:
    found = measure(box, "allocator", command="./p touch 1", allocators=["mimalloc"])
    assert set(found.quantities) == {"mimalloc_max_rss"}
    needed = instruments()["allocator"].needs(run("allocator", command="x", allocators=ALL))
    assert needed.debian == ("libtcmalloc-minimal4", "libjemalloc2", "libmimalloc2.0")


def test_allocator_without_its_library(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_preload, "LIBRARIES", {"jemalloc": (r"libnosuch\.so",)})
    with pytest.raises(CannotRunError, match=r"the library of jemalloc \(Debian: libjemalloc2\)"):
        measure(box, "allocator", command="./p", allocators=["jemalloc"])
