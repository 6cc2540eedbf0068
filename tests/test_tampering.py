"""One of each kind of tampering that ``benchmarks/hostile/tampering.py`` tries on our own notes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perfnotes.checks import examine
from perfnotes.checks._examples import FOLDER, LAB, RESULT, recorded
from perfnotes.labs.find import find_labs
from perfnotes.model.result import digest_of
from perfnotes.review.output import as_text
from perfnotes.review.pair import Pair
from perfnotes.review.parts import report
from perfnotes.review.rerun import changed_since
from perfnotes.review.revision import resolve
from perfnotes.review.side import side_of, working_side
from perfnotes.text.clauses import clauses
from perfnotes.text.numerals import chinese, english
from tests.example_notes import read_site, write_notes
from tests.project import commit

NOTE = "caches/steps/index.md"
BOUND = "Columns touch [16×](lab:misses) as many lines.\n"


def codes(folder: Path, text: str, **files: str) -> list[str]:
    write_notes(folder, {NOTE: text, **{f"caches/steps/{k}": v for k, v in files.items()}})
    return [f"{f.code}:{f.line}" for f in examine(read_site(folder)) if f.code.startswith("PN92")]


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: Columns touch 16× as many\n---\n" + BOUND,
        "---\ndescription: A factor of sixteen.\n---\n" + BOUND,
        "---\ndescription: It is 1600 % of the lines.\n---\n" + BOUND,
        BOUND + "\n## Where the factor of sixteen comes from\n",
        BOUND + "\n$x = 16\\times$ and `16×`, as `x % 64`, `4K` and `sleep 5 s` say.\n",
        BOUND + '\n[order](../rows.md "16× as many")\n',
        "---\ntitle: Columns touch 77× as many\nwaived: {77×: a title of old}\n---\n" + BOUND,
        BOUND + "\n$V = 30{,}522$ entries [@drepper2007memory, p. 3].\n",
    ],
)
def test_a_number_elsewhere_that_the_prose_has(tmp_path: Path, text: str) -> None:
    assert codes(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("---\ntitle: Columns touch 77× as many\n---\n" + BOUND, "PN924:2"),
        ("---\ndescription: Seventy-seven times as many.\n---\n" + BOUND, "PN924:2"),
        (BOUND + "\n## A factor of 77\n", "PN924:"),
        (BOUND + "\n$x = 77\\times$\n", "PN924:"),
        (BOUND + "\n$x = 77\\,\\text{ns}$\n", "PN924:"),
        (BOUND + "\n$\\text{a}\ue0007\ue001 = 77\\,\\text{ns}$\n", "PN924:"),
        (BOUND + "\n`77×`\n", "PN924:"),
        (BOUND + "\n```c\nf();  /* 77× slower */\n```\n", "PN924:"),
        (BOUND + '\n[order](../rows.md "77× as many")\n', "PN924:"),
        (BOUND + "\nThat is 77&times; as many.\n", "PN920:"),
        (BOUND + "\nThat is **77**× as many.\n", "PN920:"),
        (BOUND + "\nThat is 7\u200b7× as many.\n", "PN920:"),
        (BOUND + "\nThat is seventy-seven\ntimes as many.\n", "PN920:"),
    ],
)
def test_a_number_that_nothing_binds(tmp_path: Path, text: str, found: str) -> None:
    assert any(code.startswith(found) for code in codes(tmp_path, text))


def test_words_of_a_figure_are_put_together(tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>{}</text></svg>'
    text = BOUND + "\n![lines](a.svg)\n"
    assert codes(tmp_path, text, **{"a.svg": svg.format("16<tspan>×</tspan>")}) == []
    assert codes(tmp_path, text, **{"a.svg": svg.format("77<tspan>×</tspan>")})


def test_numbers_in_words() -> None:
    words = ("seventy-seven", "two hundred and fifty-six", "a thousand million", "a hundred")
    assert [english(w) for w in words] == [77, 256, 10**9, 100]
    numerals = ("七十七", "两百零五", "一点五", "三万五千", "一九八四", "百")
    assert [chinese(n) for n in numerals] == [77, 205, 1.5, 35000, 1984, 100]


def test_clauses_of_a_description() -> None:
    assert len(clauses("What lscpu, lstopo (and lspci) show, and what a machine hides.")) == 2
    assert len(clauses("What it is, how it works, where it ends, and what it costs.")) == 4
    assert len(clauses("按行求和的次序有何不同，既计数，又计时。")) == 1


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_notes(tmp_path, {"../docs/about.md": "What it is about.\n", "../mkdocs.yml": "site: x\n"})
    commit(tmp_path)
    return tmp_path


def first(project: Path) -> list[str]:
    """What the comparison with the commit puts first."""
    revision = resolve(project, "HEAD")
    with side_of(revision) as before:
        found = report(Pair(before, working_side(project, revision.commit)))
    assert "Look at these first" not in as_text(found) or found.parts[0].id == "first"
    return [entry.kind for entry in found.parts[0].entries] if found.parts else []


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("kind: count\n", "kind: timing\n", "kind changed"),
        ('expect: "== n"', 'expect: "> 4"', "expectation loosened"),
        ('expect: "== n"', 'expect: "== 16"', "expectation rewritten"),
        ("control: count.rows / count.rows", "control: 2 * count.rows / count.rows",
         "control changed"),
        ("reference: example-cpu", "reference: other-cpu", "reference machine changed"),
        ("expression: count.columns / count.rows", "expression: count.columns / 16",
         "expression changed"),
    ],
)  # fmt: skip
def test_a_weaker_promise_comes_first(project: Path, old: str, new: str, kind: str) -> None:
    assert old in LAB
    (project / "notes" / FOLDER / "lab.yml").write_text(LAB.replace(old, new, 1), "utf-8")
    assert first(project)[0] == kind


def test_samples_with_a_new_digest_come_first(project: Path) -> None:
    file = project / "notes" / RESULT
    data = json.loads(recorded())
    data["runs"]["count"]["quantities"]["columns"]["samples"] = [257.0]
    data["digest"] = digest_of(data)
    file.write_text(json.dumps(data), "utf-8")
    assert first(project) == ["samples changed"]
    _, ids = changed_since(find_labs(project / "notes", "notes"), project, "HEAD")
    assert ids == ["caches/steps"]


def test_waivers_come_first(project: Path) -> None:
    file = project / "notes" / NOTE
    text = file.read_text("utf-8").replace("tags:", "waived: {77×: for a reason}\ntags:", 1)
    file.write_text(text, "utf-8")
    assert "waiver added" in first(project)


def test_a_count_that_is_called_a_timing_is_run_again(project: Path) -> None:
    changed = LAB.replace("kind: count\n", "kind: timing\n", 1)
    (project / "notes" / FOLDER / "lab.yml").write_text(changed, "utf-8")
    labs, ids = changed_since(find_labs(project / "notes", "notes"), project, "HEAD")
    assert ids == ["caches/steps"]
    assert labs.labs["caches/steps"].claims["misses"].kind == "count"
