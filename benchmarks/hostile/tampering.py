"""Tamper with our own notes, labs, results, facts and calculators, and see what notices it.

    python -m benchmarks.hostile.tampering              # some minutes: three of the kinds run a lab
    python -m benchmarks.hostile.tampering --only title --no-verify

Each kind is one small edit on a copy of the notes in a repository of its own. Three things may
notice it: ``perfnotes check`` (a finding that the untouched notes do not have), the first part of
``perfnotes diff`` ("Look at these first"), and, for some edits of labs, ``perfnotes lab verify
--changed-since``. The exit status is 1 if nothing notices one of the kinds.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from perfnotes.checks import examine, grade
from perfnotes.model.result import digest_of
from perfnotes.review.pair import Pair, page_texts
from perfnotes.review.parts import first
from perfnotes.review.revision import resolve
from perfnotes.review.side import Side, side_of, working_side
from perfnotes.site.render.body import body_renderer
from perfnotes.text.findings import Finding, Severity

ROOT = Path(__file__).resolve().parents[2]
NOTE = "notes/caches/row-order/index.md"
TWIN = "notes/caches/row-order/index.zh.md"
FIGURE = "notes/caches/row-order/lines.svg"
LAB = "notes/caches/row-order/lab/lab.yml"
RESULT = "notes/caches/row-order/lab/results/amd-epyc-f25m17-vm-2c.json"
FACTS = "notes/facts/gpus.yml"
CALC = "notes/cpu/amdahl-gustafson/calc.yml"
_BEHIND = "PN702"  # "the twin is behind" follows any edit, so that it does not count


class NothingToEditError(Exception):
    """An edit does not find its place any more, because the notes have changed."""


@dataclass(frozen=True)
class Kind:
    """One kind of tampering. With ``runs``, ``lab verify`` is tried too."""

    name: str
    edit: Callable[[Path], None]
    runs: bool = False


@dataclass(frozen=True)
class Caught:
    """What noticed a kind: codes of findings, kinds of entries, lines of ``lab verify``."""

    check: str
    diff: str
    verify: str

    @property
    def by_any(self) -> bool:
        return bool(self.check or self.diff or self.verify)


def swap(path: str, old: str, new: str) -> Callable[[Path], None]:
    """Return an edit that replaces the first match of the pattern ``old`` in a file."""

    def edit(root: Path) -> None:
        file = root / path
        text = file.read_text("utf-8")
        changed, count = re.subn(old, lambda _: new, text, count=1)
        if not count or changed == text:
            raise NothingToEditError(f"{path}: no {old!r}")
        file.write_text(changed, "utf-8")

    return edit


def says(words: str, path: str = NOTE) -> Callable[[Path], None]:
    """Return an edit that puts a new paragraph before the note's first heading."""
    return swap(path, r"\n\n## ", f"\n\n{words}\n\n## ")


def each(*edits: Callable[[Path], None]) -> Callable[[Path], None]:
    """Return an edit that makes all of the edits, one after another."""

    def edit(root: Path) -> None:
        for one in edits:
            one(root)

    return edit


def sealed(change: Callable[[dict], None]) -> Callable[[Path], None]:  # type: ignore[type-arg]
    """Return an edit that changes a result and computes its digest anew, as a forger would."""

    def edit(root: Path) -> None:
        file = root / RESULT
        data = json.loads(file.read_text("utf-8"))
        change(data)
        data["digest"] = digest_of(data)
        file.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", "utf-8")

    return edit


def scaled(run: str, quantity: str, by: float) -> Callable[[Path], None]:
    """Return an edit that multiplies every sample of a quantity, with a new digest."""

    def change(data: dict) -> None:  # type: ignore[type-arg]
        samples = data["runs"][run]["quantities"][quantity]["samples"]
        data["runs"][run]["quantities"][quantity]["samples"] = [s * by for s in samples]

    return sealed(change)


def other_machine(data: dict) -> None:  # type: ignore[type-arg]
    """Make the result say that it is from another processor."""
    data["machine"]["cpu"] = "Another CPU"


