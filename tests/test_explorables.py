"""Things to try: both twins compute and draw the same, and the page needs no script."""

from __future__ import annotations

import gzip
import itertools
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from perfnotes import explorables as package
from perfnotes.checks import examine
from perfnotes.explorables import (
    autograd_graph,
    explorables,
    pipeline_schedule,
    ring_all_reduce,
    tensor_storage,
    warps_hiding_latency,
)
from perfnotes.explorables._explorable import WIDTH, Explorable, amount
from perfnotes.graph.explorables import PlacedExplorable, placed_explorables
from perfnotes.graph.site import Site
from perfnotes.model.calculator import figure
from perfnotes.site.render.explorables import picture
from perfnotes.site.safety import judge
from perfnotes.site.scripts import asset, asset_scripts
from perfnotes.site.theme_files import THEME
from tests.engine_of import engine_of
from tests.example_notes import made_pages, read_site, write_notes
from tests.explore_notes import fences, notes_with_all
from tests.project import ROOT
from tests.test_javascript import run_node

SCRIPTS = THEME / "assets/perfnotes"
# Runs the scripts of the theme as a page does, each thing to try with the inputs that come in.
BOTH = """
import { readFileSync } from "node:fs";
const [folder] = process.argv.slice(1);
const things = {};
globalThis.pnPage = { explore: (name, thing) => (things[name] = thing), made: () => null };
const bring = (name) => (0, eval)(readFileSync(`${folder}/${name}.js`, "utf-8"));
bring("numbers");
const explore = pnPage.explore;
bring("explore");
pnPage.explore = explore;
const found = JSON.parse(readFileSync(0, "utf-8")).map(([name, inputs]) => {
  if (!things[name]) bring(`explorables/${name}`);
  return inputs.map((given) => {
    const n = { ...given, ...things[name].compute(given) };
    return [n, things[name].draw(n), Object.values(n).map((value) => pnPage.figure(value, 3))];
  });
});
console.log(JSON.stringify(found));
"""
PICTURES = {name: made for name, made in explorables().items() if isinstance(made, Explorable)}
NAMES = sorted(PICTURES)


def inputs_of(made: Explorable, chance: random.Random) -> dict[str, float]:
    positions = [chance.randint(c.least, c.most) for c in made.controls]
    return {c.id: c.value(p) for c, p in zip(made.controls, positions, strict=True)}


@pytest.fixture(scope="module")
def on_notes(own_site: Site) -> dict[tuple[str, str], PlacedExplorable]:
    """The things to try of our own notes, by name and language."""
    return {
        (each.name, links.text.lang): each
        for links in own_site.graph.links.values()
        for each in placed_explorables(links, own_site.graph.evidence)
    }


@pytest.mark.parametrize("name", NAMES)
def test_the_script_computes_and_draws_what_python_does(
    name: str, on_notes: dict[tuple[str, str], PlacedExplorable]
) -> None:
    made, chance = PICTURES[name], random.Random(name)
    given = []
    for _ in range(300):
        measured = on_notes[name, "en"].constants.items()
        other = {id: value * chance.uniform(0.8, 1.25) for id, value in measured}
        given.append(other | inputs_of(made, chance))
    asked = json.dumps([[name, given]])
    (found,) = json.loads(run_node("--input-type=module", "-e", BOTH, str(SCRIPTS), text=asked))
    for inputs, (numbers, drawn, figures) in zip(given, found, strict=True):
        ours = {**inputs, **made.compute(inputs)}
        assert numbers == pytest.approx(ours, rel=1e-9)
        assert figures == [figure(value, 3) for value in numbers.values()]
        theirs = [without_rounding(attributes) for attributes in drawn]
        assert theirs == [without_rounding(attributes) for attributes in made.draw(ours)]
        assert len(drawn) == len(made.moving)
        assert 0 <= numbers.get("case", 0) < len(made.says)


