"""The foreign corpus of the search benchmark: what is copied, what is refused, and its queries."""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchmarks.search.books import Book, BooksError, main, make_corpus, read_books

QUERIES = Path(__file__).parents[1] / "benchmarks" / "search" / "queries.yml"
LEXICAL = ("en", "zh", "mixed", "code", "code-part", "prefix", "typo")
OTHERS = ("synonym", "abbreviation", "cross")


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    quiet = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, env=quiet
    ).stdout.strip()


@pytest.fixture
def book(tmp_path: Path) -> Book:
    """A book of three pages, cloned below ``sources``; its work tree changed after the commit."""
    clone = tmp_path / "sources" / "someone+a-book"
    files = {
        "docs/index.md": "# Home\n",
        "docs/ch 1/内存 管理.md": "# Memory\n\n\r\nno newline at the end",
        "docs/ch 1/Two.MD": "",
        "docs/ch 1/figure.svg": "<svg/>",
        "docs/private/no.md": "# No\n",
        "docs/about.md": "# No\n",
        "other/no.md": "# No\n",
        "docs-old/no.md": "# No\n",
    }
    for name, text in files.items():
        file = clone / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    (clone / "docs/link.md").symlink_to("index.md")
    git(clone, "init", "--quiet")
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "--message", "book")
    commit = git(clone, "rev-parse", "HEAD")
    (clone / "docs/index.md").write_text("changed", encoding="utf-8")
    return Book(
        name="one",
        repository="someone/a-book",
        commit=commit,
        licence="CC0-1.0",
        language="en",
        pages=3,
        folder="docs",
        leave_out=("about.md", "private"),
    )


def texts(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.mark.slow
@pytest.mark.parametrize("place", ["someone+a-book", "a-book", "someone+a-book/repo"])
def test_markdown_of_the_commit_is_copied(book: Book, tmp_path: Path, place: str) -> None:
    sources, there = tmp_path / "sources", tmp_path / "elsewhere" / place
    there.parent.mkdir(parents=True)
    (sources / "someone+a-book").rename(there)
    out = tmp_path / "out"
    assert make_corpus([book], tmp_path / "elsewhere", out, 0) == 3
    assert texts(out) == {
        "one/index.md": b"# Home\n",
        "one/ch 1/内存 管理.md": b"# Memory\n\n\r\nno newline at the end",
        "one/ch 1/Two.MD": b"",
    }


@pytest.mark.slow
def test_a_repository_without_a_work_tree_will_do(book: Book, tmp_path: Path) -> None:
    bare = tmp_path / "bare" / "a-book"
    git(tmp_path, "clone", "--quiet", "--bare", str(tmp_path / "sources/someone+a-book"), str(bare))
    assert make_corpus([book], bare.parent, tmp_path / "out", 0) == 3


@pytest.mark.slow
def test_generated_notes_fill_the_corpus_up(book: Book, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert make_corpus([book], tmp_path / "sources", out, 12) == 12
    pages = [name for name in texts(out) if name.lower().endswith(".md")]
    assert Counter(name.split("/")[0] for name in pages) == {"one": 3, "gen": 9}


@pytest.mark.slow
def test_whatever_is_wrong_is_said_and_nothing_is_written(book: Book, tmp_path: Path) -> None:
    sources, out = tmp_path / "sources", tmp_path / "made" / "out"

    def refusal(changed: Book, where: Path = sources) -> str:
        with pytest.raises(BooksError) as caught:
            make_corpus([changed], where, out, 0)
        assert not out.parent.exists() or not list(out.parent.iterdir())
        return str(caught.value)

    clone = sources / "someone+a-book"
    assert refusal(replace(book, pages=4)) == "one: 3 pages, but the manifest says 4"
    message = refusal(replace(book, commit="0" * 40))
    assert f"git -C {clone} fetch https://github.com/someone/a-book {'0' * 40}" in message
    message = refusal(replace(book, repository="someone/else"))
    assert f"git clone https://github.com/someone/else {sources / 'someone+else'}" in message
    assert "git clone" in refusal(book, tmp_path / "nowhere")
    out.mkdir(parents=True)
    (out / "mine.md").write_text("mine", encoding="utf-8")
    with pytest.raises(BooksError, match="exists"):
        make_corpus([book], sources, out, 0)
    assert texts(out) == {"mine.md": b"mine"}


def test_the_command_names_the_clone_that_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--sources", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "git clone https://github.com/OI-wiki/OI-wiki" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_manifest_names_commit_and_licence_of_every_book() -> None:
    books = read_books()
    assert len({book.name for book in books}) == len(books)
    for book in books:
        assert re.fullmatch(r"[0-9a-f]{40}", book.commit), book.name
        assert book.licence
        assert book.language in {"en", "zh"}
    assert 900 <= sum(book.pages for book in books) <= 1200


def test_the_queries_are_judged_in_every_class_and_both_halves() -> None:
    queries: list[dict[str, Any]] = yaml.safe_load(QUERIES.read_text(encoding="utf-8"))
    assert len(queries) >= 170
    assert len({query["id"] for query in queries}) == len(queries)
    assert len({query["query"] for query in queries}) == len(queries)
    classes = Counter(query["class"] for query in queries)
    assert set(classes) == {*LEXICAL, *OTHERS}
    assert all(classes[name] >= (20 if name in LEXICAL else 8) for name in classes)
    for name in classes:
        halves = [query["half"] for query in queries if query["class"] == name]
        assert halves == [("tune", "unseen")[i % 2] for i in range(len(halves))]
    names = {book.name for book in read_books()}
    for query in queries:
        expected = query["expected"]
        assert expected, query["id"]
        assert len(set(expected)) == len(expected), query["id"]
        assert {page.split("/")[0] for page in expected} <= names, query["id"]