def second_result(root: Path) -> None:
    """Add a result of another machine and make that machine the reference."""
    data = json.loads((root / RESULT).read_text("utf-8"))
    data["machine"]["id"] = "better-cpu"
    data["runs"]["time"]["quantities"]["columns"]["samples"] = [9.0]
    data["digest"] = digest_of(data)
    (root / RESULT).with_name("better-cpu.json").write_text(json.dumps(data), "utf-8")
    swap(LAB, r"reference: \S+", "reference: better-cpu")(root)


def stale_made_fresh(root: Path) -> None:
    """Change the lab's source and write its new hash into the old result."""
    from perfnotes.labs.find import find_labs  # noqa: PLC0415 - needed by one kind

    source = root / "notes/caches/row-order/lab/order.c"
    source.write_text(source.read_text("utf-8") + "/* another */\n", "utf-8")
    digest = find_labs(root / "notes", "notes").labs["caches/row-order"].digest
    sealed(lambda data: data.update(lab_digest=digest))(root)


def renewed(root: Path) -> None:
    """Change the English text and renew the hash in its unchanged translation."""
    from perfnotes.model.translation import original_hash  # noqa: PLC0415
    from perfnotes.source.read.folder import read_library  # noqa: PLC0415 - needed by one kind

    swap(NOTE, "the order costs no\nmisses at all", "the order costs\nmisses as well")(root)
    note = read_library(root / "notes", "notes").notes["caches/row-order"]
    swap(TWIN, "translates: .*", f'translates: "{original_hash(note)}"')(root)


