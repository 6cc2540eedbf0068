"""Any folder of Markdown, never written for us: every page there, no text lost, all safe."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from perfnotes.checks import examine, grade
from perfnotes.graph.graph import link
from perfnotes.graph.site import Settings, Site
from perfnotes.site.safety import judge
from perfnotes.site.stage import stage
from perfnotes.source.read.folder import read_library
from perfnotes.text.findings import Finding, Severity
from tests.engine_of import engine_of, prepare

FILES: dict[str, bytes] = {
    "README.md": b"# The Book\r\n\r\n[one](part%20one/Chapter%201.md) [two](part%20one/)\r\n",
    "part one/Chapter 1.md": (
        b"\xef\xbb\xbf# First *chapter*\n\nText\n- a list right after\n  - two spaces deep\n"
        b"1) paren\n\n   ```rust,ignore\n   let x = a[[0]];\n   ```\n\n"
        b"[next](./chapter-2.html#the-end)\n"
    ),
    "part one/chapter-2.md": (
        b"No heading first.\n\n## The End\n\n[[Chapter 1]] and ${#a[@]} {{ x }}\n"
    ),
    "part one/index.md": b"---\nlayout: page\ntitle: Part I\n---\n\nIntro.\n",
    "tags/intro.md": b"# A topic called tags\n\ntext\n",
    "references/list.md": b"# A topic called references\n\ntext\n",
    "deep/er/and/deeper/x.md": b"Setext\n======\n\nbody\n",
    "odd/a#b?c%d.md": b"# Odd name\n\n[self](a%23b%3Fc%25d.md)\n",
    "odd/中文.md": "# 中文标题\n\n正文有很多汉字，讲的是缓存与内存，以及如何测量。\n".encode(),
    "odd/Case.md": b"# Upper\n\ntext\n",
    "odd/case.md": b"# Lower\n\ntext\n",
    "odd/latin.md": b"# Caf\xe9\n\ntext\n",
    "odd/empty.md": b"",
    "odd/rule.md": b"---\n\nA thematic break opens it.\n",
    "evil.md": (
        b"# Evil\n\nbefore <script>alert(1)</script> between\n\n[x](javascript:alert(1))\n\n"
        b"*y*{onclick=alert(1)} <iframe src=//e.org></iframe>\n\n"
        b"![badge](https://e.org/b.png)\n\nafter\n"
    ),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Site, dict[str, str], list[Finding]]:
    root = tmp_path_factory.mktemp("any")
    for name, data in FILES.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    library = read_library(root, "notes")
    site = Site(link(library), Settings(name="Any"))
    staged = stage(site)
    prepared, unsafe = prepare(site, staged, engine_of())
    html = {path: page.content for path, page in prepared.items()}
    return site, html, grade([*examine(site, staged.findings), *unsafe], library)


Built = tuple[Site, dict[str, str], list[Finding]]


def text_of(html: str) -> str:
    return " ".join(LexborHTMLParser(html).text(separator=" ").split())


def test_every_file_has_a_page_with_its_title(built: Built) -> None:
    site, html, _ = built
    library = site.library
    assert len(library.notes) + len(library.introductions) == len(FILES)
    titles = {n.meta.title for n in [*library.notes.values(), *library.introductions.values()]}
    assert titles >= {"The Book", "First chapter", "Part I", "Chapter 2", "Setext", "Odd name",
                      "Upper", "Lower", "中文标题", "Empty"}  # fmt: skip
    for note in library.notes.values():
        assert f"{note.url}index.md" in html


def test_topics_are_folders_also_where_the_site_has_sections_of_that_name(built: Built) -> None:
    site, html, _ = built
    assert {"tags", "references", "deep/er/and/deeper"} <= set(site.library.topics)
    assert "A topic called tags" in text_of(html["tags/index.md"])


def test_findings_are_warnings_at_most(built: Built) -> None:
    assert all(f.severity is not Severity.ERROR for f in built[2])


def test_links_lead_where_their_host_leads(built: Built) -> None:
    _, html, _ = built
    home = LexborHTMLParser(html["index.md"])
    hrefs = {a.attributes.get("href") for a in home.css("p a")}
    assert hrefs >= {"part-one/Chapter-1/", "part-one/"}
    chapter = LexborHTMLParser(html["part-one/Chapter-1/index.md"])
    assert "../chapter-2/#the-end" in {a.attributes.get("href") for a in chapter.css("p a")}
    second = LexborHTMLParser(html["part-one/chapter-2/index.md"])
    assert "../Chapter-1/" in {a.attributes.get("href") for a in second.css("p a")}


def test_lists_and_fences_come_out_as_on_a_code_host(built: Built) -> None:
    chapter = LexborHTMLParser(built[1]["part-one/Chapter-1/index.md"])
    assert [li.text(deep=False).strip() for li in chapter.css("ul > li > ul > li")] == [
        "two spaces deep"
    ]
    code = chapter.css_first("ol pre code")
    assert code is not None
    assert code.text().strip() == "let x = a[[0]];"


def test_text_like_templates_survives(built: Built) -> None:
    text = text_of(built[1]["part-one/chapter-2/index.md"])
    assert "${#a[@]} {{ x }}" in text


def test_hostile_notes_are_published_harmless_with_their_text(built: Built) -> None:
    html = built[1]["evil/index.md"]
    assert judge(html) == []
    text = text_of(html)
    for word in ("before", "alert(1)", "between", "badge", "after"):
        assert word in text
    assert "<script" not in html
    assert any(f.code in ("PN601", "PN602") for f in built[2])


def test_every_page_is_safe(built: Built) -> None:
    for path, html in built[1].items():
        assert judge(html) == [], path
