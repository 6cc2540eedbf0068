"""Files of reviews: what is wrong in one is a finding, and a large one is read in short time."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfnotes.graph.reviews import review_states
from perfnotes.model.review import Review
from perfnotes.source.read.reviews import read_review
from perfnotes.text.findings import Finding
from tests.example_notes import read_site, write_notes


def read_text(tmp_path: Path, text: str) -> tuple[Review | None, list[Finding]]:
    file = tmp_path / "rows.review.yml"
    file.write_text(text, "utf-8")
    return read_review(file, "notes/rows.review.yml", "caches/rows.review.yml")


HEAD = "readings:\n- by: {by}\n  kind: sources\n  date: 2026-01-31\n  text: 97809e703d896516\n"


@pytest.mark.parametrize(
    "text",
    [
        HEAD.format(by="<b>Ada</b>") + '  statements: ""\n',
        HEAD.format(by='"ada@mail.example"') + '  statements: ""\n',
        HEAD.format(by="dependabot[bot]") + '  statements: ""\n',
        HEAD.format(by='"\\u202e"') + '  statements: ""\n',
        HEAD.format(by="Ada") + "  statements: |\n    not a digest\n",
        HEAD.format(by="Ada") + '  statements: "0123456789ab \\e[31mred"\n',
        HEAD.format(by="Ada") + "  statements: [0123456789ab]\n",
        HEAD.format(by="Ada")
        + '  statements: ""\n  mended:\n  - {sentence: "0123456789ab", what: x}\n',
        HEAD.format(by="Ada").replace("2026-01-31", "yesterday") + '  statements: ""\n',
        HEAD.format(by="Ada") + '  statements: ""\n  more: 1\n',
        "readings: [[[[[[[[]]]]]]]]\n",
        "[]\n",
        "",
    ],
)
def test_a_malformed_review_is_a_finding(tmp_path: Path, text: str) -> None:
    _, findings = read_text(tmp_path, text)
    assert {f.code for f in findings} == {"PN930"}
    assert all(len(f.message) < 1000 and f.message.isprintable() for f in findings)


def test_a_huge_review_is_read_in_short_time(tmp_path: Path) -> None:
    lines = "".join(f"    {i:012x} w\n" for i in range(30_000))
    review, findings = read_text(tmp_path, HEAD.format(by="Ada") + f"  statements: |\n{lines}")
    assert review
    assert not findings
    assert len(review.digests) == 30_000
    escaped = "".join(f"\\x30{i:011x}\\n" for i in range(30_000))  # not in the file as it is read
    review, _ = read_text(tmp_path, HEAD.format(by="Ada") + f'  statements: "{escaped}"\n')
    assert review


def test_two_readers_of_one_sentence_count_once(tmp_path: Path) -> None:
    both = "  statements: |\n    0123456789ab One\n    fedcba987654 Two\n"
    one = HEAD.format(by="Ada") + both
    other = HEAD.format(by="maintainers").removeprefix("readings:\n") + both
    overlay = {"caches/rows.review.yml": one + other}
    site = read_site(write_notes(tmp_path, overlay))
    (state,) = review_states(site, site.library.notes["caches/rows"])
    assert (state.read, state.by, len(state.changed)) == (2, ("Ada", "maintainers"), 2)