KINDS = (
    # The words of a note.
    Kind("body: digits of a bound number", swap(NOTE, r"\[16×\]\(lab", "[77×](lab")),
    Kind("body: a number without its link", swap(NOTE, r"\[16×\]\(lab:misses\)", "77×")),
    Kind("body: a new sentence with a ratio", says("Columns take 77× the time.")),
    Kind("body: a time", says("Each miss costs 77 ns.")),
    Kind("body: bound to another value", swap(NOTE, r"\(lab:misses\)", "(lab:fits)")),
    Kind("body: unit of a bound number", swap(NOTE, r"\[4\.3 ns\]", "[4.3 µs]")),
    Kind("body: a count without its decimal point", swap(NOTE, r"\[14\.8×\]", "[148×]")),
    Kind("table cell", swap(NOTE, r"\| along rows \| \|", "| along rows | 77× |")),
    Kind("entity &times;", says("Columns take 77&times; the time.")),
    Kind("entity &#215;", says("Columns take 77&#215; the time.")),
    Kind("entity in a unit: 77&nbsp;ns", says("Each miss costs 77&nbsp;ns.")),
    Kind("emphasis inside: **77**×", says("Columns take **77**× the time.")),
    Kind("HTML inside: <b>77</b>×", says("Columns take <b>77</b>× the time.")),
    Kind("zero-width space inside", says("Columns take 7\u200b7× the time.")),
    Kind("full-width digits", says("Columns take ７７× the time.")),
    Kind("escaped sign: 77\\%", says("That is 77\\% of the time.")),
    Kind("a letter for the sign: 77x", says("The speed-up is 77x.")),
    Kind("a factor of 77", says("They are slower by a factor of 77.")),
    Kind("seventy-seven times", says("Columns take seventy-seven times the time.")),
    Kind("seventy-sevenfold", says("The time grows seventy-seven-fold.")),
    Kind("thirty per cent", says("Rows take thirty per cent of the time.")),
    Kind("an order of magnitude", says("Columns are orders of magnitude slower.")),
    Kind("Chinese: 77 倍", says("按列的用时是 77 倍。", TWIN)),
    Kind("Chinese: 七十七倍", says("按列的用时是七十七倍。", TWIN)),
    Kind("Chinese: 百分之三十", says("按行只用百分之三十的时间。", TWIN)),
    Kind("Chinese: 三成", says("按行只用时间的三成。", TWIN)),
    Kind("Chinese: 数十倍", says("按列要慢数十倍。", TWIN)),
    Kind("twin: digits of a bound number", swap(TWIN, r"\[16 倍\]", "[77 倍]")),
    Kind("title", swap(NOTE, "rows against columns", "columns take 77× the time")),
    Kind("description", swap(NOTE, "and the time measured", "and 77× the time measured")),
    Kind("description of the twin", swap(TWIN, "测出用时", "测出七十七倍的用时")),
    Kind("heading", swap(NOTE, "## Where the factor of sixteen", "## Where the factor of 77")),
    Kind("formula", says("So $t = 77\\times$ the time.")),
    Kind("formula with a unit", says("So $t = 77\\,\\text{ns}$ for each.")),
    Kind("code span", says("Columns take `77×` the time.")),
    Kind("comment in a code block",
         swap(NOTE, r"/\* along the columns \*/", "/* 77× slower */")),
    Kind("alternative text", swap(NOTE, r"!\[Two walks", "![77× the time: two walks")),
    Kind("tooltip of a link", says('See [the order](../blocking/index.md "77× as fast").')),
    Kind("text of a figure", swap(FIGURE, ">Along a column<", ">Along a column: 77×<")),
    Kind("text of a figure, in parts",
         swap(FIGURE, ">Along a column<", "><tspan>77</tspan><tspan>×</tspan><")),
    Kind("shown output", swap("notes/caches/huge-pages/index.md",
                              r"(?<=pages show 256\n)", "9 faults\n")),
    # Ways to exempt a number from evidence.
    Kind("waiver added", each(says("Columns take 77× the time."),
                              swap(NOTE, "\nchosen:", "\nwaived: {77×: known}\nchosen:"))),
    Kind("size called chosen", each(says("Columns take 77× the time."),
                                    swap(NOTE, r'chosen: \[', 'chosen: ["77×", '))),
    # Labs and results.
    Kind("kind: count to timing", swap(LAB, "kind: count", "kind: timing"), runs=True),
    Kind("expectation loosened", swap(LAB, "within 1 % of 16", '"> 2"')),
    Kind("expectation loosened, within", swap(LAB, "within 1 % of 16", "within 90 % of 16")),
    Kind("control changed", swap(LAB, "control: rows.D1mr / rows.D1mr",
                                 "control: 2 * rows.D1mr / rows.D1mr")),
    Kind("control left out", swap(LAB, "    control: rows.D1mr / rows.D1mr\n", "")),
    Kind("claim turned into its opposite", swap(LAB, "null-result: true\n", "\n")),
    Kind("tolerance given to a count", swap(LAB, "expect: within 1 % of 16",
                                            "tolerance: 0.05\n    expect: within 1 % of 16")),
    Kind("expression of a claim", swap(LAB, "expression: columns.Dr / rows.Dr",
                                       "expression: rows.Dr / rows.Dr")),
    Kind("expression of a value", swap(LAB, "expression: rows.D1mr,",
                                       "expression: rows.D1mr + 0,")),
    Kind("unit of a value", swap(LAB, "big / big, unit: ns", "big / big, unit: ps")),
    Kind("claim removed", swap(LAB, r"(?s)  same-reads:\n.*?(?=  fits:)", "")),
    Kind("samples of a timing", scaled("time", "rows", 0.5)),
    Kind("samples of a timing, digits mended too",
         each(scaled("time", "columns", 1.001), swap(LAB, "duration: 12 s", "duration: 13 s"))),
    Kind("samples of a count, with digest", each(
        scaled("columns", "D1mr", 1.000001), swap(LAB, "duration: 12 s", "duration: 13 s")),
        runs=True),
    Kind("samples without a new digest", swap(RESULT, r'"samples": \[\d', '"samples": [7')),
    Kind("machine of a result", sealed(other_machine)),
    Kind("machine id of a result", swap(RESULT, '"id": "amd-epyc', '"id": "amd-other')),
    Kind("reference machine switched", second_result),
    Kind("lab's source without a new recording", swap(
        "notes/caches/row-order/lab/order.c", r"\A", "/* another */\n"), runs=True),
    Kind("lab's source, hash written into the old result", stale_made_fresh),
    # Facts, calculators, translations.
    Kind("fact's value", swap(FACTS, "value: 2048", "value: 4096")),
    Kind("fact's source dropped", swap(FACTS, r'        source: "[^"]*"\n', "")),
    Kind("fact's unit", swap(FACTS, "unit: thread", "unit: warp")),
    Kind("formula of a fact", swap(FACTS, r"formula: (?=\w)", "formula: 2 * ")),
    Kind("formula of a calculator", swap(CALC, "formula: amdahl / N", "formula: amdahl / N / 2")),
    Kind("worked case of a calculator", swap(CALC, r', gives: \{limit: "5×"\}', "")),
    Kind("worked case with another result", swap(CALC, r'gives: \{limit: "5×"\}',
                                                 'gives: {limit: "7×"}')),
    Kind("hash of a twin renewed without its text", renewed),
)  # fmt: skip


