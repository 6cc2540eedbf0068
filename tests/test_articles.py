"""A page with the Markdown of an earlier one gets the article of that page, converted once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from perfnotes.build import publish
from perfnotes.build.convert import convert_and_judge
from perfnotes.build.messages import ArticlePlace
from perfnotes.cli import main as cli
from tests.example_notes import write_notes
from tests.project import differences

_LINES = [b"", b"<p>one</p>", b"<table>", b"</table>", b"one", b"<p>"]


def test_the_article_of_a_page_is_read_from_its_bytes() -> None:
    chance = random.Random(3)
    read = 0
    for _ in range(3000):
        lines = chance.choices(_LINES, k=chance.randrange(1, 8))
        article = b"\n".join(lines)
        page = b"<body>\n" + b"\n".join(
            line.replace(b"<table>", chance.choice((b"<table>", b"<div>\n<table>")))
            for line in lines
        )
        pieces = publish._pieces(article, page + b"\n</body>")
        if pieces:
            read += 1
            assert ArticlePlace(pieces, []).read(page).html == article.decode()
    assert read > 2000
    assert publish._pieces(b"a line\nanother", b"<body>a line\nreplaced</body>") is None


def test_spaces_of_code_stand_in_no_element_of_their_own() -> None:
    html = '<span class="w"> </span>a<span class="w">    </span>b<span class="w">\t</span>'
    assert publish.without_space_elements(html) == ' a    b<span class="w">\t</span>'
    assert publish.without_space_elements(" a    b") == " a    b"


@pytest.mark.slow
def test_a_title_converts_only_the_texts_that_show_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    notes = write_notes(tmp_path) / "notes"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    converted = tmp_path / "converted"
    convert = convert_and_judge

    def counted(engine: object, text: str, *rest: object, **named: object) -> object:
        with converted.open("a") as file:  # by any of the processes
            file.write("x")
        return convert(engine, text, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(publish, "convert_and_judge", counted)

    def build(site: str, *options: str) -> int:
        converted.write_text("")
        assert cli.main(["build", "--notes", str(notes), "--site", site, *options]) == 0
        return len(converted.read_text())

    every = build("site")
    lines = notes / "caches" / "lines.md"
    lines.write_text(
        lines.read_text("utf-8").replace("title: Cache lines", "title: Lines"), "utf-8"
    )
    some = build("site", "--verbose")
    made = capfd.readouterr().err.count("is made again")
    assert 0 < some < made < every
    assert build("fresh", "--no-cache") > some
    assert differences(tmp_path / "site", tmp_path / "fresh") == []
