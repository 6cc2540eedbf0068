"""Other people's folders: every file has its page, links lead where their own system leads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perfnotes.text.findings import Severity
from tests.foreign_folder import HOW_OTHERS_LINK, NAMES, Folder


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    files: dict[str, str | bytes] = {
        name: f"# Title {i}\n\nText {i}.\n" for i, name in enumerate(NAMES)
    }
    quoted = [re.sub(r"[%#?\[\]<>]", lambda m: f"%{ord(m[0]):02X}", name) for name in NAMES]
    files["links.md"] = "# Links\n\n" + "".join(f"- [t](<{name}>)\n" for name in quoted)
    files["p.txt"] = "beside"
    files["empty.md"] = ""
    files[".hidden/h.md"] = "# Hidden\n"
    return Folder(tmp_path_factory.mktemp("named"), files)


def test_every_file_has_a_page_of_its_own(named: Folder) -> None:
    assert set(named.urls) == {*NAMES, "links.md", "empty.md"}
    folded = [url.casefold() for url in named.urls.values()]
    assert len(set(folded)) == len(folded)
    for i, name in enumerate(NAMES):
        page = named.prepared[f"{named.urls[name]}index.md"].content
        assert f"Title {i}</h1>" in page
        assert f"Text {i}." in page


def test_a_link_by_the_name_of_a_file_leads_to_its_page(named: Folder) -> None:
    assert named.targets("links.md") == list(NAMES)


def test_a_name_that_is_an_address_gets_it(named: Folder) -> None:
    urls = named.urls
    assert urls["a-b.md"] == "a-b/"
    assert urls["sitemap.xml.md"] == "sitemap-xml/"
    assert urls["index.html.md"] == "index-html/"
    assert (urls["both/index.md"], urls["both.md"]) == ("both/", "both-2/")
    assert (urls["flow.md"], urls["solo/index.md"]) == ("flow/", "solo/")
    assert "PN802" in named.codes()
    assert all(f.severity is not Severity.ERROR for f in named.findings)


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return Folder(tmp_path_factory.mktemp("linked"), HOW_OTHERS_LINK)


def test_links_of_a_book_with_its_addresses(linked: Folder) -> None:
    other, deep = "mdbook/other.md", "mdbook/deep/README.md"
    assert linked.targets("mdbook/src.md") == [
        f"{other}#sec-one", other, deep, deep, other, other, "mdbook/deep/two.md", other,
        f"{other}#sec-one",
    ]  # fmt: skip
    two = "mdbook/deep/two.md"
    assert linked.targets(two) == ["mdbook/src.md", other, deep, two]


def test_links_of_a_jekyll_site(linked: Folder) -> None:
    setup, more = "_docs/setup.md", "_docs/more.md"
    post = "_posts/2024-01-02-new-thing.md"
    assert linked.targets(more) == [setup, setup, more, setup, setup, post]
    assert "text" in linked.text(more)


def test_links_by_the_ids_and_slugs_of_docusaurus(linked: Folder) -> None:
    intro = "saurus/intro.md"
    assert linked.targets("saurus/use.md") == [intro, intro, intro, "saurus/use.md"]


def test_links_and_embeds_of_a_vault(linked: Folder) -> None:
    big, heading = "vault/Big note.md", "vault/Big note.md#a-heading"
    assert linked.targets("vault/use.md") == [
        big, heading, big, big, big, heading, big, "vault/use.md#own", big,
    ]  # fmt: skip
    pictures = [i.attributes["src"] for i in linked.page("vault/use.md").css("img")]
    assert pictures == ["../pic.png", "../sub/pic.png"]
    assert "[[Nowhere at all]]" in linked.text("vault/use.md")


def test_links_in_other_scripts(linked: Folder) -> None:
    note = "unicode/中文 文.md"
    assert linked.targets("unicode/use.md") == [f"{note}#缓存与内存", note]


def test_no_finding_where_every_link_is_right(linked: Folder) -> None:
    found = [str(f) for f in linked.findings if f.code not in ("PN505", "PN802")]
    assert len(found) == 1  # the one link of these texts that leads nowhere
    assert found[0].startswith("notes/vault/use.md:3:35: PN305 [[Nowhere at all]] looks like")


def test_double_brackets_that_are_no_name_are_no_link(tmp_path: Path) -> None:
    text = "[[nodiscard]] [[gnu::hot]] [[ -f x ]] [[ $a == b ]] [[1, 2]] `[[gone]]`\n"
    assert "PN305" not in Folder(tmp_path, {"a.md": f"# A\n\n{text}"}).codes()
    names = "[[Nowhere]] ![[gone.png]] [[不存在|词]]\n"
    found = Folder(tmp_path / "names", {"a.md": f"# A\n\n{names}"}).findings
    assert [f.column for f in found if f.code == "PN305"] == [1, 13, 27]


def test_a_link_above_the_root_is_a_finding(tmp_path: Path) -> None:
    folder = Folder(tmp_path, {"a.md": "# A\n\n[up](/../../etc/passwd) [b](/../b.md)\n"})
    assert folder.codes() == {"PN306"}


def test_a_book_is_read_in_the_order_of_its_contents(tmp_path: Path) -> None:
    files = {f"{name}.md": f"# {name}\n" for name in ("apple", "berry", "cherry")}
    files["SUMMARY.md"] = "# Summary\n\n- [c](cherry.md)\n- [a](./apple.md)\n"
    library = Folder(tmp_path, files).site.library
    assert [n.id for n in library.by_topic[""]] == ["cherry", "apple", "berry", "SUMMARY"]


def test_pages_are_in_the_order_of_the_numbers_in_their_names(tmp_path: Path) -> None:
    names = ("10-a", "10²3", "2-a", "a²")
    library = Folder(tmp_path, {f"{name}.md": "# A\n" for name in names}).site.library
    assert [n.id for n in library.by_topic[""]] == ["a²", "2-a", "10-a", "10²3"]


def test_a_folder_called_docs_is_one_like_others(tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9"/></svg>'
    files = {
        "docs/n.md": "# N\n\n![p](p.svg) and [d](d.txt)\n",
        "docs/p.svg": svg,
        "docs/d.txt": "d",
    }
    folder = Folder(tmp_path, files)
    assert folder.codes() == set()
    assert {"docs/p.svg", "docs/d.txt"} <= folder.staged.files.keys()
    assert 'src="../p.svg"' in str(folder.page("docs/n.md").html)
    assert folder.targets("docs/n.md") == ["docs/d.txt"]


def test_a_chinese_folder_is_labelled_in_chinese(tmp_path: Path) -> None:
    prose = "这里说明一些关于性能、缓存与内存的事情，帮助读者理解程序为什么会慢。" * 9
    note = f"---\nlevel: advanced\n---\n# 缓存\n\n{prose}\n"
    files = {"index.md": f"# 首页\n\n{prose}\n", "a/b.md": note}
    staged = Folder(tmp_path, files).staged.files
    assert '<p class="pn-find"><a href="search/">' in staged["index.md"].decode()
    topic = staged["a/index.md"].decode()
    assert "阅读约" in topic
    assert "高级" in topic
    assert "min read" not in topic


def test_a_picture_in_a_folder_called_docs_is_published(tmp_path: Path) -> None:
    picture = b"\x89PNG\r\n\x1a\n"
    folder = Folder(tmp_path, {
        "docs/a.md": "# A\n\n![a](img/p.png) ![[p.png|200]] ![[p.png|the plot|300x20]]\n",
        "docs/img/p.png": picture,
    })  # fmt: skip
    assert not folder.findings
    assert folder.staged.files["docs/img/p.png"] == picture
    found = [
        (i.attributes["alt"], i.attributes.get("width"))
        for i in folder.page("docs/a.md").css("img")
    ]
    assert found == [("a", None), ("p.png", "200"), ("the plot", "300")]
    assert all(i.attributes["src"] == "../img/p.png" for i in folder.page("docs/a.md").css("img"))


def test_a_note_whose_name_is_a_day_is_called_so(tmp_path: Path) -> None:
    folder = Folder(tmp_path, {"daily/2024-05-01.md": "Words.\n", "daily/01-a-b.md": "Words.\n"})
    assert {n.meta.title for n in folder.site.library.notes.values()} == {"2024-05-01", "A b"}
