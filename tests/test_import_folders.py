"""Folders as houses export them: two languages, a whole wiki in one file, hundreds of notes."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfnotes.cli.main import main
from perfnotes.contribute.imports import report, twins
from perfnotes.contribute.imports.imported_page import Guess
from tests.example_notes import read_site
from tests.test_import_command import SVG, project, vault

__all__ = ["project"]  # the fixture

CHINESE = "缓存行是缓存与内存之间传输的最小单位，共享同一行会变慢。"


@pytest.mark.parametrize(
    ("file", "others", "found"),
    [
        ("a/page.zh.md", ["a/page.md"], "a/page.md"),
        ("a/page.zh-cn.md", ["a/page.en.md"], "a/page.en.md"),
        ("a/index.zh-Hans.md", ["a/index.md"], "a/index.md"),
        ("README_zh.md", ["README.md"], "README.md"),
        ("page-cn.md", ["page.md"], "page.md"),
        ("content/zh/posts/a.md", ["content/en/posts/a.md"], "content/en/posts/a.md"),
        ("docs/zh-CN/a.md", ["docs/a.md"], "docs/a.md"),
        ("a/page.fr.md", ["a/page.md"], ""),
        ("a/page.zh.md", ["b/page.md", "a/page.txt"], ""),
        ("a/page.zh-tw.md", ["a/page.md"], ""),
        ("zh.md", ["a.md"], ""),
    ],
)
def test_names_of_pairs(file: str, others: list[str], found: str) -> None:
    files = {f.lower(): f for f in [file, *others]}
    assert twins.original(file, files) == found


def test_a_pair_becomes_a_note_and_its_twin(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = vault(tmp_path / "v", {
        "rows/index.en.md": "---\ntitle: Along rows\ntags: [cache]\n---\n"
        "Why [lines](../lines2#the-size) matter.\n\n"
        "## In short\n\nSee ![row](row.svg).\n",
        "rows/index.zh-cn.md": f"---\ntitle: 沿行走\ntags: [cache]\nweight: 2\n---\n"
        f"{CHINESE}见[行](../lines2.zh-cn.md#大小)。\n\n"
        "## 小结\n\n![行](row.svg)，[上面](#小结)。\n",
        "rows/row.svg": SVG,
        "lines2.md": "# Lines again\n\nWords of it.\n\n## The size\n\n"
        "64 bytes, see [中文](lines2.zh-cn.md).\n",
        "lines2.zh-cn.md": f"# 又是行\n\n{CHINESE}\n\n## 大小\n\n64 字节。\n",
        "lone.zh.md": f"# 没有英文\n\n{CHINESE}\n",
    })  # fmt: skip
    assert main(["import", str(source), "--topic", "caches"]) == 0
    out = capsys.readouterr().out
    taken = "taken for the Chinese translation of rows/index.en.md because of its name"
    assert f"index.zh-cn.md:1: {taken}" in out
    assert "lone.zh.md:1: the text is Chinese and was imported untranslated" in out
    caches = project / "notes/caches"
    twin = (caches / "rows-2/index.zh.md").read_text("utf-8")
    assert "title: 沿行走\n" in twin
    assert "translates: " in twin
    assert "# weight: 2\n" in twin
    assert "[行](../lines2.md#the-size)" in twin  # the id that both languages share
    assert "[上面](#in-short)" in twin
    assert "![行](row.svg)" in twin
    assert (caches / "rows-2/row.svg").read_bytes() == SVG
    assert sorted(f.name for f in (caches / "rows-2").iterdir()) == [
        "index.md", "index.zh.md", "row.svg",
    ]  # fmt: skip
    assert "[lines](../lines2.md#the-size)" in (caches / "rows-2/index.md").read_text()
    assert "中文" in (caches / "lines2.md").read_text("utf-8")
    assert (caches / "lines2.zh.md").is_file()
    text = (caches / "rows-2/index.md").read_text().replace("draft: true\n", "")
    (caches / "rows-2/index.md").write_text(text)
    (caches / "rows-2/index.zh.md").write_text(twin.replace("draft: true\n", ""))
    library = read_site(project).library
    found = library.translations["caches/rows-2"]
    assert not found.is_behind
    assert not [f for f in library.findings if "rows-2" in f.path]


def test_what_only_is_called_so_is_no_pair(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = vault(tmp_path / "v", {
        "a.md": "# A\n\nEnglish words.\n", "a.zh.md": "# A too\n\nMore English words.\n",
        "b.md": "# B\n\nOne.\n\n## Two\n\nThree.\n", "b.zh.md": f"# 二\n\n{CHINESE}\n",
    })  # fmt: skip
    assert main(["import", str(source), "--topic", "gpu", "--split-at", "h2"]) == 0
    assert not list((project / "notes/gpu").glob("*.zh.md"))
    assert "but that was split into 2 parts and this into 1" in capsys.readouterr().out
    assert main(["import", str(source), "--topic", "caches", "--split-at", "h1"]) == 1
    assert "a.md:1: not imported: gpu/a has the title 'A' already" in capsys.readouterr().err


EXPORT = """\
<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo><sitename>W</sitename></siteinfo>
  <page><title>CPU cache</title><ns>0</ns><id>1</id>
    <revision><timestamp>2021-01-02T03:04:05Z</timestamp>
      <text xml:space="preserve">A '''cache''' &lt;sub&gt;1&lt;/sub&gt;,
