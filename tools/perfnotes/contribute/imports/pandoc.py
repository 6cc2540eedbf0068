"""Pandoc as a separate process that reads nothing but its input and ends within its limits.

Pandoc is an optional extra: formats that need it are refused with a message where it is missing.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from functools import cache
from importlib import import_module, util
from pathlib import Path

from msgspec import Struct

from perfnotes.contribute.imports.errors import FormatError

OLDEST = (2, 17)  # of Debian 12
SECONDS = 30.0  # of wall time for one file; half of it in CPU time
HEAP = 512  # MiB that pandoc may allocate for its own data
LARGEST = 64  # MiB of output
INSTALL = (
    "install it with `pip install -r requirements/import.txt`, or by the system: apt-get "
    "install pandoc"
)

_VERSION = re.compile(r"pandoc(?:\.exe)? (\d+)\.(\d+)")
# One shell sets the limits, which its child inherits, and becomes that child.
_LIMITED = 'ulimit -c 0; ulimit -t "$0" && ulimit -f "$1" && shift && exec "$@"'
_ABOUT = re.compile(
    r"^\[WARNING\] (?!Could not load translations|The term |Deprecated)(.+)$", re.MULTILINE
)
_LINE = re.compile(r"\bline (\d+)\b")


class Converted(Struct, frozen=True):
    """What pandoc wrote, and its warnings, each with the source line that it names or 0."""

    text: str
    warnings: tuple[tuple[int, str], ...]


def convert(text: str, reader: str, writer: str, *options: str) -> Converted:
    """The text in another of pandoc's formats.

    Raises FormatError where pandoc is missing, refuses the text, or meets a limit.
    """
    command = [
        "/bin/sh", "-c", _LIMITED, str(max(1, int(SECONDS / 2))), str(LARGEST * 2048), _binary(),
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
                code = -24
        told = said.read_text("utf-8", "replace")
        if code:
            raise FormatError(_why(code, told))
        return Converted(made.read_text("utf-8", "replace"), _warnings(told))


def _why(code: int, told: str) -> str:
    if code == 251 or "heap" in told.lower():  # the number that the Haskell runtime ends with
        return f"pandoc needs more than {HEAP} MiB of memory for it (split the file)"
    if code < 0:
        return f"pandoc met its limit of {SECONDS:g} s or {LARGEST} MiB of output (split the file)"
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    return f"pandoc cannot read it: {' '.join(lines[:3])[:200] or f'exit status {code}'}"


def _warnings(told: str) -> tuple[tuple[int, str], ...]:
    found = []
    for each in _ABOUT.finditer(told):
        line = _LINE.search(each[1])
        found.append((int(line[1]) if line else 0, each[1].strip()))
    return tuple(found)


@cache
def _binary() -> str:
    """The path of a pandoc that has a sandbox."""
    path = None
    if util.find_spec("pypandoc"):
        try:
            path = import_module("pypandoc").get_pandoc_path()
        except OSError:  # the package without its binary
            path = None
    path = path or shutil.which("pandoc")
    if not path:
        raise FormatError(f"its format is read by pandoc, which is not here ({INSTALL})")
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