def without_rounding(attributes: Any) -> dict[str, Any]:
    """Numbers may differ by the rounding of their last digit."""
    return {
        key: pytest.approx(value, abs=0.11) if isinstance(value, int | float) else value
        for key, value in attributes.items()
    }


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", NAMES)
def test_pictures_stay_within_their_size(
    name: str, lang: str, on_notes: dict[tuple[str, str], PlacedExplorable]
) -> None:
    made, chance = PICTURES[name], random.Random(name)
    constants = on_notes[name, lang].constants
    assert len(constants) == len(made.constants)
    for _ in range(60):
        given = {**constants, **inputs_of(made, chance)}
        numbers = {**given, **made.compute(given)}
        assert not re.search(r"[{}]|nan|inf", made.sentence(numbers, lang))
        html = picture(made, numbers, lang, "explore-x")
        assert not judge(f"<div>{html}</div>")
        for node in LexborHTMLParser(html).css("svg [x], svg [x1], svg [cx], svg [y], svg [cy]"):
            for key, most in {"x": WIDTH, "x1": WIDTH, "x2": WIDTH, "cx": WIDTH}.items():
                assert 0 <= float(node.attributes.get(key) or 0) <= most, node.html
            for key in ("y", "y1", "y2", "cy"):
                assert 0 <= float(node.attributes.get(key) or 0) <= made.height, node.html


def test_each_thing_has_both_files_and_both_languages() -> None:
    folder = "assets/perfnotes/explorables/"
    scripts = [address for address in asset_scripts() if address.startswith(folder)]
    assert scripts == [f"{folder}{name}.js" for name in sorted(explorables())]
    for made in PICTURES.values():
        words = [made.title, made.lead, made.how, *made.says, *(c.what for c in made.constants)]
        words += [c.what for c in made.controls]
        words += [choice for c in made.controls for choice in c.choices]
        assert all(text.en and text.zh for text in words)
        for control in made.controls:
            assert control.least <= control.start <= control.most
            assert not control.choices or control.most + 1 == len(control.choices)


def test_all_scripts_together_are_small() -> None:
    own = [f"explorables/{name}" for name in explorables()]
    names = ["explore", "numbers", "typed", *own]
    scripts = {name: asset(f"assets/perfnotes/{name}.js") for name in names}
    sizes = {name.rpartition("/")[2]: len(gzip.compress(s)) for name, s in scripts.items()}
    typed = {name: sizes.pop(name) for name in {"typed", *explorables()} - PICTURES.keys()}
    assert sizes.pop("explore") + sizes.pop("numbers") < 3_000
    assert max(sizes.values()) < 1_700, sizes  # a page loads only what it shows
    assert sum(typed.values()) < 12_500, typed
    for script in scripts.values():
        text = script.decode()
        assert not [
            w for w in ("eval(", "Function(", "innerHTML", "import(", "fetch(") if w in text
        ]


def test_amounts_are_written_with_their_units() -> None:
    assert [amount(4, "KiB"), amount(1536, "KiB")] == ["4\u00a0KiB", "1.50\u00a0MiB"]


TINY = '''
"""A thing to try that only this test has."""
from perfnotes.explorables._explorable import Control, Explorable
from perfnotes.model.bilingual import Bilingual

EXPLORABLE = Explorable(
    title=Bilingual("Twice <a number>", "两倍"),
    lead=Bilingual("See.", "看。"),
    how=Bilingual("Times two.", "乘以二。"),
    formulas=("twice = 2 * x",),
    constants=(),
    controls=(Control("x", Bilingual("A number", "一个数"), 0, 9, 3),),
    says=(Bilingual("Twice {x} is {twice}.", "{x} 的两倍是 {twice}。"),),
    height=20,
    frame=lambda n, lang: "",
    moving=(("circle", {"r": 2, "cy": 9}),),
    compute=lambda n: {"twice": 2 * n["x"]},
    draw=lambda n: ({"cx": n["twice"]},),
)
'''
FENCE = "```text explore=only-here\ntwice = 2 * x\n```\n"


