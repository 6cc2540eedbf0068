"""Keeps private data out of results: names of host and user, serial numbers, local paths."""

from __future__ import annotations

import getpass
import platform
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from perfnotes.labs.box import LabError
from perfnotes.model.result import Result

# Names that many machines and users share do not identify anybody.
_COMMON = {
    "root", "user", "users", "admin", "ubuntu", "debian", "fedora", "arch", "alpine", "linux",
    "localhost", "localdomain", "host", "local", "vm", "runner", "docker", "build", "builder",
    "test", "vagrant", "ec2-user", "guest", "server", "home", "work", "main", "node", "desktop",
    "none", "amd", "intel", "arm", "nvidia", "gcc", "gpu", "cpu",
}  # fmt: skip
_SHORTEST = 3  # characters; shorter words would be found in many harmless texts


def private_words() -> dict[str, str]:
    """Words that must not be in a result, in lower case, each with a description of it."""
    words: dict[str, str] = {}
    host = platform.node()
    for name in (host, host.partition(".")[0]):
        words[name.lower()] = "the name of this machine"
    with suppress(OSError, KeyError, ImportError):
        words[getpass.getuser().lower()] = "the name of the user"
    home = str(Path.home())
    if home not in ("/", "/root"):
        words[home.lower()] = "the path of the home folder"
    words |= {
        word.lower(): "a serial number"
        for name in ("product_serial", "product_uuid", "board_serial", "chassis_serial")
        for word in _words_in(Path("/sys/class/dmi/id") / name)
    }
    words |= {word.lower(): "the id of this machine" for word in _words_in(Path("/etc/machine-id"))}
    return {w: what for w, what in words.items() if len(w) >= _SHORTEST and w not in _COMMON}


def refuse_private_data(result: Result, root: Path) -> None:
    """``LabError`` if a text of the result contains private data; ``root`` is the notes folder."""
    folders = {str(root.resolve()): "the path of the notes", str(root): "the path of the notes"}
    folders[f"{Path(tempfile.gettempdir()).resolve()}/perfnotes-lab-"] = "the scratch folder's path"
    words = private_words() | {
        path.lower(): what for path, what in folders.items() if len(path) > _SHORTEST
    }
    for where, text in _texts(result):
        for word, what in words.items():
            if re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text.lower()):
                raise LabError(
                    f"{result.lab}: {what} is in {where}; nothing is recorded with it: "
                    "have the lab print less, or filter it out"
                )


def _texts(result: Result) -> list[tuple[str, str]]:
    """Every text of a result that could hold private data, as (where it is, text)."""
    machine = result.machine
    found = [("the kernel's name", machine.kernel), ("the system's name", machine.system)]
    found += [(f"the version of {name}", text) for name, text in result.versions.items()]
    found += [("a build line", line) for line in result.flags]
    for id, run in result.runs.items():
        found += [(f"the output of {id}", run.output or ""), (f"why {id} was not run", run.not_run)]
        found += [(f"a quantity of {id}", name) for name in run.quantities]
    return found


def _words_in(file: Path) -> list[str]:
    """The words of a file; none if it cannot be read."""
    with suppress(OSError):
        return file.read_text("utf-8", "replace").split()
    return []
