"""Helpers of the instruments: running a run's commands, reading files in the box, messages."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from perfnotes.labs.box import Box, Finished, LabError
from perfnotes.model.lab import Run
from perfnotes.model.result import Samples

ANY_STATUS: Sequence[int] = range(256)
LARGEST_FILE = 512 << 20  # bytes of a tool's output file that are read
_LONGEST_QUOTE = 300  # characters of output that a message quotes


def execute(
    run: Run,
    box: Box,
    arguments: Sequence[str],
    env: Mapping[str, str] | None = None,
    accept: Sequence[int] = (0,),
) -> Finished:
    """Run a process with the run's environment, input and limits."""
    return box.execute(arguments, run.limits, {**run.env, **(env or {})}, run.stdin, accept)


def command_of(run: Run, box: Box) -> list[str]:
    """The option ``command`` of the run as arguments."""
    return box.arguments(str(run.options["command"]))


def file_of(run: Run, box: Box, key: str = "file") -> str:
    """The file that an option names, as a path below ``box.path``; ``LabError`` if missing."""
    found = box.arguments(str(run.options[key]))
    if len(found) != 1:
        raise LabError(f"{key}: one file, not {len(found)} words: {' '.join(found)}")
    path = box.path / found[0]
    if not path.is_file():
        there = sorted(p.name for p in path.parent.glob("*")) if path.parent.is_dir() else []
        names = ", ".join(there[:12]) or "no files"
        raise LabError(f"{key}: there is no {found[0]}: is it built? (there: {names})")
    return found[0]


@contextmanager
def own_folder(box: Box) -> Iterator[Path]:
    """A temporary folder for an instrument's own files.

    It lies beside the lab's folder, so that a program that lists the lab's folder does not see it.
    It belongs to the user that the lab runs as.
    """
    with tempfile.TemporaryDirectory(prefix="instrument-", dir=box.path.parent) as name:
        owner = box.path.parent.stat()
        if owner.st_uid != os.geteuid():
            os.chown(name, owner.st_uid, owner.st_gid)
        yield Path(name)


def read_untrusted(box: Box, file: Path) -> str | None:
    """The text of a file that a tool wrote in the box; None if there is no such regular file.

    The lab can write to the same folder, so it may have put a link or a pipe in the file's place.
    Links are not followed, so nothing outside the box is read, and opening a pipe does not block.
    ``LabError`` if the file is larger than ``LARGEST_FILE``.
    """
    base = box.path.parent
    *folders, name = file.relative_to(base).parts
    opened = [os.open(base, os.O_PATH | os.O_DIRECTORY)]
    try:
        for folder in folders:
            how = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW
            opened.append(os.open(folder, how, dir_fd=opened[-1]))
        how = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        opened.append(os.open(name, how, dir_fd=opened[-1]))
        with os.fdopen(opened.pop(), "rb") as data:
            status = os.fstat(data.fileno())
            if not stat.S_ISREG(status.st_mode):
                return None
            if status.st_size > LARGEST_FILE:
                raise LabError(f"{name} has {status.st_size >> 20} MiB, more than a tool writes")
            return data.read(LARGEST_FILE).decode("utf-8", "replace")
    except (OSError, NotImplementedError):
        return None
    finally:
        for descriptor in opened:
            os.close(descriptor)


def as_list(option: object) -> list[str]:
    """The strings of an option that is a string or a list of strings."""
    return [option] if isinstance(option, str) else [str(o) for o in option or ()]  # type: ignore[attr-defined]


def count(number: int) -> Samples:
    """A count as one sample without a unit."""
    return Samples((number,))


def quoted(text: str) -> str:
    """The end of a program's output, on one line and in backticks, for a message."""
    text = re.sub(r"\s+", " ", text).strip()
    if not text:
        return "nothing"
    return f"`{text}`" if len(text) <= _LONGEST_QUOTE else f"`… {text[-_LONGEST_QUOTE:]}`"
