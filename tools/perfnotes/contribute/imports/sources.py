"""Finds the files of an import, and reads those that are notes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from msgspec import Struct, field

from perfnotes.contribute.imports import decode, exports
from perfnotes.contribute.imports.formats import endings
from perfnotes.contribute.imports.imported_page import Guess
from perfnotes.contribute.imports.options import ImportOptions

LARGEST = 32 * 1024 * 1024  # bytes of one file; larger text files are dumps of data, not notes
_SKIPPED = {"node_modules", "__pycache__", "_site", "_layouts", "_includes", "_sass", "venv",
            "layouts", "themes", "archetypes", "templates"}  # fmt: skip
_SKIPPED_FILES = {"license.md", "license.txt", "robots.txt", "requirements.txt", "cmakelists.txt"}


class ImportSource(Struct, frozen=True):
    """The source of one note.

    ``file`` is its path below the root of the import; a page of an export has a path below the
    export's.
    """

    file: str
    text: str
    # The day of the file's last change.
    day: str
    guesses: tuple[Guess, ...] = ()
    names: tuple[str, ...] = ()  # titles of the redirects to it


class Sources(Struct):
    """The files below ``root``. ``notes`` will be read; notes may link to all in ``every``."""

    root: Path
    notes: list[str] = field(default_factory=list)
    every: tuple[str, ...] = ()
    # The files that are no notes.
    other_files: list[str] = field(default_factory=list)
    problems: list[Guess] = field(default_factory=list)

    def texts(self, file: str, options: ImportOptions) -> list[ImportSource]:
        """The note in a file, or all notes in an export. Files that cannot be read are reported."""
        try:
            decoded, day = _read(self.root / file, options)
        except decode.BinaryError as error:
            self._refuse(file, str(error))
            return []
        except OSError as error:
            self._refuse(file, error.strerror or str(error))
            return []
        if not decoded.text.strip():
            self._refuse(file, "the file is empty")
            return []
        if exports.is_export(decoded.text):
            return self._exported(file, decoded.text, day)
        if PurePosixPath(file).suffix.lower() == f".{exports.ENDING}" and not options.format:
            self.other_files.append(file)
            return []
        told = []
        if decoded.why:
            mend = "if words came out wrong, name it: --encoding"
            told.append(Guess(file, 1, f"read as {decoded.encoding}, as {decoded.why}", mend))
        if decoded.replaced:
            what = f"{decoded.replaced} control characters became �"
            told.append(Guess(file, 1, what, "remove them"))
        if decoded.removed:
            what = "characters that nobody sees (without width, or turning the line) were removed"
            told.append(Guess(file, 1, f"{decoded.removed} {what}"))
        return [ImportSource(file, decoded.text, day, tuple(told))]

    def _refuse(self, file: str, why: str) -> None:
        self.problems.append(Guess(file, 1, f"not imported: {why}"))

    def _exported(self, file: str, text: str, day: str) -> list[ImportSource]:
        """The articles in a wiki's export. A redirect becomes a name of the article it leads to."""
        try:
            pages = exports.pages(text)
        except exports.ExportError as error:
            self._refuse(file, f"a broken export of MediaWiki: {error}")
            return []
        names: dict[str, list[str]] = {}
        for page in pages:
            if page.redirect:
                names.setdefault(page.redirect, []).append(page.title)
        titles = {page.title for page in pages}
        found, others = [], 0
        for page in pages:
            if page.redirect and page.redirect in titles:
                continue
            if page.namespace != "0" or page.redirect:
                others += 1
            elif not page.text.strip():
                empty = f"not imported: {page.title!r} is empty"
                self.problems.append(Guess(file, page.line, empty))
            else:
                clean = decode.clean(page.text)[0]
                also = tuple(names.get(page.title, ()))
                found.append(
                    ImportSource(f"{file}/{page.file}", clean, page.time[:10] or day, names=also)
                )
        if others:
            what = f"{others} pages of the export are no articles: talk, templates, files and such"
            self.problems.append(Guess(file, 1, f"not imported: {what}"))
        return found


def list_sources(source: Path) -> Sources:
    """List the files of an import from a file or folder.

    Beside a single file, the files that it may link to are listed too.
    """
    found = Sources(source if source.is_dir() else source.parent)
    if not source.is_dir():
        found.notes = [source.name]
        try:
            found.every = tuple(sorted(_walk(found.root, "", Sources(found.root), depth=3)))
        except OSError:
            found.every = ()
        return found
    found.every = tuple(sorted(_walk(source, "", found)))
    known = {*endings(), exports.ENDING}
    for file in found.every:
        pure = PurePosixPath(file)
        note = pure.suffix.lstrip(".").lower() in known and pure.name.lower() not in _SKIPPED_FILES
        (found.notes if note else found.other_files).append(file)
    return found


def _read(path: Path, options: ImportOptions) -> tuple[decode.Decoded, str]:
    """The text of a file, and the day of its last change."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise decode.BinaryError("it is no regular file")
    if status.st_size > LARGEST:
        size = f"it has {status.st_size:,} bytes, more than the {LARGEST:,} allowed"
        raise decode.BinaryError(size)
    day = datetime.fromtimestamp(status.st_mtime, UTC).strftime("%Y-%m-%d")
    return decode.decode(path.read_bytes(), options.encoding), day


def _walk(folder: Path, prefix: str, found: Sources, depth: int = 30) -> Iterator[str]:
    """The files below a folder, each with ``prefix``; hidden ones and symbolic links are left out.

    Folders that cannot be read and symbolic links are reported in ``found.problems``.
    """
    if depth < 0:
        return
    try:
        entries = sorted(os.scandir(folder), key=lambda e: e.name)
    except OSError as error:
        found.problems.append(Guess(str(folder), 1, f"cannot read the folder: {error.strerror}"))
        return
    for entry in entries:
        if entry.name.startswith(".") or not entry.name.isprintable():
            continue
        if entry.is_symlink():
            where = Guess(f"{prefix}{entry.name}", 1, "a symbolic link is not followed")
            found.problems.append(where)
        elif entry.is_dir():
            if entry.name.lower() not in _SKIPPED:
                yield from _walk(Path(entry.path), f"{prefix}{entry.name}/", found, depth - 1)
        elif entry.is_file():
            yield f"{prefix}{entry.name}"
