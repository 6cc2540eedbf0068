"""The modules of the search's script, without a browser: Playwright's Node runs their tests."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from benchmarks.page.node import node

from perfnotes.model.quantity.amount import amount
from perfnotes.search import constants
from perfnotes.search.analysis import analyse
from perfnotes.search.parse import parse
from perfnotes.search.stem import stem
from perfnotes.search.tokens import tokens
from perfnotes.site.pages.wanted import OUTSIDE
from perfnotes.site.scripts import SEARCH_SCRIPTS, asset, asset_scripts, joined, search_script
from perfnotes.site.theme_files import THEME
from tests.project import ROOT

FOLDER = ROOT / "tests/javascript"
# The folders of modules that become one script each.
JOINED = ["search", "explorables/expansion-steps", "graph", "passages"]
# What both engines make of each text: its terms, the stem of it, its query and the slots of that.
BOTH = """
import { readFileSync } from "node:fs";
const [folder] = process.argv.slice(1);
const { tokens, stem } = await import(`${folder}/tokens.js`);
const { parse } = await import(`${folder}/parse.js`);
const { analyse } = await import(`${folder}/analysis.js`);
const found = JSON.parse(readFileSync(0, "utf-8")).map((text) => {
  const { words, phrases, excluded, filters } = parse(text);
  const { slots, key, signs } = analyse(words);
  return [tokens(text).map((token) => token.terms), stem(text), [words, phrases, excluded, filters],
    slots.map(({ term, kind, at, parts }) => [term, kind, at, parts]), key, signs];
});
console.log(JSON.stringify(found));
"""

UNREADABLE = """
import { readFileSync } from "node:fs";
import { Script } from "node:vm";
const scripts = JSON.parse(readFileSync(0, "utf-8"));
console.log(JSON.stringify(scripts.flatMap(([address, text]) => {
  try {
    new Script(text);
    return [];
  } catch (problem) {
    return [`${address}: ${problem}`];
  }
})));
"""

# Each number as scripts write it.
NUMBERS = """
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
globalThis.pnPage = {};
runInThisContext(readFileSync(process.argv[1], "utf-8"));
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map((n) => pnPage.figure(n))));
"""


def run_node(*arguments: str, text: str = "") -> str:
    command = [node(), "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", *arguments]
    done = subprocess.run(
        command, input=text, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.test.mjs")), ids=lambda file: file.stem)
def test_a_module(file: Path) -> None:
    told = run_node("--test", "--test-reporter=tap", str(file))
    assert re.search(r"(?m)^# pass [1-9]", told), told
    assert "# skipped 0" in told


def test_both_engines_read_queries_alike() -> None:
    vectors = json.loads((ROOT / "tests/search/vectors.json").read_text("utf-8"))
    # U+FEFF is a space in JavaScript alone, and positions behind U+FFFF count UTF-16 units there;
    # neither changes what is found.
    texts = [text for text, _ in vectors["tokens"] if max(text, default="") < "\ufeff"]
    texts += [f'{a} "{b}" -{a} tag:{b}' for a, b in zip(texts, texts[7:], strict=False)]
    texts.append('Traceback (most recent call last): File "a.py" KeyError: b ValueError: c "d"')
    texts += ['batch["d1"] and f(“x y”) "pinned memory"', 'load(map_location="cpu" "b c")']
    texts.append("\U0001f525" * 70)  # cut after 64 characters, which are 128 UTF-16 units
    found = json.loads(
        run_node("--input-type=module", "-e", BOTH, SEARCH_SCRIPTS.as_uri(), text=json.dumps(texts))
    )
    for text, theirs in zip(texts, found, strict=True):
        query = parse(text)
        wanted = analyse(query.words)
        ours = [
            [token.terms for token in tokens(text)],
            stem(text),
            [query.words, query.phrases, query.excluded, query.filters],
            [[slot.term, slot.kind, slot.at, slot.parts] for slot in wanted.slots],
            wanted.key,
            wanted.signs,
        ]
        assert theirs == json.loads(json.dumps(ours)), text


def test_scripts_write_numbers_as_pages_do() -> None:
    near_powers = [
        s * 10.0**n for n in range(-8, 18) for s in (0.99994, 0.99996, 1, 1.0004, -2.34567)
    ]
    script = str(THEME / "assets/perfnotes/numbers.js")
    told = run_node("--input-type=module", "-e", NUMBERS, script, text=json.dumps(near_powers))
    assert json.loads(told) == [amount(number, "") for number in near_powers]


def test_both_engines_have_every_constant() -> None:
    values = json.loads((ROOT / "tools/perfnotes/search/constants.json").read_text("utf-8"))
    listed = re.search(
        r"export const \{([^}]*)\}", (SEARCH_SCRIPTS / "constants.js").read_text("utf-8")
    )
    assert listed
    in_python = {name for name in vars(constants) if name.isupper() and not name.startswith("_")}
    assert set(re.findall(r"\w+", listed[1])) == in_python == set(values)


def test_scripts_of_single_pages_are_shipped_without_comments() -> None:
    scripts = {address: asset(address).decode() for address in asset_scripts()}
    assert {"assets/perfnotes/calc.js", "assets/perfnotes/explorables/roofline.js"} <= set(scripts)
    for address, script in scripts.items():
        assert "/**" not in script, address
        assert not re.search(r"(?m)^\s*//", script), address
    asked = json.dumps(list(scripts.items()))
    assert json.loads(run_node("--input-type=module", "-e", UNREADABLE, text=asked)) == []


@pytest.mark.parametrize("folder", JOINED)
def test_a_script_is_joined_from_all_modules(folder: str) -> None:
    is_search = folder == "search"
    script = search_script() if is_search else asset(f"assets/perfnotes/{folder}.js").decode()
    assert not re.search(r"(?m)^(import|export)\b", script)
    assert "/**" not in script  # types are for the checker, and no browser need load them
    names: list[str] = []
    for module in (THEME / "scripts" / folder).glob("*.js"):
        text = module.read_text("utf-8")
        assert len(text.splitlines()) < 300, module
        names += re.findall(r"(?m)^(?:export )?(?:class|function\*?|const|let) (\w+)", text)
        for name in re.findall(r"(?m)^(?:export )?(?:class|function\*?) (\w+)", text):
            assert len(re.findall(rf"(?m)^(?:class|function\*?) {name}\b", script)) == 1, name
    assert len(names) == len(set(names)), sorted(names)


def test_a_module_is_joined_once_after_what_it_imports() -> None:
    once = joined(SEARCH_SCRIPTS / "engine.js")
    assert once.count("class ShardStore") == 1
    assert once.index("class ShardStore") < once.index("class Lookup extends ShardStore")


def test_the_search_knows_where_the_list_of_what_is_left_out_is() -> None:
    assert f'"#{OUTSIDE}"' in (SEARCH_SCRIPTS / "outcome.js").read_text("utf-8")
