"""All that a check depends on, as one hash: the contents of notes, pages and settings.

No time stamp is believed, so that a file which changed twice within one tick of the clock, or a
checkout that gave it an old time, is seen as what it is. Only a large file that no check looks into
(an archive, a picture) is known by its size and times.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from perfnotes.source.read.walk import walk
from perfnotes.storage.cache import content_digest, digest
from perfnotes.text.source import LARGEST_FILE


@dataclass(frozen=True)
class Inputs:
    """``texts`` is the hash of each Markdown file by its path, ``frame`` that of all the rest."""

    frame: str
    texts: dict[str, str]

    @property
    def whole(self) -> str:
        return digest(self.frame, *(part for text in self.texts.items() for part in text))


def inputs_of(folder: Path, shown: str, *others: str | bytes) -> Inputs:
    """All files below a folder of notes; ``others`` is what else counts."""
    files = walk(folder, shown)
    parts: list[str | bytes] = [shown, *(str(f) for f in files.findings)]
    for path in files.others:
        parts += [path, file_content(folder / path)]
    texts = {path: content_digest(file_content(folder / path)) for path in files.markdown}
    return Inputs(digest(*parts, *others), texts)


def folder_digest(folder: Path, shown: str) -> str:
    """The hash of every file below a folder; ``shown`` is how findings name it."""
    files = walk(folder, shown)
    parts: list[str | bytes] = [shown, *(str(f) for f in files.findings)]
    for path in (*files.markdown, *files.others):
        parts += [path, file_content(folder / path)]
    return digest(*parts)


def file_content(file: Path) -> bytes:
    """What a file holds, or why it cannot be read."""
    try:
        found = file.stat()
        if found.st_size > LARGEST_FILE and file.suffix.lower() != ".svg":
            known = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
            return f"large {known}".encode()
        return b"= " + file.read_bytes()
    except OSError as error:
        return f"error {error.errno}".encode()