def copy(target: Path) -> None:
    """Copy the notes and the site's pages to ``target`` and commit them to a new repository."""
    for name in ("notes", "docs"):
        shutil.copytree(ROOT / name, target / name)
    shutil.copyfile(ROOT / "mkdocs.yml", target / "mkdocs.yml")
    git(target, "init", "--quiet", "--initial-branch=main")
    git(target, "config", "user.email", "nobody@example.org")
    git(target, "config", "user.name", "Nobody")
    git(target, "add", "--all")
    git(target, "commit", "--quiet", "--message", "The notes")


def git(folder: Path, *words: str) -> None:
    """Run git in a folder; ``CalledProcessError`` if it fails."""
    subprocess.run(["git", *words], cwd=folder, check=True)


def findings(side: Side) -> Counter[tuple[str, str, str]]:
    """Count the errors and warnings of a side by path, code and message."""
    site = side.site
    found: list[Finding] = examine(site)
    changed = [w for w in page_texts(site) if "row-order" in w.path]
    for text in changed:
        links = site.graph.links[text.path]
        found += body_renderer(site, text.text.lang).render(links, "page/", mark=False).findings
    graded = grade(found, site.library)
    return Counter(
        (f.path, f.code, f.message)
        for f in graded
        if f.severity is not Severity.NOTE and f.code != _BEHIND
    )


def caught(root: Path, kind: Kind, before: Side, known: Counter[tuple[str, str, str]]) -> Caught:
    """Make one edit, return what noticed it, and undo the edit."""
    try:
        kind.edit(root)
        after = working_side(root, resolve(root, "HEAD").commit)
        new = findings(after) - known
        codes = ", ".join(sorted({code for _, code, _ in new}))
        entries = first.compare(Pair(before, after)).entries
        kinds = ", ".join(dict.fromkeys(entry.kind for entry in entries))
        return Caught(codes, kinds, verified(root) if kind.runs and RUN_LABS else "")
    finally:
        git(root, "reset", "--quiet", "--hard")
        git(root, "clean", "--quiet", "-fd")


RUN_LABS = True


def verified(root: Path) -> str:
    """Return what ``lab verify`` finds wrong with the labs that differ, or ""."""
    command = [sys.executable, "-m", "perfnotes", "lab", "verify", "--changed-since", "HEAD"]
    helps = subprocess.run([*command[:5], "--help"], capture_output=True, text=True, check=True)
    trust = ["--trust"] if "--trust" in helps.stdout else []
    done = subprocess.run(
        [*command, *trust, "--json"], cwd=root, capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        return ""
    try:
        wrong = [line for report in json.loads(done.stdout) for line in report["wrong"]]
    except ValueError:
        return done.stderr.strip()[-200:]
    return "; ".join(wrong)[:160]


def main() -> int:
    """Try the kinds and print the table; return 1 if one was not noticed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--only", default="", metavar="PATTERN", help="kinds whose name matches")
    parser.add_argument("--no-verify", action="store_true", help="run no lab")
    options = parser.parse_args()
    global RUN_LABS  # noqa: PLW0603 - one setting of one program
    RUN_LABS = not options.no_verify
    kinds = [kind for kind in KINDS if re.search(options.only, kind.name)]
    missed = 0
    with TemporaryDirectory(prefix="perfnotes-tampering-") as folder:
        root = Path(folder)
        copy(root)
        with side_of(resolve(root, "HEAD")) as before:
            known = findings(before)
            print("| tampering | check | diff, first | verify |\n|---|---|---|---|")
            for kind in kinds:
                found = caught(root, kind, before, known)
                missed += not found.by_any
                cells = [cell or "-" for cell in (found.check, found.diff, found.verify)]
                print(f"| {kind.name} | {' | '.join(cells)} |", flush=True)
    print(f"kinds: {len(kinds)}; noticed: {len(kinds) - missed}; not noticed: {missed}")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
