"""Things to try: both twins compute and draw the same, and the page needs no script."""

from __future__ import annotations

import gzip
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
from perfnotes.explorables import explorables
from perfnotes.explorables._explorable import WIDTH, Explorable, amount
from perfnotes.graph.explorables import PlacedExplorable
from perfnotes.model.quantity.amount import digits
from perfnotes.site.render.explorables import picture
from perfnotes.site.safety import judge
from perfnotes.site.scripts import asset, asset_scripts
from perfnotes.site.theme_files import THEME
from tests.engine_of import engine_of
from tests.example_notes import made_pages, read_site, write_notes
from tests.examples import times
from tests.explore_notes import PICTURES, fences, notes_with_all, on_notes
from tests.test_javascript import run_node

__all__ = ["on_notes"]  # the fixture

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
NAMES = sorted(PICTURES)


def inputs_of(made: Explorable, chance: random.Random) -> dict[str, float]:
    positions = [chance.randint(c.least, c.most) for c in made.controls]
    return {c.id: c.value(p) for c, p in zip(made.controls, positions, strict=True)}


@pytest.mark.parametrize("name", NAMES)
def test_the_script_computes_and_draws_what_python_does(
    name: str, on_notes: dict[tuple[str, str], PlacedExplorable]
) -> None:
    made, chance = PICTURES[name], random.Random(name)
    given = []
    for _ in range(times(60)):
        measured = on_notes[name, "en"].constants.items()
        other = {id: value * chance.uniform(0.8, 1.25) for id, value in measured}
        given.append(other | inputs_of(made, chance))
    asked = json.dumps([[name, given]])
    (found,) = json.loads(run_node("--input-type=module", "-e", BOTH, str(SCRIPTS), text=asked))
    for inputs, (numbers, drawn, figures) in zip(given, found, strict=True):
        ours = {**inputs, **made.compute(inputs)}
        assert numbers == pytest.approx(ours, rel=1e-9)
        assert figures == [digits(value, 3) for value in numbers.values()]
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
    for _ in range(times(20)):
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
    assert said.split(".", maxsplit=1)[0] in page.markdown
    assert "explore=only-here" in page.markdown
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


@pytest.mark.slow
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
