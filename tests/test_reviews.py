"""Reviews: recorded by a command, held against the text by sentence, shown, listed, compared."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from perfnotes.checks import examine
from perfnotes.cli.main import main
from perfnotes.contribute.reviewing import as_yaml, with_reading
from perfnotes.model.review import MENDED, UNVERIFIED, Reading, ReadSentence, Review
from perfnotes.source.read.reviews import read_review
from perfnotes.text.findings import Severity
from perfnotes.text.source import Source
from tests.example_notes import made_pages, read_site, write_notes
from tests.project import ROOT, commit, copy_built, git, perfnotes, run

CONFIRM = "Swap the loops: if it is faster, this is the cause."
SYMPTOM = f"""\
---
symptoms:
- id: columns-slow
  see: My loop over the columns is slow.
  confirm: "{CONFIRM}"
---
"""
ROWS = """\
A C array lies in memory row by row [@drepper2007memory, sec. 6]. Walk it in that order.
A column takes longer. Each [[lines|line]] comes many times.
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the example notes, committed by Ada."""
    write_notes(tmp_path, {"caches/rows.md": ROWS, "../docs/about.md": "What it is about.\n"})
    shutil.copyfile(ROOT / "mkdocs.yml", tmp_path / "mkdocs.yml")
    (tmp_path / "tools").symlink_to(ROOT / "tools")
    (tmp_path / "build/stage").mkdir(parents=True)
    (tmp_path / ".gitignore").write_text("/tools\n/build\n")
    commit(tmp_path)
    git(tmp_path, "config", "user.name", "Ada Lovelace")
    git(tmp_path, "config", "user.email", "ada@mail.example")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edit(project: Path, old: str, new: str) -> None:
    file = project / "notes/caches/rows.md"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def page(project: Path, url: str) -> str:
    return next(p.body for p in made_pages(read_site(project)) if p.url == url)


def codes(project: Path) -> list[str]:
    return [f.code for f in examine(read_site(project)) if f.code.startswith("PN93")]


def test_what_was_read_is_recorded_and_shown(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mended, unverified = "11:1=said that it takes as long", "10:1=the book is out of reach"
    assert main(["reviewed", "caches/rows", "--mended", mended, "--unverified", unverified]) == 0
    file = project / "notes/caches/rows.review.yml"
    assert "4 of 4 sentences that state a fact, read by Ada Lovelace" in capsys.readouterr().out
    text = file.read_text("utf-8")
    assert "mail.example" not in text
    review, findings = read_review(file, "x", "caches/rows.review.yml")
    assert review
    assert not findings
    (reading,) = review.readings
    assert as_yaml(review.readings) == text
    assert [s.state for s in reading.sentences].count(UNVERIFIED) == 1
    assert "A column takes longer." in [s.words for s in reading.sentences if s.state == MENDED]
    shown = page(project, "caches/rows/")
    assert "4 statements read against their sources, " in shown
    assert "by Ada Lovelace; 1 of them mended; 1 of them could not be verified</p>" in shown
    assert codes(project) == []


def test_a_sentence_is_mended_or_not_verified(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = ["--mended", "11:1=said too much", "--unverified", "11:1=the book is out of reach"]
    assert main(["reviewed", "caches/rows", *both]) == 2
    assert "--mended and --unverified both name the sentence at 11:1" in capsys.readouterr().err
    assert not (project / "notes/caches/rows.review.yml").exists()


def test_a_remark_stays_with_its_sentence(project: Path) -> None:
    """A second reading of a line, of which one sentence is new, keeps what was said of the rest."""
    remarks = ["--mended", "11:1=said too much", "--unverified", "10:1=out of reach"]
    assert main(["reviewed", "caches/rows", *remarks]) == 0
    first = (project / "notes/caches/rows.review.yml").read_text("utf-8")
    assert main(["reviewed", "caches/rows", "--lines", "10:1,11"]) == 0
    assert (project / "notes/caches/rows.review.yml").read_text("utf-8") == first
    assert main(["reviewed", "caches/rows", "--verified", "11:1"]) == 0  # it was only mended
    assert (project / "notes/caches/rows.review.yml").read_text("utf-8") == first
    assert main(["reviewed", "caches/rows", "--lines", "10:1", "--verified", "10:1"]) == 0
    now = (project / "notes/caches/rows.review.yml").read_text("utf-8")
    assert "said too much" in now
    assert "unverified" not in now


def test_one_sentence_of_a_line_is_read(project: Path) -> None:
    edit(project, "A column takes longer. ", "A column takes longer. A diagonal takes longest. ")
    at = "11:24"
    assert main(["reviewed", "caches/rows", "--lines", at]) == 0
    text = (project / "notes/caches/rows.review.yml").read_text("utf-8")
    assert "A diagonal takes longest." in text
    assert "A column" not in text


def test_a_review_goes_stale_by_sentence(project: Path) -> None:
    assert main(["reviewed", "caches/rows", "--by", "maintainers"]) == 0
    edit(project, "Walk it in that order.", "Walk it so.")  # advice was never reviewed
    edit(project, "A column takes longer. ", "\n\n- A column takes longer.\n\n")
    assert "changed since" not in page(project, "caches/rows/")
    edit(project, "takes longer", "takes twice as long")
    assert "by the maintainers; 1 changed since</p>" in page(project, "caches/rows/")
    (finding,) = [f for f in examine(read_site(project)) if f.code == "PN932"]
    assert finding.severity is Severity.NOTE
    assert "A column takes longer." in finding.message
    assert finding.hint.endswith("perfnotes reviewed caches/rows --lines LINE")
    line = (
        (project / "notes/caches/rows.review.yml").read_text("utf-8").splitlines()[finding.line - 1]
    )
    assert "A column takes longer." in line
    assert main(["claims", "caches/rows", "--unread"]) == 0
    place = next(
        i for i, line in enumerate((project / "notes/caches/rows.md").read_text().split("\n"), 1)
        if "twice" in line
    )  # fmt: skip
    assert main(["reviewed", "caches/rows", "--by", "maintainers", "--lines", str(place)]) == 0
    assert "changed since" not in page(project, "caches/rows/")
    assert "4 statements" in page(project, "caches/rows/")


def test_unread_sentences_are_listed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reviewed", "caches/rows", "--by", "maintainers"]) == 0
    edit(project, "takes longer", "takes twice as long")
    capsys.readouterr()
    assert main(["claims", "caches/rows", "--unread"]) == 0
    out = capsys.readouterr().out
    assert "takes twice as long" in out
    assert "row by row" not in out


def test_how_to_confirm_a_symptom_is_read_and_goes_stale(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(project, {"caches/rows.md": SYMPTOM + ROWS})
    file, note = project / "notes/caches/rows.review.yml", project / "notes/caches/rows.md"
    place = next(
        i for i, line in enumerate(note.read_text("utf-8").split("\n"), 1) if CONFIRM in line
    )  # fmt: skip
    assert main(["reviewed", "caches/rows", "--lines", f"{place}:3"]) == 0
    assert f" {CONFIRM}" in file.read_text("utf-8")
    assert main(["reviewed", "caches/rows"]) == 0
    assert "5 statements" in page(project, "caches/rows/")
    commit(project, "Read")
    capsys.readouterr()
    edit(project, "if it is faster", "if that halves the time")
    edit(project, "My loop", "The loop")  # what a person sees is nobody's statement
    assert main(["claims", "caches/rows", "--unread"]) == 0
    assert "1 sentence states a fact" in capsys.readouterr().out
    assert codes(project) == ["PN932"]
    assert "; 1 changed since</p>" in page(project, "caches/rows/")
    assert main(["diff", "HEAD"]) == 0
    assert "1 of 5 sentences that were read changed or went" in capsys.readouterr().out
    assert main(["reviewed", "caches/rows", "--lines", str(place)]) == 0
    assert codes(project) == []


def test_the_chinese_text_has_a_review_of_its_own(project: Path) -> None:
    assert main(["reviewed", "caches/lines", "--lang", "zh", "--kind", "expert"]) == 0
    assert (project / "notes/caches/lines.zh.review.yml").is_file()
    assert "条陈述由业内人士评判过，" in page(project, "zh/caches/lines/")
    assert "审读者：Ada Lovelace</p>" in page(project, "zh/caches/lines/")
    assert "pn-review" not in page(project, "caches/lines/")


def test_notes_that_nobody_read_are_wanted(project: Path) -> None:
    assert "perfnotes claims caches/rows" in page(project, "help-wanted/")
    assert main(["reviewed", "caches/rows", "--by", "maintainers", "--lines", "10-11"]) == 0
    assert "perfnotes claims caches/rows" not in page(project, "help-wanted/")
    assert "perfnotes claims caches/lines" in page(project, "zh/help-wanted/")


def test_diff_names_the_reviewed_sentences_that_a_change_touches(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reviewed", "caches/rows"]) == 0
    capsys.readouterr()
    assert main(["diff", "HEAD"]) == 0
    assert "4 sentences, against their sources, by Ada Lovelace" in capsys.readouterr().out
    commit(project, "Read")
    edit(project, "takes longer", "takes twice as long")
    assert main(["diff", "HEAD"]) == 0
    out = capsys.readouterr().out
    assert "1 of 4 sentences that were read changed or went" in out
    assert "A column takes longer." in out
    git(project, "commit", "-qam", "Longer")
    assert main(["diff", "HEAD"]) == 0
    assert "that were read" not in capsys.readouterr().out


def test_a_place_without_a_sentence_says_where_one_is(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nearest = (
        ": no sentence that states a fact begins there; the nearest begin at "
        "10:1 (A C array lies in memory row by row (Drepper 2007, sec. 6).) "
        "and 11:1 (A column takes longer.)\n"
    )
    lines = (project / "notes/caches/rows.md").read_text("utf-8").count("\n")
    for wrong, said in {
        ("--lines", "900-950"): f": notes/caches/rows.md has only {lines} lines\n",
        ("--lines", "10:40"): nearest,
        ("--lines", "10,10:40"): nearest,
        ("--mended", "10:40=x"): nearest,
        ("--verified", "900"): f": notes/caches/rows.md has only {lines} lines\n",
        ("--lines", "11-10"): ": write the smaller number first\n",
    }.items():
        assert main(["reviewed", "caches/rows", *wrong]) == 2
        err = capsys.readouterr().err
        assert err.endswith(said), err
        assert err.startswith(f"perfnotes: {wrong[0]} ")
    assert main(["reviewed", "rows", "--lines", "10", "--mended", "11=x"]) == 2
    assert "--mended 11: --lines leaves this sentence out" in capsys.readouterr().err
    assert not list(project.rglob("*.review.yml"))


def test_sentences_that_no_option_named_are_counted(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "without --lines all sentences are recorded as read, 3 of them named by no option"
    mended = ["reviewed", "caches/rows", "--mended", "11:1=said too much"]
    assert main([*mended, "--dry-run"]) == 0
    err = capsys.readouterr().err
    assert said in err
    assert "undo" not in err
    assert main([*mended, "--lines", "11"]) == 0
    assert capsys.readouterr().err == ""
    git(project, "add", ".")
    git(project, "commit", "--quiet", "-m", "Read a line")
    assert main(mended) == 0
    assert "undo this (`git restore notes/caches/rows.review.yml`" in capsys.readouterr().err
    assert main(mended) == 0, "all are recorded already"
    assert capsys.readouterr().err == ""
    (project / "notes/caches/rows.review.yml").unlink()
    assert main(mended) == 0
    assert "undo this (`rm notes/caches/rows.review.yml`)" in capsys.readouterr().err


def test_a_translation_that_is_behind_is_not_read_as_a_whole(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    english = project / "notes/caches/lines.md"
    english.write_text(english.read_text("utf-8") + "\nA line has 64 bytes here.\n", "utf-8")
    twin = ["reviewed", "caches/lines", "--lang", "zh"]
    behind = (
        "notes/caches/lines.zh.md is behind its English text: "
        "`perfnotes translated caches/lines --dry-run` shows what changed there"
    )
    assert main(twin) == 2
    assert behind in capsys.readouterr().err
    review = project / "notes/caches/lines.zh.review.yml"
    assert not review.exists()
    assert main([*twin, "--lines", "1-99"]) == 0
    assert behind in capsys.readouterr().err
    assert review.exists()
    assert main([*twin, "--kind", "expert"]) == 0, "an expert needs no English text"
    assert behind in capsys.readouterr().err
    assert main(["translated", "lines"]) == 0
    assert main(twin) == 0
    assert capsys.readouterr().err == ""


def test_nobody_is_invented(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["reviewed", "caches/rows", "--by", "Somebody Else"])
    for name in ("renovate[bot]", "ada@mail.example"):
        git(project, "config", "user.name", name)
        assert main(["reviewed", "caches/rows"]) == 2
        assert "git does not know your name" in capsys.readouterr().err
    for wrong in (
        ["--lines", "900"],
        ["--lines", "x"],
        ["--mended", "900=x"],
        ["--mended", "x"],
        ["--verified", "900"],
        ["--verified", "x"],
        ["--lines", "10:900"],
    ):
        assert main(["reviewed", "caches/rows", "--by", "maintainers", *wrong]) == 2
    assert not list(project.rglob("*.review.yml"))


def test_a_broken_review_is_not_overwritten(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = project / "notes/caches/rows.review.yml"
    file.write_text("readings: 7\n")
    assert main(["reviewed", "caches/rows"]) == 2
    assert "has errors" in capsys.readouterr().err
    assert file.read_text() == "readings: 7\n"


def test_a_review_moves_with_its_note(project: Path) -> None:
    assert main(["reviewed", "caches/rows"]) == 0
    commit(project, "Read")
    assert main(["move", "caches/rows", "caches/row-order", "--yes"]) == 0
    assert (project / "notes/caches/row-order.review.yml").is_file()
    assert codes(project) == []


def test_a_sentence_that_changed_stays_recorded_until_its_place_is_read() -> None:
    def reading(*digests: str) -> Reading:
        read = tuple(ReadSentence(d, d) for d in digests)
        return Reading("Ada", "sources", "2026-01-31", "0" * 16, read)

    def after(former: Reading, new: Reading, *now: str) -> list[str]:
        review = Review("x.md", Source("x", ""), (former,))
        (merged,) = with_reading(review, new, now)
        return [s.digest for s in merged.sentences]

    former = reading("a", "b", "c", "d")
    assert after(former, reading("a"), "a", "B", "c", "d") == ["a", "b", "c", "d"]
    assert after(former, reading("B"), "a", "B", "c", "d") == ["a", "B", "c", "d"]
    assert after(former, reading("D"), "a", "B", "c", "D") == ["a", "b", "c", "D"]
    assert after(former, reading("a"), "a", "c", "d") == ["a", "c", "d"]  # b was removed


@pytest.mark.slow
def test_builds_after_an_edit_show_what_changed_since(built_example: Path, tmp_path: Path) -> None:
    """A new review, and then an edit of a sentence that it has, reach the page."""
    project = copy_built(built_example, tmp_path / "project")
    page = project / "site/caches/rows/index.html"
    run(project, perfnotes("reviewed", "caches/rows", "--by", "maintainers"))
    run(project, perfnotes("build", "--quiet"))
    assert "statements read against their sources" in page.read_text("utf-8")
    note = project / "notes/caches/rows.md"
    note.write_text(note.read_text("utf-8").replace("row by row", "line by line"), "utf-8")
    run(project, perfnotes("build", "--quiet"))
    assert "1 changed since" in page.read_text("utf-8")
