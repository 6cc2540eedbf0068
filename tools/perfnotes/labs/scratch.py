"""The scratch folder of a lab: its sources, a clean environment, and processes under watch."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from perfnotes.deaf import Deaf
from perfnotes.lab import Lab, Limits
from perfnotes.labs.box import CannotRunError, Finished, LabError
from perfnotes.labs.needs import search_path
from perfnotes.labs.words import split
from perfnotes.write import FolderLock, remove

LARGEST_OUTPUT = 16 << 20
LARGEST_FILE = 4 << 30
_KEEPER = Path(__file__).with_name("keeper.py")
_PREFIX = "perfnotes-lab-"
_OLD = 24 * 3600  # seconds after which a folder that nobody holds is swept away
_SHOWN = 2000  # characters of what a failed process printed
_ENDS = {
    "time": "did not end within {seconds:g} s (limits: seconds)",
    "memory": "took more than {memory:.4g} GiB of memory (limits: memory)",
    "output": f"printed more than {LARGEST_OUTPUT >> 20} MiB",
    "stopped": "was stopped",
    "lost": "was lost: something else collected its end",
}


class Scratch:
    """A temporary folder with a lab's sources; leaving it removes it with all that it holds.

    ``lab/`` holds the sources and what is built, ``home/`` and ``tmp/`` are what programs know as
    such. ``root`` is the notes folder, which knows what may be executed.
    """

    def __init__(self, lab: Lab, root: Path | None = None, *, keep: bool = False) -> None:
        self.parameters: Mapping[str, float] = lab.parameters
        self._lab, self._root, self._keep = lab, root, keep
        self._keeper: subprocess.Popen[bytes] | None = None
        self._stopped = threading.Event()

    def __enter__(self) -> Scratch:
        base = Path(tempfile.gettempdir()).resolve()
        _sweep(base)
        self._base = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
        self._lock = FolderLock.take(self._base)
        try:
            self.path = self._base / "lab"
            for name in ("lab", "home", "tmp", "out"):
                (self._base / name).mkdir()
            for name, data in self._lab.files.items():
                file = self.path / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
                if self._may_execute(name, data):
                    file.chmod(0o755)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        # A second Ctrl-C must not leave the folder behind.
        with Deaf():
            self.stop()
            if self._lock:
                self._lock.release()
            if not self._keep:
                _make_removable(self._base)
                remove(self._base)

    def _may_execute(self, name: str, data: bytes) -> bool:
        if self._root is None:
            return data.startswith(b"#!")
        try:
            mode = (self._root / self._lab.folder / name).stat().st_mode
        except OSError:
            return False
        return bool(mode & 0o100)

    def words(self, command: str) -> list[str]:
        """A command of ``lab.yml`` as arguments, parameters filled in."""
        return split(command, self.parameters)

    def clean(self, text: str) -> str:
        """What a program printed, without this folder's paths."""
        for folder, known in ((self.path, "."), (self._base / "home", "~"), (self._base, "")):
            text = text.replace(f"{folder}/", "" if known == "." else f"{known}/")
            text = text.replace(str(folder), known)
        return text

    @property
    def environment(self) -> dict[str, str]:
        """All that a process is told of the world around it."""
        return {
            "LC_ALL": "C",
            "PATH": search_path(),
            "HOME": str(self._base / "home"),
            "TMPDIR": str(self._base / "tmp"),
            "PYTHONHASHSEED": "0",
        }

    def which(self, name: str, env: Mapping[str, str] | None = None) -> str | None:
        """The program that a command's first word names, seen from this folder."""
        if "/" in name:
            file = self.path / name
            return str(file) if file.is_file() else None
        return shutil.which(name, path=(env or self.environment).get("PATH"))

    def execute(
        self,
        arguments: Sequence[str],
        limits: Limits,
        env: Mapping[str, str] | None = None,
        stdin: str = "",
        accept: Sequence[int] = (0,),
    ) -> Finished:
        """Run a process in the folder; see ``Box``."""
        environment = {**self.environment, **(env or {})}
        shown = self.clean(shlex.join(arguments))
        self._judge_program(arguments[0], shown, environment)
        setsid = shutil.which("setsid")
        if setsid is None:
            raise CannotRunError("needs setsid (Debian: util-linux)")
        out = Path(tempfile.mkdtemp(dir=self._base / "out"))
        for name in ("out", "err"):
            (out / name).touch()
        if stdin:
            (out / "in").write_text(stdin, "utf-8")
        spec = {
            "setsid": setsid,
            "arguments": list(arguments),
            "env": environment,
            "cwd": str(self.path),
            "stdin": str(out / "in") if stdin else os.devnull,
            "stdout": str(out / "out"),
            "stderr": str(out / "err"),
            "seconds": limits.seconds,
            "memory": limits.memory,
            "largest_output": LARGEST_OUTPUT,
            "largest_file": LARGEST_FILE,
        }
        answer = self._ask_keeper(spec)
        texts = [(out / name).read_bytes().decode("utf-8", "replace") for name in ("out", "err")]
        remove(out)
        if problem := _problem(answer, limits, accept):
            raise LabError(f"`{shown}` {problem}{_said(self.clean(texts[1] or texts[0]))}")
        return Finished(
            stdout=texts[0],
            stderr=texts[1],
            seconds=answer["seconds"],
            cpu=answer["cpu"],
            max_rss=answer["max_rss"],
            minor_faults=answer["minor_faults"],
            major_faults=answer["major_faults"],
        )

    def stop(self) -> None:
        """End what runs now; what would run next is refused. For another thread to call."""
        self._stopped.set()
        keeper = self._keeper
        if keeper is not None and keeper.stdin is not None:
            with suppress(OSError, ValueError):
                keeper.stdin.close()

    def _judge_program(self, name: str, shown: str, env: Mapping[str, str]) -> None:
        found = self.which(name, env)
        if found is None and "/" in name:
            raise LabError(f"`{shown}`: there is no {name}: is it built, or a source of the lab?")
        if found is None:
            raise CannotRunError(f"needs {name}")
        if not os.access(found, os.X_OK):
            raise LabError(f"`{shown}`: {name} may not be executed: chmod +x, or name its program")

    def _ask_keeper(self, spec: Mapping[str, Any]) -> dict[str, Any]:
        """Have a keeper run it. However this ends, the keeper and all below it have ended too."""
        if self._stopped.is_set():
            raise LabError("stopped")
        keeper = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_KEEPER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C reaches perfnotes, which tells the keeper
        )
        self._keeper = keeper
        assert keeper.stdin
        assert keeper.stdout
        try:
            with suppress(BrokenPipeError):
                keeper.stdin.write(json.dumps(spec).encode() + b"\n")
                keeper.stdin.flush()
            said = keeper.stdout.read()
        finally:
            with Deaf():
                self._keeper = None
                with suppress(OSError, ValueError):
                    keeper.stdin.close()
                keeper.wait()
                keeper.stdout.close()
        if not said:
            raise LabError("the process that watches over labs ended early")
        answer: dict[str, Any] = json.loads(said)
        return answer


