"""The file system of a guest: an archive in cpio's "newc" format, which the kernel unpacks at boot."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

APPLETS = ("sh", "mount", "cat", "echo", "grep", "poweroff", "stty", "sleep", "head", "awk", "sed", "nproc", "date")
FOLDERS = ("bin", "dev", "proc", "sys", "tmp", "root")
DIRECTORY, FILE, LINK = 0o040755, 0o100755, 0o120777


def archive(programs: list[str], texts: dict[str, str]) -> bytes:
    """An archive of busybox, of the programs with their libraries, and of the texts as executable files."""
    files: dict[str, tuple[int, bytes]] = dict.fromkeys(FOLDERS, (DIRECTORY, b""))
    for program in ("busybox", *programs):
        path = Path(shutil.which(program) or program)
        files[f"bin/{path.name}"] = FILE, path.read_bytes()
        for library in libraries(path):
            files[str(library).lstrip("/")] = FILE, library.read_bytes()
    files |= {f"bin/{applet}": (LINK, b"busybox") for applet in APPLETS}
    files |= {name: (FILE, text.encode()) for name, text in texts.items()}
    for name in list(files):
        files |= {str(above): (DIRECTORY, b"") for above in Path(name).parents if str(above) != "."}
    ordered = sorted(files.items())  # a folder comes before what is in it
    entries = [entry(number, name, *what) for number, (name, what) in enumerate(ordered, start=1)]
    return b"".join(entries) + entry(0, "TRAILER!!!", 0, b"")


def libraries(program: Path) -> list[Path]:
    """The shared libraries that a program needs, and the loader."""
    printed = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    return [Path(path) for path in re.findall(r"(/\S+) \(0x", printed)]


def entry(number: int, name: str, mode: int, content: bytes) -> bytes:
    """One file of the archive: thirteen numbers of eight hexadecimal digits, the name, the content."""
    encoded = name.encode() + b"\0"
    fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(encoded), 0)
    header = b"070701" + "".join(f"{field:08x}" for field in fields).encode()
    return padded(header + encoded) + padded(content)


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
