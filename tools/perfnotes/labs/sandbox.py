"""The sandbox in which labs run: bubblewrap, on a system that lets it work.

Inside there is no network, no process from outside, and no file of a user. The system's programs
can be read, and the scratch folder can be written. A lab is never root there: where perfnotes runs
as root, the process becomes the user ``nobody``, without any capability, before it starts anything
of a lab.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from perfnotes.labs.box import LabError
from perfnotes.labs.permissions import GPU, NAMESPACES, PERF, SYS
from perfnotes.labs.sandbox_tree import MORE_PROGRAMS, SYSTEM, Tree

NOBODY = 65534
INSTALL = "install bubblewrap (Debian: apt install bubblewrap)"
_HARDWARE = ("/sys/devices/system", "/sys/kernel/mm")
_GPUS = ("nvidia*", "dri", "kfd")
# The root of what a lab sees when perfnotes runs as root: in a chroot, Linux refuses to make user
# namespaces. For ordinary users bubblewrap has an option.
_CHROOT = "/box"
_PATIENCE = 30.0  # seconds for a trial


class NoSandboxError(LabError):
    """This system has no sandbox; the text says why, and what helps."""


@dataclass(frozen=True)
class Sandbox:
    """Bubblewrap on this system; ``options`` are all that it knows."""

    program: str
    version: str
    options: frozenset[str]
    is_root: bool

    @property
    def name(self) -> str:
        """Such as ``bubblewrap 0.8.0``."""
        return f"bubblewrap {self.version}"

    def give(self, path: Path) -> None:
        """Make a file, or a folder with all that is in it, belong to the user that labs run as."""
        if self.is_root:
            _chown(path)
            for base, folders, names in os.walk(path):
                for name in (*folders, *names):
                    _chown(Path(base, name))

    def command(
        self,
        arguments: Sequence[str],
        *,
        folder: Path,
        hidden: Path | None = None,
        readable: Collection[Path] = (),
        permissions: Collection[str] = (),
        memory: int = 1 << 30,
    ) -> list[str]:
        """The command that runs ``arguments`` as process 1 of a new sandbox.

        ``folder`` can be written, except ``hidden`` inside it, which looks empty; ``readable`` are
        files beside those of the system. ``memory`` is the size of each folder in memory, in bytes.
        """
        top = _CHROOT if self.is_root and NAMESPACES not in permissions else ""
        tree = Tree(top)
        tree.system(memory if "--size" in self.options else 0)
        sees_all_of_sys = {PERF, SYS, GPU} & set(permissions)
        for name in ("/sys",) if sees_all_of_sys else _HARDWARE:
            if Path(name).is_dir():
                tree.readable(Path(name))
        if GPU in permissions:
            tree.devices(device for name in _GPUS for device in Path("/dev").glob(name))
        for path in (*python_files(), *readable):
            tree.readable(path)
        tree.writable(folder)
        if hidden:
            tree.hidden(hidden)
        return [
            self.program,
            *self._isolation(permissions),
            *tree.arguments,
            *("--remount-ro", f"{top}/dev", "--remount-ro", "/", "--chdir", "/", "--"),
            *(_descent(top, permissions) if self.is_root else ()),
            *arguments,
        ]

    def _isolation(self, permissions: Collection[str]) -> Iterator[str]:
        yield from ("--die-with-parent", "--new-session", "--as-pid-1", "--clearenv")
        yield from ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-cgroup-try")
        yield from ("--unshare-uts", "--hostname", "lab")
        if not self.is_root:
            yield from ("--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY))
            if NAMESPACES not in permissions and "--disable-userns" in self.options:
                yield "--disable-userns"


def required() -> Sandbox:
    """The sandbox of this system; ``NoSandboxError`` where it has none."""
    found = find()
    if isinstance(found, str):
        raise NoSandboxError(found)
    return found


@cache
def find() -> Sandbox | str:
    """The sandbox of this system, or why it has none: found out by a trial, once per process."""
    program = shutil.which("bwrap")
    if program is None:
        return f"bubblewrap is not installed: {INSTALL}"
    options = frozenset(re.findall(r"--[a-z0-9-]+", _run([program, "--help"])[1]))
    version = re.sub(r"^bubblewrap ", "", _run([program, "--version"])[1].strip())
    sandbox = Sandbox(program, version, options, os.geteuid() == 0)
    with tempfile.TemporaryDirectory(prefix="perfnotes-trial-") as name:
        folder = Path(name).resolve()
        sandbox.give(folder)
        trial = [sys.executable, "-I", "-S", "-c", "open('/proc/self/stat').close()"]
        status, said = _run(sandbox.command(trial, folder=folder))
    if status:
        last = (said.strip().splitlines() or [f"it ended with status {status}"])[-1]
        return f"bubblewrap does not work here: {last}: {_advice()}"
    return sandbox


def python_files() -> list[Path]:
    """Where the Python that runs perfnotes lies, without the home folder that it may lie in."""
    prefixes = [Path(sys.prefix), Path(sys.base_prefix)]
    link = Path(sys.executable)
    while link.is_symlink():
        link = link.parent / link.readlink()
        prefixes.append(Path(os.path.normpath(link)).parent.parent)
    found = []
    for prefix in dict.fromkeys(prefixes):
        found += [prefix / name for name in ("bin", "include", "lib", "lib64", "pyvenv.cfg")]
    return [path for path in dict.fromkeys(found) if path.exists()]


def is_visible(folder: str) -> bool:
    """Whether a lab sees a folder of PATH."""
    places = (*map(Path, SYSTEM), *map(Path, MORE_PROGRAMS), *python_files())
    path = Path(folder)
    return any(place in (path, *path.parents) for place in places)


def _descent(top: str, permissions: Collection[str]) -> Iterator[str]:
    """From root to nobody. Of all capabilities only that to count events may stay, if asked for."""
    kept = ",+perfmon" if PERF in permissions else ""
    if top:
        yield from (_program("chroot"), top)
    yield from (_program("setpriv"), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    yield from (f"--{which}=-all{kept}" for which in ("inh-caps", "ambient-caps", "bounding-set"))


def _program(name: str) -> str:
    return shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin") or name


def _chown(path: Path) -> None:
    os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def _run(command: Sequence[str]) -> tuple[int, str]:
    """The status of a program, and all that it printed."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=_PATIENCE, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return 1, str(error)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def _advice() -> str:
    restricted = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    try:
        if restricted.read_text().strip() == "1":
            return "AppArmor forbids user namespaces (kernel.apparmor_restrict_unprivileged_userns)"
    except OSError:
        pass
    return "this system forbids user namespaces, or it is a container that may not make any"