def _problem(answer: Mapping[str, Any], limits: Limits, accept: Sequence[int]) -> str:
    """What is wrong with the end of a process, or nothing."""
    end = answer["end"]
    if end == "refused":
        return f"cannot be started: {answer['what']}"
    if not answer["gone"]:
        return "left a process behind that cannot be ended"
    if end == "signal":
        return f"crashed: {_signal(answer['status'])}"
    if end in _ENDS:
        return _ENDS[end].format(seconds=limits.seconds, memory=limits.memory / (1 << 30))
    if answer["status"] not in accept:
        return f"ended with status {answer['status']}"
    if answer["left"]:
        left = answer["left"]
        names = ", ".join(dict.fromkeys(left))
        what = "a process" if len(left) == 1 else f"{len(left)} processes"
        return f"left {what} behind ({names}): wait for every child before the end"
    return ""


def _signal(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    words = (signal.strsignal(number) or "").lower()
    more = f"; it wrote a file beyond {LARGEST_FILE >> 30} GiB" if name == "SIGXFSZ" else ""
    return f"{name} ({words}){more}"


def _said(text: str) -> str:
    """The end of what a process printed, set off below a message."""
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text.strip())[-_SHOWN:]
    lines = ("".join(c if c.isprintable() else " " for c in line) for line in text.splitlines())
    return "".join(f"\n  | {line.rstrip()}" for line in list(lines)[-8:])


def _make_removable(folder: Path) -> None:
    """Open folders that a lab has closed to writing."""
    for base, folders, _ in os.walk(folder):
        for path in (Path(base, name) for name in folders):
            if not path.is_symlink():
                with suppress(OSError):
                    path.chmod(0o700)


def _sweep(base: Path) -> None:
    """Remove the folders of ours whose process was killed outright."""
    for left in base.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            status = left.lstat()
            if status.st_uid != os.getuid() or time.time() - status.st_mtime < _OLD:
                continue
            lock = FolderLock.take(left)
            if lock:
                _make_removable(left)
                remove(left)
                lock.release()
