"""The picture of what is around a note: which notes lead to it, and to which it leads."""

from __future__ import annotations

from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from perfnotes.site.safety import judge
from tests.example_notes import made_pages, read_site, write_notes


def test_the_picture_names_the_notes_before_and_after(tmp_path: Path) -> None:
    pages = {page.url: page for page in made_pages(read_site(write_notes(tmp_path)))}
    # Rows require lines; steps require rows.
    html = LexborHTMLParser(pages["caches/rows/"].body)
    picture = html.css_first("#pn-around ~ details, .pn-fold .pn-map")
    links = html.css(".pn-map-node")
    assert picture is not None
    assert {a.attributes["href"] for a in links} == {"../lines/", "./", "../steps/"}
    moves = {a.attributes["href"]: str(a.parent.attributes["transform"]) for a in links if a.parent}
    left = {href: float(move.split("(")[1].split()[0]) for href, move in moves.items()}
    assert left["../lines/"] < left["./"] < left["../steps/"]
    assert not judge(pages["caches/rows/"].body)
    assert "note" in pages["caches/rows/"].styles  # with what the picture needs
    # A note of another topic is dashed.
    warps = LexborHTMLParser(pages["gpu/warps/"].body)
    assert [a.attributes["href"] for a in warps.css(".pn-map-other")] == [
        "../../caches/lines/", "../../caches/steps/"
    ]  # fmt: skip
    chinese = LexborHTMLParser(pages["zh/caches/lines/"].body)
    assert "本文周围" in pages["zh/caches/lines/"].body
    assert chinese.css(".pn-map-node")


def test_the_number_of_notes_agrees_with_its_noun(tmp_path: Path) -> None:
    files = {"gpu/one.md": "See [[gpu/two]].\n", "gpu/two.md": "Nothing leads on.\n"}
    pages = {page.url: page for page in made_pages(read_site(write_notes(tmp_path, files)))}
    assert "<summary>One note, as a picture</summary>" in pages["gpu/two/"].body
    assert "<summary>2 notes, as a picture</summary>" in pages["gpu/warps/"].body


def test_a_note_without_links_has_no_picture(tmp_path: Path) -> None:
    files = {"gpu/alone.md": "Nothing leads here.\n"}
    pages = {page.url: page for page in made_pages(read_site(write_notes(tmp_path, files)))}
    assert "pn-around" not in pages["gpu/alone/"].body
    assert "map" not in pages["gpu/alone/"].styles


def test_only_some_of_many_notes_are_drawn(tmp_path: Path) -> None:
    files = {f"gpu/n{i}.md": "See [[lines]].\n" for i in range(20)}
    pages = {page.url: page for page in made_pages(read_site(write_notes(tmp_path, files)))}
    assert len(LexborHTMLParser(pages["caches/lines/"].body).css(".pn-map-node")) <= 11
