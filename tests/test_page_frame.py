"""The frame of a page: navigation, path from the home page, language switch."""

from __future__ import annotations

from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from perfnotes.checks._rule import Files
from perfnotes.graph.site import Settings
from perfnotes.site.page_frame import frame
from perfnotes.site.pages import feed
from tests.example_notes import made_pages, read_site, write_notes

MANY = 100
NUMBERED = {
    "topics.yml": "- {id: many, title: {en: Many, zh: 多}, description: {en: Many., zh: 多。}}\n",
    **{f"many/note-{i:03}.md": f"Text number {i}.\n" for i in range(MANY)},
}
NESTED_NAMES = {
    "topics.yml": "- {id: cache, title: {en: One, zh: 一}, description: {en: One., zh: 一。}}\n",
    "cache/other.md": "Another topic, whose id is the beginning of an id.\n",
}


def frames(folder: Path, overlay: Files) -> dict[str, dict[str, object]]:
    """The frame of each page, by the page's address."""
    site = read_site(write_notes(folder, overlay))
    return {page.url: frame(site, page) for page in made_pages(site)}


def navigation(meta: dict[str, object]) -> LexborHTMLParser:
    pieces = meta["nav"]
    assert isinstance(pieces, list)
    return LexborHTMLParser("".join(pieces))


def words(html: LexborHTMLParser, selector: str) -> list[str]:
    return [" ".join(node.text().split()) for node in html.css(selector)]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    return frames(tmp_path_factory.mktemp("many"), NUMBERED)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    return frames(tmp_path_factory.mktemp("example"), {})


@pytest.mark.parametrize("number", [0, 1, 14, 15, 50, 85, 99])
def test_a_large_topic_shows_the_notes_around_the_page(
    many: dict[str, dict[str, object]], number: int
) -> None:
    nav = navigation(many[f"many/note-{number:03}/"])
    listed = [int(w.removeprefix("Note ")) for w in words(nav, "a") if w.startswith("Note ")]
    assert listed == list(range(listed[0], listed[0] + 30))
    before, after = number - listed[0], listed[-1] - number
    assert min(before, number) == min(15, number) or listed[-1] == MANY - 1
    assert min(after, MANY - 1 - number) == min(14, MANY - 1 - number) or listed[0] == 0
    assert words(nav, ".pn-more a") == ["70 more in this topic"]
    assert words(nav, "a[aria-current=page]") == [f"Note {number:03}"]


def test_the_navigation_does_not_grow_with_the_notes(
    many: dict[str, dict[str, object]],
) -> None:
    assert all(len(navigation(meta).css("a")) < 60 for meta in many.values())


def test_the_topic_of_the_page_comes_first_and_is_open(
    example: dict[str, dict[str, object]],
) -> None:
    for url, first, notes in (
        ("caches/rows/", "Caches", ["Cache lines", "Rows before columns"]),
        ("gpu/warps/", "GPU", ["Warps"]),
    ):
        nav = navigation(example[url])
        topics = nav.css(".pn-topics-nav > li")
        assert words(nav, ".pn-topics-nav > li > a")[0] == first
        assert len(topics) == 2
        open_topics = [topic for topic in topics if topic.css("ul")]
        assert open_topics == topics[:1]
        found = words(nav, ".pn-topics-nav ul a")
        assert found[: len(notes)] == notes
    closed = navigation(example[""])
    assert not closed.css(".pn-topics-nav ul")


def test_a_topic_whose_name_is_the_beginning_of_another_stays_closed(tmp_path: Path) -> None:
    nav = navigation(frames(tmp_path, NESTED_NAMES)["caches/rows/"])
    for shown in (
        ".pn-topics-nav > li:has(ul) > a",
        ".pn-topics-nav > li > a.md-nav__link--active",
    ):
        assert words(nav, shown) == ["Caches"]


def test_the_navigation_has_three_groups(example: dict[str, dict[str, object]]) -> None:
    nav = navigation(example["caches/rows/"])
    assert words(nav, ".pn-nav-group") == ["Topics", "Look up", "Contribute"]
    for group in nav.css(".pn-nav-group"):
        listed = nav.css(f"ul[aria-labelledby={group.attributes['id']}]")
        assert len(listed) == 1
        assert listed[0].css("a")
    chinese = navigation(example["zh/caches/lines/"])
    assert words(chinese, ".pn-nav-group") == ["主题", "查阅", "参与"]


def test_the_page_on_taking_part_leads_to_all_others(tmp_path: Path) -> None:
    docs = {
        "../docs/contributing.md": "---\ntitle: How to\norder: 1\n---\n<!-- perfnotes:guides -->\n",
        "../docs/labs.md": "---\ntitle: Labs & co\norder: 2\n---\nText.\n",
    }
    site = read_site(write_notes(tmp_path, docs))
    pages = {page.url: page for page in made_pages(site)}
    for url, shown in (
        ("caches/rows/", ["How to"]),
        ("labs/", ["How to", "Labs & co", "Help wanted", "Recent changes"]),
        ("help-wanted/", ["How to", "Labs & co", "Help wanted", "Recent changes"]),
    ):
        nav = navigation(frame(site, pages[url]))
        assert words(nav, "ul[aria-labelledby=pn-nav-contribute] a") == shown
    hub = LexborHTMLParser(pages["contributing/"].body)
    assert [(a.attributes["href"], a.text()) for a in hub.css("li a")] == [
        ("../labs/", "Labs & co"),
        ("../help-wanted/", "Help wanted"),
        ("../recent/", "Recent changes"),
    ]
    assert "[Labs & co](../labs/index.md)" in pages["contributing/"].markdown


