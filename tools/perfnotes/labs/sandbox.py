"""The sandbox in which labs run: bubblewrap, on systems that allow it.

Inside there is no network, no process from outside, and no file of a user. A lab can read the
system's programs and write its scratch folder. It is never root: if perfnotes runs as root, the
supervising process becomes the user ``nobody``, without capabilities, before it starts anything of
a lab (only the permission ``perf`` leaves it one capability, CAP_PERFMON).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from perfnotes.labs.box import LabError
from perfnotes.labs.permissions import GPU, NAMESPACES, PERF, SYS
from perfnotes.labs.sandbox_tree import MORE_PROGRAMS, SYSTEM, Tree

NOBODY = 65534
INSTALL = "install bubblewrap (Debian: apt install bubblewrap)"
_HARDWARE = ("/sys/devices/system", "/sys/kernel/mm")
_GPUS = ("nvidia*", "dri", "kfd")
# If perfnotes runs as root, the lab is put into a chroot with this root folder, because Linux does
# not let a process in a chroot make user namespaces. For other users bubblewrap has an option.
_CHROOT = "/box"
_TRIAL_TIMEOUT = 30.0  # seconds


class NoSandboxError(LabError):
    """This system has no sandbox; the text says why and what to do."""


class Sandbox(Struct, frozen=True):
    """Bubblewrap on this system; ``options`` are the options that this version has.

    ``is_root`` says that perfnotes runs as root, so labs have to become another user.
    """

    program: str
    version: str
    options: frozenset[str]
    is_root: bool

    @property
    def name(self) -> str:
        """Name and version, such as ``bubblewrap 0.8.0``."""
        return f"bubblewrap {self.version}"

    def give(self, path: Path) -> None:
        """Give a file, or a folder with its contents, to the user that labs run as."""
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

        The lab can write ``folder``, except ``hidden`` inside it, which looks empty to the lab. It
        can read ``readable`` in addition to the system's files. ``memory`` is the size of each
        folder in memory, in bytes, if this bubblewrap can limit it.
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
            *(_drop_root(top, permissions) if self.is_root else ()),
            *arguments,
        ]

    def _isolation(self, permissions: Collection[str]) -> Iterator[str]:
        """The options that separate the sandbox from other processes, users and the network."""
        yield from ("--die-with-parent", "--new-session", "--as-pid-1", "--clearenv")
        yield from ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-cgroup-try")
        yield from ("--unshare-uts", "--hostname", "lab")
        if not self.is_root:
            yield from ("--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY))
            if NAMESPACES not in permissions and "--disable-userns" in self.options:
                yield "--disable-userns"


def required() -> Sandbox:
    """The sandbox of this system; ``NoSandboxError`` if it has none."""
    found = find()
    if isinstance(found, str):
        raise NoSandboxError(found)
    return found


@cache
def find() -> Sandbox | str:
    """The sandbox of this system, or why it has none; found out by a trial, once per process."""
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
        status, printed = _run(sandbox.command(trial, folder=folder))
    if status:
        last = (printed.strip().splitlines() or [f"it ended with status {status}"])[-1]
        return f"bubblewrap does not work here: {last}: {_advice()}"
    return sandbox


def python_files() -> list[Path]:
    """The files and folders of the Python that runs perfnotes, and nothing beside them.

    The Python may lie in a home folder, which the lab must not see.
    """
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
    """Whether a lab in the sandbox can see a folder of PATH."""
    places = (*map(Path, SYSTEM), *map(Path, MORE_PROGRAMS), *python_files())
    path = Path(folder)
    return any(place in (path, *path.parents) for place in places)


def _drop_root(top: str, permissions: Collection[str]) -> Iterator[str]:
    """The command that starts another one as the user nobody, without capabilities.

    With the permission ``perf`` it keeps CAP_PERFMON, the capability to count events.
    """
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
    """The exit status of a program and everything it printed; status 1 if it cannot be run."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=_TRIAL_TIMEOUT, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return 1, str(error)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def _advice() -> str:
    """Why bubblewrap may have failed on this system."""
    restricted = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    try:
        if restricted.read_text().strip() == "1":
            return "AppArmor forbids user namespaces (kernel.apparmor_restrict_unprivileged_userns)"
    except OSError:
        pass
    return "this system forbids user namespaces, or it is a container that may not make any"
