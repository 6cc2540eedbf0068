"""Things to try by typing: both twins answer alike, and as bash does, or refuse by name."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from benchmarks.explorables import process_lines
from benchmarks.explorables.expansion_lines import (
    bash_words,
    folder_with_files,
    lines,
    shown_words,
)
from msgspec import to_builtins

from perfnotes.explorables import expansion_steps, explorables, subshells
from perfnotes.explorables._typed_line import LONGEST, TypedLine, filled
from perfnotes.site.render.typed_lines import typed_line
from perfnotes.site.safety import judge
from perfnotes.site.scripts import asset
from tests.test_javascript import run_node

ANSWERS = """
import { readFileSync } from "node:fs";
const { typed, own, longest, given } = JSON.parse(readFileSync(0, "utf-8"));
let answer;
globalThis.pnPage = {};
(0, eval)(typed);
pnPage.typed = (_, thing) => (answer = (line) => pnPage.answer(thing, line, longest));
(0, eval)(own);
console.log(JSON.stringify(given.map((line) => answer(line))));
"""
answer = expansion_steps.EXPLORABLE.answer
processes_of = subshells.EXPLORABLE.answer
TYPED = {name: made for name, made in explorables().items() if isinstance(made, TypedLine)}
LINES = {"expansion-steps": lines, "subshells": process_lines.lines}
_SIGNS = [*"ab~$${}{}()()[]\"'\\*?!;:=,.+-/#@1 9nvgu|&<>`\t\n"]
_SIGNS += [
    "x=1",
    "read x",
    " | ",
    "; ",
    "{ ",
    "; }",
    "(cat)",
    " do ",
    "; done",
    "while :; do ",
    "<(",
    "<<<",
]
_SIGNS += ["é", "字", "😀", "$(echo ", "$((", "${", "..", "$'"]


def script_answers(name: str, given: list[str]) -> list[Any]:
    own = asset(f"assets/perfnotes/explorables/{name}.js").decode()
    typed = asset("assets/perfnotes/typed.js").decode()
    asked = json.dumps({"typed": typed, "own": own, "longest": LONGEST, "given": given})
    return list(json.loads(run_node("--input-type=module", "-e", ANSWERS, text=asked)))


def any_lines(number: int, seed: str) -> list[str]:
    """Lines of signs that mean something to a shell, in any order."""
    chance = random.Random(seed)
    return ["".join(chance.choices(_SIGNS, k=chance.randint(0, 30))) for _ in range(number)]


@pytest.mark.parametrize("name", TYPED)
def test_the_script_answers_as_python_does(name: str) -> None:
    made = TYPED[name]
    long = ["x" * LONGEST, "😀" * LONGEST, "x" * (LONGEST + 1)]
    given = [*made.examples, *LINES[name](600, 1), *any_lines(2000, name), *long]
    for line, theirs in zip(given, script_answers(name, given), strict=True):
        assert theirs == json.loads(json.dumps(to_builtins(made.answer(line)))), line


@pytest.mark.parametrize("name", TYPED)
def test_every_answer_can_be_shown(name: str) -> None:
    made = TYPED[name]
    assert all([made.title.zh, made.lead.zh, made.how.zh, made.field.zh])
    seen = set()
    for line in [*made.examples, *LINES[name](600, 2), *any_lines(2000, name + "2")]:
        found = made.answer(line)
        seen.add(found.said)
        for lang in ("en", "zh"):
            made.sentence(found, lang)
            for row in found.rows:
                made.name(row, lang)
    assert all(text.en and text.zh for text in (*made.says.values(), *made.names.values()))
    assert len(seen) > len(made.says) / 2


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", TYPED)
def test_the_page_needs_no_script(name: str, lang: str) -> None:
    made = TYPED[name]
    html, said = typed_line(name, made, lang)
    assert not judge(html)
    assert "<input" not in html
    assert "<button" not in html
    assert said == made.sentence(made.answer(made.examples[0]), lang)
    for line in made.examples:
        assert made.answer(line).rows, line


def test_what_fills_a_gap_is_not_looked_at_again() -> None:
    assert filled("{what} and {other}", {"what": "{other}", "other": "x"}) == "{other} and x"


def test_the_steps_end_with_the_words_that_bash_makes(tmp_path: Path) -> None:
    """``python -m benchmarks.explorables.expansions`` compares more lines."""
    given = [line for line in lines(400, 3) if answer(line).said in ("words", "late")]
    assert len(given) > 250
    folder = folder_with_files(tmp_path / "files")
    for line, words in zip(given, bash_words(given, folder), strict=True):
        assert shown_words(answer(line), "quotes")[1:] == words, line


@pytest.mark.parametrize(
    ("line", "said", "what"),
    [
        ("", "nothing", ""),
        ("a" * (LONGEST + 1), "too-long", ""),
        ("args {1..9}{1..9}", "too-many", ""),
        ("args 'x", "open-quote", "'x"),
        ('args "$(echo \'x)"', "open-quote", "'x)\""),
        ("args `date`", "backquote", "`"),
        ("args <(date)", "operator", "<"),
        ("ls | wc", "operator", "|"),
        ("ls # all", "comment", "#"),
        ("cd x; ls", "one-command", "cd"),
        ("export v=$g", "not-simple", "export"),
        ("[[ -f x ]]", "not-simple", "[["),
        ("args $(date)", "only-echo", "date"),
        ("args $(echo -n x)", "only-echo", "echo -n x"),
        ("args $(< a.txt)", "only-echo", "< a.txt)"),
        ("args $?", "unknown-form", "$?"),
        ("args ${v%x}", "unknown-form", "${v%x}"),
        ("args ${v:-$n}", "nested-form", "${v:-$n}"),
        ("args $PATH", "unknown-variable", "PATH"),
        ("args $((v+1))", "no-number", "v"),
        ("args $((1/0))", "arithmetic", "$((1/0))"),
        ("args {A..c}", "mixed-letters", "{A..c}"),
        ("args ~root/x", "other-home", "~root/x"),
        ("args /etc/*", "pattern", "/etc/*"),
        ("args .*", "pattern", ".*"),
        ("x=a; y[0]=b", "unknown-form", "y[0"),
        ("args \x07", "control", ""),
    ],
)
def test_what_is_not_known_is_refused_by_name(line: str, said: str, what: str) -> None:
    found = answer(line)
    assert (found.said, found.gaps, found.rows) == (said, {"what": what}, ())


def test_processes_and_variables_are_those_of_bash(tmp_path: Path) -> None:
    """``python -m benchmarks.explorables.processes`` compares more lines."""
    given = [line for line in process_lines.lines(60, 5) if processes_of(line).rows]
    assert len(given) > 40
    made = process_lines.bash_processes(given, tmp_path / "folder")
    for line, processes in zip(given, made, strict=True):
        assert process_lines.shown_processes(processes_of(line)) == processes, line


@pytest.mark.parametrize(
    ("line", "said", "what"),
    [
        ("", "nothing", ""),
        (": " * LONGEST, "too-long", ""),
        ("cat & " * 20, "too-many", ""),
        ("(cat", "incomplete", ""),
        ("(cat;", "missing", ")"),
        ("cat |", "incomplete", ""),
        ("cat )", "unexpected", ")"),
        ("{ cat; } x", "unexpected", "x"),
        ("cat && x=1", "and-or", "&&"),
        ("while cat; do :; done", "condition", "cat"),
        ("gcc x.c", "unknown-command", "gcc"),
        ("if true; then x=1; fi", "not-known", "if"),
        ("x=`date`", "not-known", "`"),
        ("((x=1))", "not-known", "(("),
        ("cat << E", "not-known", "<<"),
        ("cat |& cat", "not-known", "|&"),
        ("f() { cat; }", "not-known", "f("),
        ("set -e; cat", "not-known", "set -e"),
        ("cat \x01", "control", ""),
    ],
)
def test_what_no_process_is_known_for_is_refused(line: str, said: str, what: str) -> None:
    found = processes_of(line)
    assert (found.said, found.gaps, found.rows) == (said, {"what": what}, ())


def test_the_longest_lines_are_answered() -> None:
    parts = (
        "*?",
        "{a,b}",
        "$(echo ",
        '"$(echo "',
        "$((",
        "((",
        "{",
        "[",
        "$@",
        "*a",
        "{1..9}",
        "$((-",
        "|(",
    )
    for part in parts:
        assert answer(f"args {part * LONGEST}"[:LONGEST]).said
        assert processes_of(f"cat {part * LONGEST}"[:LONGEST]).said
