"""Which address a page has, and how one page links to another."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfnotes.graph.address import Addresses, relative, to_place
from perfnotes.site.page_addresses import old_addresses
from perfnotes.site.pages import redirects
from tests.example_notes import NOTES, read_site, write_notes

LINKS = {
    ("", ""): "./",
    ("", "caches/lines/"): "caches/lines/",
    ("caches/lines/", ""): "../../",
    ("caches/lines/", "caches/lines/"): "./",
    ("caches/lines/", "caches/lines/lab/"): "lab/",
    ("caches/lines/", "caches/rows/"): "../rows/",
    ("caches/lines/", "gpu/warps/"): "../../gpu/warps/",
    ("zh/caches/lines/", "caches/lines/"): "../../../caches/lines/",
    ("404.html", "caches/"): "caches/",
    # Only what a browser would take for something else is encoded.
    ("", "c++/a~b,c@d=e.f-g_h/"): "c++/a~b,c@d=e.f-g_h/",
    ("", "a b/100%/what?/#1/"): "a%20b/100%25/what%3F/%231/",
    ("", "缓存/"): "%E7%BC%93%E5%AD%98/",
}


@pytest.mark.parametrize(("way", "link"), LINKS.items())
def test_a_link_is_relative_and_encoded(way: tuple[str, str], link: str) -> None:
    assert relative(*way) == link


def test_a_link_leads_to_a_place_on_a_page() -> None:
    assert to_place("caches/", "caches/#对齐") == "#%E5%AF%B9%E9%BD%90"
    assert to_place("caches/", "gpu/#a b") == "../gpu/#a%20b"
    assert to_place("caches/", "gpu/#a", markdown=True) == "../gpu/index.md#a"


def foreign(folder: Path, *files: str) -> Addresses:
    """The addresses of a folder that was not written for perfnotes."""
    for name in files:
        file = folder / "notes" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("# A note\n\nText.\n", encoding="utf-8")
    return read_site(folder).addresses


@pytest.mark.parametrize("name", ["tags", "Tags"])
def test_a_section_gives_way_to_a_topic_of_its_name(tmp_path: Path, name: str) -> None:
    """Some file systems do not tell capitals from small letters."""
    addresses = foreign(tmp_path, f"{name}/one.md")
    assert addresses.section("tags", "en") == "tags-index/"
    assert addresses.tag("cache", "en") == "tags-index/cache/"
    assert addresses.section("references", "en") == "references/"


def test_a_tag_is_one_step_of_an_address(tmp_path: Path) -> None:
    addresses = foreign(tmp_path, "one.md")
    assert addresses.tag("memory/pinned", "en") == "tags/memory-pinned/"
    assert addresses.tag("c#", "en") == "tags/c/"


def test_where_a_note_can_be_read(tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path))
    lines, rows = (site.library.notes[f"caches/{slug}"] for slug in ("lines", "rows"))
    addresses = site.addresses
    assert (addresses.has(lines, "zh"), addresses.has(rows, "zh")) == (True, False)
    assert (addresses.note(lines, "zh"), addresses.note(rows, "zh")) == (
        "zh/caches/lines/",
        "caches/rows/",
    )


def test_a_site_without_chinese_lacks_no_translation(tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path))
    for path in NOTES:
        if path.endswith(".zh.md"):
            (tmp_path / "notes" / path).unlink()
    site = read_site(tmp_path)
    assert "zh" not in site.library.languages
    assert site.addresses.has(site.library.notes["caches/rows"], "zh")


def test_old_names_of_a_tag_lead_to_the_tag(tmp_path: Path) -> None:
    table = "- id: cache\n  name: {en: Cache, zh: 缓存}\n  aliases: [caching, cache memory]\n"
    table += "  description: {en: Fast memory., zh: 快速存储。}\n"
    site = read_site(write_notes(tmp_path, {"tags.yml": table}))
    found = {(each.old, each.new) for each in old_addresses(site)}
    assert found == {("tags/caching/", "tags/cache/"), ("zh/tags/caching/", "zh/tags/cache/")}
    made = dict(redirects.files(site))
    assert b'data-to="../cache/"' in made["tags/caching/index.html"]