@pytest.fixture
def only_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One more thing to try, from a file of its own."""
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "only_here.py").write_text(TINY, "utf-8")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path / "more")])
    explorables.cache_clear()
    yield
    explorables.cache_clear()
    sys.modules.pop("perfnotes.explorables.only_here", None)


@pytest.mark.usefixtures("only_here")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_thing_to_try_is_its_files_and_a_fence(lang: str, tmp_path: Path) -> None:
    files = {"caches/rows.md": "Rows.\n\n" + FENCE, "caches/rows.zh.md": "行。\n\n" + FENCE}
    made = made_pages(read_site(write_notes(tmp_path / "notes", files)))
    url = "caches/rows/" if lang == "en" else "zh/caches/rows/"
    page = next(p for p in made if p.url == url)
    assert "explore" in page.styles
    html = engine_of().convert(page.body).content
    assert not judge(html)
    tree = LexborHTMLParser(html)
    box, code = tree.css_first(".pn-explore"), tree.css_first(".pn-explore code")
    shown = tree.css_first(".pn-explore-said")
    assert box
    assert code
    assert shown
    said = "Twice 3 is 6." if lang == "en" else "3 的两倍是 6。"
    assert shown.text() == said
    assert said.split(".", maxsplit=1)[0] in page.twin
    assert "explore=only-here" in page.twin
    assert code.text() == "twice = 2 * x"
    data = json.loads(box.attributes["data-explore"] or "")
    assert data["controls"][0]["start"] == 3
    other = next(p for p in made if p.url == "caches/lines/")
    assert "explore" not in other.styles


@pytest.mark.usefixtures("only_here")
@pytest.mark.parametrize(
    ("fence", "said"),
    [
        (FENCE.replace("only-here", "only-her"), "did you mean only-here?"),
        (FENCE.replace("only-here", "../../etc"), "there are"),
        (FENCE.replace("only-here", "x" * 5000), "…"),
        (FENCE.replace("only-here", ""), "there are"),
        (FENCE.replace("2 * x", "3 * x"), "its formulas: twice = 2 * x"),
        (FENCE + "\n" + FENCE, "stands here twice"),
        ("- a list\n\n    " + FENCE.replace("\n", "\n    "), "must start at the margin"),
        (FENCE.removesuffix("```\n"), "must start at the margin"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(fence: str, said: str, tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path / "notes", {"caches/rows.md": "Rows.\n\n" + fence}))
    found = [f for f in examine(site) if f.code == "PN915"]
    assert len(found) == 1
    assert said in f"{found[0].message} {found[0].hint}"
    assert found[0].line > 1
    assert found[0].column > 1
    assert len(str(found[0])) < 900
    page = next(p for p in made_pages(site) if p.url == "caches/rows/")
    assert ('class="pn-explore"' in page.body) is ("twice" in said and "formulas" not in said)


def test_a_number_that_is_missing_is_named(tmp_path: Path) -> None:
    fence = "\n".join(["```text explore=roofline", *explorables()["roofline"].formulas, "```\n"])
    site = read_site(write_notes(tmp_path, {"caches/rows.md": "Rows.\n\n" + fence}))
    (found,) = (f for f in examine(site) if f.code == "PN915")
    assert "roofline has no number for 'peak'" in found.message
    assert "lab:cpu/roofline#peak" in found.hint


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


def test_what_two_notes_show_is_listed_once_with_both(tmp_path: Path) -> None:
    name = next(iter(package.explorables()))
    fence = next(part for part in fences().split("\n\n") if f"explore={name}\n" in part)
    files = notes_with_all() | {"caches/again.md": f"Try it again.\n\n{fence}\n"}
    site = read_site(write_notes(tmp_path, files))
    page = next(page for page in made_pages(site) if page.url == "try/")
    html = LexborHTMLParser(engine_of().convert(page.body).content)
    names = [term.text() for term in html.css("dt")]
    assert sorted(names) == sorted(set(names))
    assert "../caches/again/" in page.body
