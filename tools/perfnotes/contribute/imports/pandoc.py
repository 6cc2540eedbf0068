"""Runs pandoc in a process that reads nothing but its input, within limits of time and memory.

Pandoc is optional. Without it, texts in formats that need it are refused with a message.
"""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import tempfile
from functools import cache
from importlib import import_module, util
from pathlib import Path

from msgspec import Struct

from perfnotes.contribute.imports.errors import FormatError

# The oldest version of pandoc that is used: that of Debian 12.
OLDEST = (2, 17)
# One file may take so many seconds of wall time, and half as many of CPU time.
SECONDS = 30.0
HEAP = 512  # MiB that pandoc may allocate for its own data
LARGEST = 64  # MiB of output
# `ulimit -f` counts blocks of 512 bytes; one MiB has so many of them.
_BLOCKS = 2048
INSTALL = (
    "install it with `pip install -r requirements/import.txt`, or by the system: apt-get "
    "install pandoc"
)

_VERSION = re.compile(r"pandoc(?:\.exe)? (\d+)\.(\d+)")
# The shell sets the limits, and then pandoc replaces the shell and inherits them.
_LIMITED = 'ulimit -c 0; ulimit -t "$0" && ulimit -f "$1" && shift && exec "$@"'
# Some warnings say nothing about the text.
_WARNING = re.compile(
    r"^\[WARNING\] (?!Could not load translations|The term |Deprecated)(.+)$", re.MULTILINE
)
_LINE = re.compile(r"\bline (\d+)\b")


class Converted(Struct, frozen=True):
    """What pandoc wrote, and its warnings, each with the source line that it names or 0."""

    text: str
    warnings: tuple[tuple[int, str], ...]


def convert(text: str, reader: str, writer: str, *options: str) -> Converted:
    """The text in another of pandoc's formats.

    Raises FormatError if pandoc is missing, refuses the text, or reaches a limit.
    """
    command = [
        "/bin/sh", "-c", _LIMITED, str(max(1, int(SECONDS / 2))), str(LARGEST * _BLOCKS), _binary(),
        "+RTS", f"-M{HEAP}m", "-RTS", "--sandbox", "--wrap=none",
        f"--from={reader}", f"--to={writer}", *options,
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        given, made, said = (Path(folder) / name for name in ("in", "out", "err"))
        given.write_text(text, "utf-8", "replace", newline="\n")
        with given.open("rb") as source, made.open("wb") as out, said.open("wb") as err:
            try:
                code = subprocess.run(
                    command, stdin=source, stdout=out, stderr=err, cwd=folder, check=False,
                    timeout=SECONDS,
                    env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder},
                ).returncode  # fmt: skip
            except subprocess.TimeoutExpired:
                code = -signal.SIGXCPU  # as if the limit of CPU time had been reached
        told = said.read_text("utf-8", "replace")
        if code:
            raise FormatError(_why(code, told))
        return Converted(made.read_text("utf-8", "replace"), _warnings(told))


def _why(code: int, told: str) -> str:
    """Why pandoc failed, by its exit status or minus its signal, and by its messages."""
    # 251 is the exit status of the Haskell runtime if its heap is exhausted.
    if code == 251 or "heap" in told.lower():
        return f"pandoc needs more than {HEAP} MiB of memory for it (split the file)"
    if code < 0:
        return (
            f"pandoc reached its limit of {SECONDS:g} s or {LARGEST} MiB of output (split the file)"
        )
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    return f"pandoc cannot read it: {' '.join(lines[:3])[:200] or f'exit status {code}'}"


def _warnings(told: str) -> tuple[tuple[int, str], ...]:
    found = []
    for each in _WARNING.finditer(told):
        line = _LINE.search(each[1])
        found.append((int(line[1]) if line else 0, each[1].strip()))
    return tuple(found)


@cache
def _binary() -> str:
    """The path of a pandoc that is new enough to have ``--sandbox``; FormatError without one."""
    path = None
    if util.find_spec("pypandoc"):
        try:
            path = import_module("pypandoc").get_pandoc_path()
        except OSError:  # the package without its binary
            path = None
    path = path or shutil.which("pandoc")
    if not path:
        raise FormatError(f"pandoc reads this format, and it is not installed ({INSTALL})")
    try:
        told = subprocess.run(
            [path, "--version"], capture_output=True, text=True, check=False, timeout=SECONDS
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        told = ""
    found = _VERSION.match(told)
    if not found or (int(found[1]), int(found[2])) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise FormatError(f"{path} is no pandoc of version {oldest} or later ({INSTALL})")
    return str(path)