def test_a_note_says_which_of_its_topic_it_is(example: dict[str, dict[str, object]]) -> None:
    for url, place in (
        ("caches/lines/", "1 of 3"),
        ("caches/steps/", "3 of 3"),
        ("zh/caches/lines/", "第 1 篇，共 3 篇"),
    ):
        assert words(LexborHTMLParser(str(example[url]["crumbs"])), ".pn-place") == [place]
    assert "pn-place" not in str(example["caches/"]["crumbs"])


def test_a_page_of_a_section_leads_to_the_page_of_the_section(tmp_path: Path) -> None:
    """A page of ``docs/`` that has the name of a section is not a page of that section."""
    text = "---\ntitle: Searching\ndescription: How to search.\n---\n\nText.\n"
    found = frames(tmp_path, {"../docs/search.md": text})
    crumbs = {
        url: words(LexborHTMLParser(str(meta["crumbs"])), "a")
        for url, meta in found.items()
        if meta["lang"] == "en"
    }
    assert crumbs["checks/"] == crumbs["search/"] == ["Home"]
    assert crumbs["checks/pn601/"] == ["Home", "Check codes"]
    assert crumbs["tags/cache/"] == ["Home", "Tags"]
    assert [found[url]["kind"] for url in crumbs].count("document") == 1
    assert all(crumbs[u] == ["Home"] for u in crumbs if found[u]["kind"] == "document")


def test_notes_without_a_translation_are_marked(example: dict[str, dict[str, object]]) -> None:
    chinese = navigation(example["zh/caches/lines/"])
    marked = words(chinese, "a:has(.pn-lang)")
    assert "Rows before columns 英文" in [m.replace("columns英文", "columns 英文") for m in marked]
    assert not [each for each in marked if each.startswith("缓存行")]
    assert not navigation(example["caches/lines/"]).css(".pn-lang")


def test_the_language_switch_leads_to_the_twin_or_says_that_there_is_none(
    example: dict[str, dict[str, object]],
) -> None:
    switch = LexborHTMLParser(str(example["caches/lines/"]["languages"]))
    links = {node.attributes["hreflang"]: node.attributes["href"] for node in switch.css("a")}
    assert links == {"en": "./", "zh": "../../zh/caches/lines/"}
    assert words(switch, "a[aria-current]") == ["English"]
    alone = LexborHTMLParser(str(example["caches/rows/"]["languages"]))
    assert words(alone, ".pn-no-twin small") == ["暂无中文版"]


def test_a_site_in_one_language_has_no_switch(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "alone.md").write_text("# Alone\n\nText.\n", encoding="utf-8")
    site = read_site(tmp_path)
    assert all("languages" not in frame(site, page) for page in made_pages(site))


def test_a_title_is_shown_as_text(tmp_path: Path) -> None:
    overlay = {"caches/rows.md": '---\ntitle: A <b> & "c"\ndescription: "<i>"\n---\n'}
    meta = frames(tmp_path, overlay)["caches/rows/"]
    assert str(meta["title"]).startswith("A &lt;b&gt; &amp; ")
    assert "<i>" not in str(meta["description"])
    shown = [str(meta["crumbs"]), *(str(link.html) for link in navigation(meta).css("a"))]
    assert not [html for html in shown if "<b>" in html]


def test_a_page_names_the_feed_only_if_there_is_one(tmp_path: Path) -> None:
    named = Settings(name="Example", url="https://example.org/")
    dated = read_site(write_notes(tmp_path / "dated"), named)
    (tmp_path / "undated/notes").mkdir(parents=True)
    (tmp_path / "undated/notes/one.md").write_text("# One\n\nText.\n", "utf-8")
    undated = read_site(tmp_path / "undated", named)
    for site, there in ((dated, {"feed.xml", "zh/feed.xml"}), (undated, set[str]())):
        assert {path for path, _ in feed.files(site)} == there
        assert all(("feed" in frame(site, page)) == bool(there) for page in made_pages(site))


def test_a_window_title_says_which_part_of_the_site_the_page_is_in(
    example: dict[str, dict[str, object]],
) -> None:
    parts = {url: meta.get("part", "") for url, meta in example.items()}
    assert parts["caches/rows/"] == parts["caches/steps/"] == parts["glossary/"] == parts[""] == ""
    assert parts["caches/steps/lab/"] == "Lab"
    assert parts["zh/caches/steps/lab/"] == "实验"
    assert parts["glossary/cache-line/"] == "Glossary"
    assert parts["zh/glossary/cache-line/"] == "术语表"
    assert parts["references/drepper2007memory/"] == "References"
    assert parts["zh/references/drepper2007memory/"] == ""  # the title of the work is English
