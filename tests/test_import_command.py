"""``perfnotes import`` as somebody with a folder of notes meets it."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from pathlib import Path

import pytest

from perfnotes.cli.main import main
from tests.example_notes import read_site, write_notes
from tests.project import tree

SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><rect width="2" height="1"/></svg>'
)
PNG = base64.b64decode(
    b"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    write_notes(root)
    (root / "mkdocs.yml").write_text("site_name: Example\n")
    monkeypatch.chdir(root)
    return root


def vault(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        os.utime(file, (1_700_000_000, 1_700_000_000))
    return folder


def test_a_vault_comes_with_links_images_and_a_report(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = vault(tmp_path / "vault", {
        "Caches/Prefetch.md": "---\ntags: [Cache, own]\naliases: [pf]\nweight: 3\n---\nSee [[Store Buffer#Size|it]] "
        "and ![[line.svg|200]].\n",
        "Caches/deep/Store Buffer.md": "# Store buffer\n\nBack to [x](../Prefetch.md).\n\n## Size\n\nSmall.\n",
        "img/line.svg": SVG,
        "other.bin": b"\0\1",
    })  # fmt: skip
    assert main(["import", str(source)]) == 0
    out = capsys.readouterr().out
    assert "Caches/Prefetch.md:6: an image without words: 'line'" in out
    assert "not in notes/tags.yml, so kept aside: own" in out
    assert "2 drafts from 2 files, 1 file brought along" in out
    assert "2 other files were looked at only where a note links them (.bin, .svg)\n" in out
    note = (project / "notes/caches/prefetch/index.md").read_text("utf-8")
    assert "See [it](../store-buffer.md#size) and ![line](line.svg)." in note
    assert "tags: [cache]" in note
    assert "aliases: [pf]" in note
    assert "# weight: 3\n" in note
    assert "draft: true\n" in note
    other = (project / "notes/caches/store-buffer.md").read_text("utf-8")
    assert "title: Store buffer\n" in other
    assert "Back to [x](prefetch/index.md)." in other
    assert (project / "notes/caches/prefetch/line.svg").read_bytes() == SVG
    library = read_site(project).library
    assert {"caches/prefetch", "caches/store-buffer"} <= set(library.drafts)
    assert not [f for f in library.findings if "prefetch" in f.path or "store" in f.path]


def test_nothing_is_written_in_a_dry_run_or_over_what_is_there(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = vault(
        tmp_path / "v", {"rows.md": "Other words here.\n", "b.md": "# Cache lines\n\nx\n"}
    )
    before = tree(project)
    assert main(["import", str(source), "--topic", "caches", "--dry-run"]) == 1
    assert tree(project) == before
    told = capsys.readouterr()
    assert "would write notes/caches/rows-2.md" in told.out
    assert "b.md:1: not imported: caches/lines has the title 'Cache lines' already" in told.err
    assert main(["import", str(source / "rows.md"), "--topic", "caches"]) == 0
    after = tree(project)
    assert {k: after[k] for k in before} == before
    assert set(after) - set(before) == {"notes/caches/rows-2.md"}


def test_all_is_written_or_nothing(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = vault(tmp_path / "v", {"new/a.md": "One.\n", "new/b.md": "Two.\n"})
    before = tree(project)
    links = iter((None, OSError(28, "No space left on device")))

    def link(one: Path, other: Path) -> None:
        problem = next(links)
        if problem:
            raise problem
        other.write_bytes(one.read_bytes())

    monkeypatch.setattr(os, "link", link)
    assert main(["import", str(source), "--topic", "gpu"]) == 2
    assert tree(project) == before
    assert not list((project / "notes").glob(".*"))


def test_files_that_do_not_come_along(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret.png").write_bytes(PNG)
    source = vault(tmp_path / "v", {
        "a.md": "![s](script.svg) ![o](../secret.png) ![l](link.png) ![f](fake.png) ![p](ok.png)\n",
        "script.svg": SVG.replace(b"<rect", b"<script>x()</script><rect"),
        "fake.png": b"<html>", "ok.png": PNG, "empty.md": " \n", "binary.md": b"\0\1\2" * 50,
    })  # fmt: skip
    (source / "link.png").symlink_to(tmp_path / "secret.png")
    assert main(["import", str(source), "--topic", "caches"]) == 1
    told = capsys.readouterr()
    for words in (
        "<script> in an SVG file",
        "outside of the imported folder",
        "not those of a png",
    ):
        assert words in told.out
    for words in ("link.png:1: a symbolic link", "empty.md:1: not imported", "binary.md:1: not"):
        assert words in told.err
    folder = project / "notes/caches/a"
    assert sorted(f.name for f in folder.iterdir()) == ["index.md", "ok.png"]
    text = (folder / "index.md").read_text()
    assert "s (`script.svg`) o (`../secret.png`) l (`link.png`) f (`fake.png`) ![p](ok.png)" in text


def test_a_long_file_becomes_several_notes(project: Path, tmp_path: Path) -> None:
    text = (
        "# Book\n\nBefore[^1], see [two](#two-b).\n\n## One\n\nBack to [b](#book).\n\n### Deep\n\n"
        "## Two b\n\nWords[^1].\n\n[^1]: A note.\n"
    )
    source = vault(tmp_path / "v", {"book.md": text})
    assert main(["import", str(source / "book.md"), "--topic", "caches", "--split-at", "h2"]) == 0
    notes = project / "notes/caches"
    assert "Before[^1], see [two](two-b.md).\n\n[^1]: A note." in (notes / "book.md").read_text()
    one = (notes / "one.md").read_text()
    assert "title: One\n" in one
    assert "## Deep" in one
    assert "Words[^1].\n\n[^1]: A note." in (notes / "two-b.md").read_text()


def test_chinese_titles_are_named_by_the_glossary(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "缓存行是缓存与内存之间传输的最小单位，共享同一行会变慢，这里说明原因。\n"
    source = vault(tmp_path / "v", {"缓存行与线程束.md": f"# 缓存行与线程束\n\n{words}",
                                    "杂记.md": words.encode("gb18030")})  # fmt: skip
    assert main(["import", str(source), "--topic", "caches"]) == 0
    out = capsys.readouterr().out
    assert "'cache-line-warp': '缓存行与线程束' by the terms of the glossary" in out
    assert "read as gb18030" in out
    assert "the text is Chinese" in out
    written = {f.name for f in (project / "notes/caches").glob("*.md")}
    assert "cache-line-warp.md" in written
    assert any(name.startswith("note-") for name in written)


@pytest.mark.parametrize(
    "arguments",
    [
        ["nowhere"], ["v", "--topic", "no-topic"], ["v", "--slug", "x"], ["notes"],
        *(["v", "--encoding", name] for name in ("nope", "hex", "idna", "punycode", "undefined")),
    ],
)  # fmt: skip
def test_wrong_use_is_told(project: Path, tmp_path: Path, arguments: list[str]) -> None:
    vault(project / "v", {"a.md": "x\n"})
    del tmp_path
    assert main(["import", *arguments]) == 2


def test_a_name_for_a_folder_is_told_from_a_wrong_name(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vault(project / "v", {"a.md": "x\n"})
    assert main(["import", "v", "--slug", "x"]) == 2
    assert "--slug names one note, and v is a folder" in capsys.readouterr().err
    assert main(["import", "v/a.md", "--slug", "X_y"]) == 2
    assert "--slug 'X_y': lower case letters, digits and hyphens" in capsys.readouterr().err


def test_a_note_without_a_topic_is_left_out(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = vault(tmp_path / "v", {"a.md": "Nothing that we know.\n"})
    assert main(["import", str(source / "a.md")]) == 1
    assert "name one with --topic" in capsys.readouterr().err
    assert main(["import", str(source / "a.md"), "--topic", "gpu", "--slug", "own-name"]) == 0
    assert (project / "notes/gpu/own-name.md").is_file()


def test_what_a_killed_import_placed_is_taken_back(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes: dict[str, str | bytes] = {"new/a.md": "One.\n", "new/b.md": "Two.\n", "c.md": "Three.\n"}
    source = vault(tmp_path / "v", notes)
    before = tree(project)
    killed = (
        "import os, sys\nfrom perfnotes.cli.main import main\nlink, left = os.link, [1, 1]\n"
        "def place(one, other):\n    left.pop() if left else os.kill(os.getpid(), 9)\n"
        "    link(one, other)\nos.link = place\nmain(sys.argv[1:])\n"
    )
    command = [sys.executable, "-c", killed, "import", str(source), "--topic", "gpu"]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run(command, env=paths, check=False, capture_output=True).returncode == -9
    assert {"notes/gpu/a.md", "notes/gpu/c.md"} <= set(tree(project))
    assert "notes/gpu/b.md" not in tree(project)
    (project / "notes/gpu/a.md").write_text("changed since\n")
    assert main(["import", str(source / "c.md"), "--topic", "gpu"]) == 0
    out = capsys.readouterr().out
    assert "removed notes/gpu/c.md" in out
    assert "kept notes/gpu/a.md" in out
    assert set(tree(project)) - set(before) == {"notes/gpu/a.md", "notes/gpu/c.md"}
    assert not list((project / "notes").glob(".*"))


@pytest.mark.usefixtures("project")
def test_scripts_and_styles_are_told_with_their_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = vault(tmp_path / "v", {
        "a.html": "<!doctype html>\n<p>Words.\n<script>\nx()</script>\n<style>p {}</style>\n",
        "b.md": "# B\n\n<table><tr><td>\n<style>p {}</style>cell</td></tr></table>\n",
    })  # fmt: skip
    assert main(["import", str(source), "--topic", "caches", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "a.html:3: <script> was left out" in out
    assert "a.html:5: <style> was left out" in out
    assert "<style> of line 4 was left out" in out
