"""Make the corpus of the search benchmark: public books, filled up with generated notes.

    python benchmarks/search/books.py --sources DIR --out build/books
    python benchmarks/search/books.py --sources DIR --out build/books-10k --pages 10000

DIR holds clones of the repositories in books.yml, as DIR/OWNER+NAME or DIR/NAME, with or without a
work tree. Only Markdown is copied, and always from the commit that the manifest names.
benchmarks/build/generate.py makes the generated notes, below gen/.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import yaml

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = Path(__file__).with_name("books.yml")
GENERATOR = ROOT / "benchmarks" / "build" / "generate.py"


class BooksError(Exception):
    """The corpus cannot be made; the message says why and what to do."""


@dataclass(frozen=True)
class Book:
    """A book of the manifest: where its pages come from and under which licence."""

    name: str
    repository: str
    commit: str
    licence: str
    language: str
    pages: int
    folder: str
    leave_out: tuple[str, ...] = ()

    def page(self, path: str) -> str | None:
        """Return the path inside the book of a file of the repository; None if it is no page."""
        file = PurePosixPath(path)
        if file.suffix.lower() != ".md" or not file.is_relative_to(self.folder):
            return None
        inside = file.relative_to(self.folder)
        if any(inside.is_relative_to(entry) for entry in (".github", *self.leave_out)):
            return None
        return str(inside)


def read_books(manifest: Path = MANIFEST) -> list[Book]:
    """Return the books of a manifest."""
    books = []
    for entry in yaml.safe_load(manifest.read_text(encoding="utf-8")):
        left_out = tuple(entry.pop("leave_out", ()))
        books.append(Book(**entry, leave_out=left_out))
    return books


def git(repository: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    """Return what a git command prints; ``BooksError`` if it fails."""
    command = ["git", "-C", str(repository), *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)
    if done.returncode:
        message = done.stderr.decode(errors="replace").strip()
        raise BooksError(f"{repository}: git {arguments[0]} failed: {message}")
    return done.stdout


def find_source(book: Book, sources: Path) -> Path:
    """Return the clone that has the book's commit; ``BooksError`` names the command to get it."""
    owner, name = book.repository.split("/")
    address = f"https://github.com/{book.repository}"
    clone = sources / f"{owner}+{name}"
    found = None
    for folder in (clone / "repo", clone, sources / name):
        if not any((folder / entry).exists() for entry in (".git", "HEAD")):
            continue
        found = folder
        try:
            git(folder, "cat-file", "-e", f"{book.commit}^{{commit}}")
        except BooksError:
            continue
        return folder
    if found is None:
        raise BooksError(
            f"{book.name}: no clone of {book.repository}; run\n  git clone {address} {clone}"
        )
    raise BooksError(
        f"{book.name}: {found} lacks commit {book.commit}; run\n"
        f"  git -C {found} fetch {address} {book.commit}"
    )


def pages(book: Book, source: Path) -> Iterator[tuple[str, bytes]]:
    """Yield path in the book and text of each page."""
    listing = git(source, "ls-tree", "-r", "-z", "--full-tree", book.commit).decode()
    objects = {}
    for line in listing.split("\0"):
        fields, _, path = line.partition("\t")
        # A symbolic link (mode 120000) would copy a path and not a page.
        if fields.startswith("100") and (page := book.page(path)):
            objects[page] = fields.split()[2]
    request = "".join(f"{name}\n" for name in objects.values()).encode()
    answer = git(source, "cat-file", "--batch", stdin=request)
    start = 0
    for page, name in objects.items():
        end = answer.index(b"\n", start)
        header = answer[start:end].split()
        if header[-1] == b"missing":
            raise BooksError(f"{source}: the clone lacks {name} ({page})")
        start = end + 1 + int(header[2]) + 1
        yield page, answer[end + 1 : start - 1]


def copy(book: Book, source: Path, corpus: Path) -> int:
    """Write the pages of a book and return their number, which must be the manifest's."""
    count = 0
    for page, text in pages(book, source):
        file = corpus / book.name / page
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text)
        count += 1
    if count != book.pages:
        raise BooksError(f"{book.name}: {count} pages, but the manifest says {book.pages}")
    return count


def make_corpus(books: Sequence[Book], sources: Path, out: Path, size: int) -> int:
    """Write the books to ``out``, and generated notes until there are ``size`` pages.

    Returns the number of pages. ``out`` must not exist.
    """
    if out.exists():
        raise BooksError(f"{out} exists; remove it, or name another folder")
    found = [(book, find_source(book, sources)) for book in books]
    out.parent.mkdir(parents=True, exist_ok=True)
    # The corpus is made beside ``out`` and moved there, so that ``out`` is whole or does not exist.
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as scratch:
        corpus = Path(scratch) / "corpus"
        count = sum(copy(book, source, corpus) for book, source in found)
        if size > count:
            # The generator writes an index beside its notes.
            notes = size - count - 1
            subprocess.run([sys.executable, GENERATOR, str(notes), corpus / "gen"], check=True)
            count = size
        shutil.move(corpus, out)
    return count


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a corpus; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sources", type=Path, required=True, help="folder of the clones")
    parser.add_argument("--out", type=Path, required=True, help="folder to make")
    parser.add_argument(
        "--pages", type=int, default=0, help="add generated notes up to this number of pages"
    )
    options = parser.parse_args(arguments)
    try:
        count = make_corpus(read_books(), options.sources, options.out, options.pages)
    except BooksError as error:
        print(f"books.py: {error}", file=sys.stderr)
        return 1
    print(f"{options.out}: {count} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
