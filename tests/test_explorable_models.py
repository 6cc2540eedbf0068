"""What things to try compute: simulations, counts, PyTorch and our notes give the same numbers."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest

from perfnotes.explorables import (
    autograd_graph,
    pipeline_schedule,
    ring_all_reduce,
    tensor_storage,
    warps_hiding_latency,
)
from perfnotes.graph.explorables import PlacedExplorable
from perfnotes.graph.site import Site
from tests.explore_notes import PICTURES, on_notes
from tests.project import ROOT

__all__ = ["on_notes"]  # the fixture


def test_the_numbers_of_the_start_are_those_of_the_notes(
    own_site: Site, on_notes: dict[tuple[str, str], PlacedExplorable]
) -> None:
    def bound(address: str) -> float:
        number = own_site.graph.evidence.find(address).number
        assert number is not None
        return number

    sets = PICTURES["cache-sets"]
    for stride, lines in ((4096, 64), (4160, 65)):
        misses = bound(f"lab:caches/power-of-two-strides#misses-{stride}")
        assert sets.numbers({}, (lines, 8))["misses"] == misses
    gpu = PICTURES["gpu-activity"]
    numbers = gpu.numbers({}, gpu.start)
    for name in ("util", "active", "occupancy"):
        assert numbers[name] == pytest.approx(bound(f"lab:gpu/gpu-util#{name}"))
    roofline = on_notes["roofline", "en"]
    layer = PICTURES["roofline"].numbers(roofline.constants, (3, 13, 1))
    assert layer["ridge"] == pytest.approx(bound("fact:h100-roofline/bf16-ridge"))
    assert roofline.constants["r8"] == pytest.approx(bound("lab:cpu/roofline#r8"))
    speed_up = PICTURES["speed-up"]
    share = bound("lab:cpu/amdahl-gustafson#s")
    given = {"share": share, "n": 16.0}
    assert speed_up.compute(given)["amdahl"] == pytest.approx(
        bound("lab:cpu/amdahl-gustafson#speedup"), rel=1e-3
    )
    assert speed_up.compute(given)["q"] == pytest.approx(
        bound("lab:cpu/amdahl-gustafson#q"), rel=1e-3
    )
    graph = PICTURES["autograd-graph"].numbers({}, (9, 1, 0, 0))
    assert graph["mib"] == pytest.approx(bound("lab:pytorch/autograd#mask"))
    tiles = PICTURES["sgemm-tiles"]
    for kernel, positions in (
        ("shared", (5, 5, 5, 0, 0)),
        ("column", (6, 6, 3, 3, 0)),
        ("square", (7, 7, 3, 3, 3)),
    ):
        numbers = tiles.numbers({}, (0, 9, *positions))
        assert numbers["lds"] == bound(f"lab:kernels/sgemm-cuda#{kernel}-lds")
    assert numbers["turn"] == bound("lab:kernels/sgemm-cuda#square-loads")
    assert numbers["sums"] * numbers["bk"] == bound("lab:kernels/sgemm-cuda#square-ffma")
    addresses = PICTURES["warp-addresses"]
    for stride, sectors, passes in ((1, "neighbours", "stride-1"), (8, "stride-8", "stride-8")):
        warp = addresses.numbers({}, (stride, 0, 0))
        assert warp["sectors"] == bound(f"lab:gpu/coalescing#{sectors}")
        assert warp["passes"] == bound(f"lab:gpu/memory-spaces#{passes}")
    assert addresses.numbers({}, (32, 0, 0))["passes"] == bound("lab:gpu/memory-spaces#column")
    assert addresses.numbers({}, (2, 0, 2))["passes"] == bound("lab:gpu/memory-spaces#float4-2")
    ladder = on_notes["latency-ladder", "en"]
    times = PICTURES["latency-ladder"].numbers(ladder.constants, (6, 0))
    assert times["time"] == bound("lab:caches/latency-ladder#ns-256k")


def test_a_simulated_cache_misses_as_often() -> None:
    chance = random.Random(1)
    sets = PICTURES["cache-sets"]
    for _ in range(20):
        positions = (chance.randint(1, 128), chance.randint(1, 16))
        numbers = sets.numbers({}, positions)
        cache: list[list[int]] = [[] for _ in range(64)]
        misses = 0
        for _ in range(100):
            for i in range(int(numbers["lines"])):
                of = i * int(numbers["stride"]) // 64
                places = cache[of % 64]
                misses += of not in places
                if of in places:
                    places.remove(of)
                places.append(of)
                del places[:-8]
        assert numbers["misses"] == misses


@pytest.mark.parametrize("ranks", range(2, 9))
def test_the_ring_sums_every_chunk_once_from_every_rank(ranks: int) -> None:
    """Ranks send sets of names; the picture shows how large they are."""
    held = [[{rank} for _ in range(ranks)] for rank in range(ranks)]
    for step in range(1, 2 * (ranks - 1) + 1):
        before = [[set(names) for names in chunks] for chunks in held]
        for rank in range(ranks):
            chunk = ring_all_reduce.received(ranks, step, rank)
            come = before[rank - 1][chunk]
            if step < ranks:
                assert not come & before[rank][chunk]
                held[rank][chunk] |= come
            else:
                held[rank][chunk] = come
        sizes = [[len(names) for names in chunks] for chunks in held]
        assert sizes == ring_all_reduce.summed_chunks(ranks, step)
    assert all(len(names) == ranks for chunks in held for names in chunks)


@pytest.mark.parametrize(
    ("warps", "work", "latency"), [(1, 1, 40), (4, 4, 24), (7, 4, 24), (3, 5, 10)]
)
def test_the_scheduler_issues_as_often_as_the_formula_says(
    warps: int, work: int, latency: int
) -> None:
    turns = warps_hiding_latency.issuing_warps(warps, work, latency, 50_000)[1000:]
    given = {"warps": warps, "work": work, "latency": latency}
    busy = 100 * sum(turn >= 0 for turn in turns) / len(turns)
    assert busy == pytest.approx(warps_hiding_latency.compute(given)["share"], abs=0.05)


@pytest.mark.parametrize("one", [False, True])
@pytest.mark.parametrize("stages", range(2, 7))
def test_a_pipeline_keeps_its_dependencies_and_idles_as_the_formula_says(
    stages: int, one: bool
) -> None:
    for micro in range(1, 13):
        rows = pipeline_schedule.timeline(stages, micro, one)
        ends = {
            (stage, takes, part): start + takes
            for stage, row in enumerate(rows)
            for part, start, takes in row
        }
        assert len(ends) == 2 * stages * micro
        for stage, row in enumerate(rows):
            kept = most = free = 0
            for part, start, takes in row:
                assert start >= free
                free = start + takes
                forward = takes == 1
                needs = [(stage - 1, 1, part)] if forward else [(stage, 1, part)]
                if not forward:
                    needs.append((stage + 1, 2, part))
                for need in needs:
                    if 0 <= need[0] < stages:
                        assert ends[need] <= start
                kept += 1 if forward else -1
                most = max(most, kept)
            assert most == pipeline_schedule.held(stages, micro, one, stage)
        numbers = pipeline_schedule.compute({"stages": stages, "micro": micro, "schedule": one})
        assert numbers["slots"] == max(ends.values())
        assert numbers["idle"] == max(ends.values()) - 3 * micro
        assert numbers["share"] == pytest.approx(100 * (stages - 1) / (micro + stages - 1))


def strided_by_lists(n: dict[str, float]) -> Any:
    """The cells of the tensor's elements, by the same operations on nested lists."""
    cells = iter(range(24))
    *outer, last = tensor_storage._SHAPES[int(n["shape"])]
    nested: Any = [[next(cells) for _ in range(last)] for _ in range(24 // last)]
    if len(outer) == 2:
        nested = [nested[i : i + outer[1]] for i in range(0, len(nested), outer[1])]

    def on_last(given: Any, change: Any) -> Any:
        return change(given) if isinstance(given[0], int) else [on_last(e, change) for e in given]

    nested = nested[min(int(n["begin"]), len(nested) - 1) :]
    nested = on_last(nested, lambda row: row[:: int(n["step"])])
    match int(n["then"]):
        case 1:
            return [list(each) for each in zip(*nested, strict=True)]
        case 2:
            return nested[0]
        case 3:
            return on_last(nested, lambda row: row[0])
        case 4:
            return [nested[0]] * 3
    return nested


def flattened(nested: Any) -> list[int]:
    return [nested] if isinstance(nested, int) else [i for each in nested for i in flattened(each)]


def test_a_tensor_visits_the_cells_that_lists_say() -> None:
    """A tensor is contiguous if all ways are 1, and view(-1) needs all of them to be the same."""
    made = PICTURES["tensor-storage"]
    ranges = [range(c.least, c.most + 1) for c in made.controls]
    seen = set()
    for positions in itertools.product(*ranges[:-1], (0, 5, ranges[-1].stop - 1)):
        numbers = made.numbers({}, positions)
        size, stride, offset = tensor_storage.tensor(numbers)
        cells = flattened(strided_by_lists(numbers))
        assert tensor_storage.visits(size, stride, offset) == cells
        ways = {after - before for before, after in itertools.pairwise(cells)}
        assert tensor_storage.is_contiguous(size, stride) == (ways <= {1})
        flat = tensor_storage.flat_stride(size, stride)
        assert (flat is None) == (len(ways) > 1)
        assert flat is None or ways <= {flat}
        assert numbers["cell"] == cells[int(numbers["now"])]
        assert numbers["cells"] == len(set(cells)) <= numbers["count"] == len(cells)
        seen.add(numbers["case"])
    assert seen == set(range(len(made.says)))


def test_backward_graphs_are_those_that_pytorch_made() -> None:
    """The file is what ``python -m benchmarks.explorables.graphs --write`` recorded."""
    told = json.loads((ROOT / "tests/autograd_graphs.json").read_text("utf-8"))["graphs"]
    made = PICTURES["autograd-graph"]
    ranges = [range(c.least, c.most + 1) for c in made.controls[1:]]
    assert [tuple(each["positions"]) for each in told] == list(itertools.product(*ranges))
    for each in told:
        numbers = made.numbers({}, (made.start[0], *each["positions"]))
        nodes = autograd_graph.GRAPHS[int(numbers["graph"])].nodes
        saved = map(dict, autograd_graph.saved(numbers))
        assert [[node.name, kept] for node, kept in zip(nodes, saved, strict=True)] == each["nodes"]
        leaves = [
            [name, node, name == "w" and numbers["frozen"] > 0]
            for name, node in autograd_graph.leaves(numbers)
        ]
        assert sorted(leaves) == each["leaves"]
        assert numbers["mib"] * 2**20 / numbers["side"] ** 2 == each["bytes"]
        assert autograd_graph.stale(numbers) == each["stale"]
        assert (numbers["case"] >= 2) == each["fails"] == any(each["stale"])
    assert {row["fails"] for row in told} == {True, False}


class CountedValues:
    """A matrix that counts how often its values are read."""

    def __init__(self, rows: int, columns: int, chance: random.Random) -> None:
        self.values = [[chance.randint(-9, 9) for _ in range(columns)] for _ in range(rows)]
        self.reads = 0

    def read(self, row: int, column: int) -> int:
        self.reads += 1
        return self.values[row][column]


@pytest.mark.parametrize("positions", [(5, 5, 5, 0, 0), (6, 5, 4, 3, 0), (5, 6, 3, 2, 3)])
def test_tiles_are_loaded_as_often_as_the_formulas_say(positions: tuple[int, ...]) -> None:
    """One block of a matrix product, thread by thread, with all of its loads counted."""
    numbers = PICTURES["sgemm-tiles"].numbers({}, (0, 8, *positions))
    bm, bn, bk, tm, tn = (int(numbers[id]) for id in ("bm", "bn", "bk", "tm", "tn"))
    chance, size = random.Random(1), 2 * bk
    a, b = CountedValues(bm, size, chance), CountedValues(size, bn, chance)
    squares = list(itertools.product(range(0, bm, tm), range(0, bn, tn)))
    sums = {(row, column): 0 for row in range(bm) for column in range(bn)}
    from_shared = multiplications = joined = 0
    for begin in range(0, size, bk):
        slice_of_a = [[a.read(row, begin + k) for k in range(bk)] for row in range(bm)]
        slice_of_b = [[b.read(begin + k, column) for column in range(bn)] for k in range(bk)]
        assert 4 * (bm * bk + bk * bn) == 1024 * numbers["shared"]
        for top, left in squares:
            taken = set()
            for k in range(bk):
                column = [slice_of_a[top + i][k] for i in range(tm)]
                row = [slice_of_b[k][left + j] for j in range(tn)]
                from_shared += len(column) + len(row)
                taken |= {("a", top + i, k // 4) for i in range(tm)}
                taken |= {("b", k, (left + j) // 4) for j in range(tn)}
                for (i, of_a), (j, of_b) in itertools.product(enumerate(column), enumerate(row)):
                    sums[top + i, left + j] += of_a * of_b
                    multiplications += 1
            joined += len(taken)
    for (y, x), found in sums.items():
        assert found == sum(a.values[y][k] * b.values[k][x] for k in range(size))
    assert len(squares) == numbers["threads"]
    assert (a.reads + b.reads) / multiplications == pytest.approx(numbers["loads"])
    assert (a.reads + b.reads) / len(squares) == 2 * numbers["turn"]
    assert 2 * multiplications / (4 * (a.reads + b.reads)) == pytest.approx(numbers["intensity"])
    assert from_shared / multiplications == pytest.approx(numbers["values"])
    assert joined / multiplications == pytest.approx(numbers["lds"])
    assert len(sums) / len(squares) == numbers["sums"]