see [[Store buffers/Size|size]].</text></revision>
    <revision><timestamp>2021-01-02T03:04:04Z</timestamp><text>Old.</text></revision></page>
  <page><title>Store buffers/Size</title>
    <revision><text>Back to [[Cache memory]].</text></revision></page>
  <page><title>Cache memory</title><ns>0</ns><redirect title="CPU cache" />
    <revision><text>#REDIRECT [[CPU cache]]</text></revision></page>
  <page><title>Talk:CPU cache</title><revision><text>Chat.</text></revision></page>
</mediawiki>
"""


def test_a_wiki_in_one_file_becomes_its_articles(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = vault(tmp_path / "v", {"dump.xml": EXPORT, "other.xml": "<a/>\n"})
    assert main(["import", str(source), "--topic", "caches"]) == 1
    told = capsys.readouterr()
    assert "1 pages of the export are no articles" in told.err
    assert "1 other file was looked at" in told.out
    note = (project / "notes/caches/cpu-cache.md").read_text()
    assert "date: 2021-01-02\n" in note
    assert "aliases: [Cache memory]\n" in note
    assert "A **cache** <sub>1</sub>,\nsee [size](size.md)." in note
    assert "Back to [Cache memory](cpu-cache.md)." in (project / "notes/caches/size.md").read_text()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (EXPORT[:400], "no element found"),
        (EXPORT.replace("</page>", "", 1), "mismatched tag"),
        ('<?xml version="1.0"?><!DOCTYPE m [<!ENTITY a "b">]>\n' + EXPORT, "not XML"),
        ("<mediawiki>" + "<page>" * 3, "no element found"),
    ],
)
def test_a_broken_export_is_told(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, why: str
) -> None:
    del project
    source = vault(tmp_path / "v", {"dump.xml": text, "a.md": "Words.\n"})
    code = main(["import", str(source), "--topic", "caches", "--dry-run"])
    told = capsys.readouterr()
    if why == "not XML":  # what is no export is no note
        assert (code, told.err) == (0, "")
    else:
        assert code == 1
        assert "dump.xml:1: not imported: a broken export of MediaWiki: line" in told.err
        assert why in told.err


def test_broken_front_matter_is_told_at_its_line(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del project
    text = "---\ntitle: Lines\ntags: [cache\ndate: 2026-01-01\n---\n\nWords.\n"
    source = vault(tmp_path / "v", {"a.md": text})
    assert main(["import", str(source), "--topic", "caches", "--dry-run"]) == 0
    broken = "a.md:3: the front matter is broken YAML (broken YAML: a [ that is not closed)"
    assert broken in capsys.readouterr().out


def test_one_line_stands_for_many_guesses_of_a_kind(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del project
    files: dict[str, str | bytes] = {f"n{i}.md": f"Note {i} of [[page {i}]].\n" for i in range(9)}
    source = vault(tmp_path / "v", files)
    assert main(["import", str(source), "--topic", "caches", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert (
        "n0.md:1: [[page 0]] names no note: kept as words (write the note, or take the brackets "
        "out) [and 8 more of this kind, in 9 files]\n"
    ) in out
    assert "--verbose prints each" in out
    short = out.count("\nn")
    assert main(["import", str(source), "--topic", "caches", "--dry-run", "--verbose"]) == 0
    out = capsys.readouterr().out
    assert "n8.md:1: [[page 8]] names no note" in out
    assert out.count("names no note") == 9
    assert "more of this kind" not in out
    assert out.count("\nn") > short


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("the title is the file's name: 'A b'", "the title is the file's name: \"Bob's\"", True),
        ("tags from words in the text: a (1)", "tags from words in the text: b (2)", True),
        ("a link to 'a.md' became words: no file", "a link to 'b/c' became words: no file", True),
        ("a link to 'a' became words: no file", "a link to 'a' became words: its own page", False),
        ("{{< a b >}} is kept as code: x", "{{< long \"cu is kept as code: x", True),
        ("the date, 2020-01-01, is that", "the date, 2021-02-03, is that", True),
        ("not found again in the draft: a", "not found again in the draft: a", False),
    ],
)  # fmt: skip
def test_kinds(one: str, other: str, same: bool) -> None:
    assert (report.kind(Guess("a.md", 1, one)) == report.kind(Guess("b.md", 2, other))) is same
