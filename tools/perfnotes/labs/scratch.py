"""The scratch folder of a lab: its sources, a clean environment, and processes in the sandbox."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from perfnotes.labs.box import CannotRunError, Finished, LabError
from perfnotes.labs.command_line import split
from perfnotes.labs.exit_messages import LARGEST_FILE, LARGEST_OUTPUT, last_lines, problem
from perfnotes.labs.needs import search_path, whole_path
from perfnotes.labs.permissions import UNCONFINED, permissions_of
from perfnotes.labs.sandbox import NoSandboxError, Sandbox, find, required
from perfnotes.model.lab import Lab, Limits
from perfnotes.storage.signal_guard import SignalGuard
from perfnotes.storage.write import FolderLock, remove

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_PREFIX = "perfnotes-lab-"
_ABANDONED_AFTER = 24 * 3600  # seconds; an older scratch folder that nobody holds is removed
_PROCESSES = 4096  # processes and threads of a lab at a time, if it runs in a sandbox


class Scratch:
    """A temporary folder with a lab's sources, a context manager that removes it at the end.

    ``lab/`` holds the sources and what is built; ``home/`` and ``tmp/`` are HOME and TMPDIR of the
    lab's programs. ``root`` is the notes folder: the copy of a source is executable if the source
    is. Without ``root``, files that begin with ``#!`` are executable. ``keep`` keeps the folder.

    Processes run in the sandbox. ``consent`` says that a person has agreed to what goes beyond it:
    to the lab's ``permissions``, and to a run without a sandbox if the system has none.
    ``NoSandboxError`` if there is no sandbox and no consent.
    """

    def __init__(
        self, lab: Lab, root: Path | None = None, *, keep: bool = False, consent: bool = False
    ) -> None:
        self.parameters: Mapping[str, float] = lab.parameters
        self._lab, self._root, self._keep = lab, root, keep
        self._permissions = permissions_of(lab) if consent else ()
        self.sandbox = _sandbox(lab, consent)
        self._supervisor: subprocess.Popen[bytes] | None = None
        self._stopped = threading.Event()

    def __enter__(self) -> Scratch:
        base = Path(tempfile.gettempdir()).resolve()
        _remove_abandoned(base)
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
            if self.sandbox:
                self.sandbox.give(self._base)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        # The guard holds back a second Ctrl-C, which would leave the folder behind.
        with SignalGuard():
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

    def arguments(self, command: str) -> list[str]:
        """A command of ``lab.yml`` as arguments, parameters filled in."""
        return split(command, self.parameters)

    def clean(self, text: str) -> str:
        """A program's output without the scratch folder's path.

        Paths in the lab's folder become relative, and those in HOME begin with ``~``. Of any other
        path below the scratch folder the rest stays, such as ``/tmp/x``.
        """
        for folder, known in ((self.path, "."), (self._base / "home", "~"), (self._base, "")):
            text = text.replace(f"{folder}/", "" if known == "." else f"{known}/")
            text = text.replace(str(folder), known)
        return text

    @property
    def environment(self) -> dict[str, str]:
        """The complete environment of a process, before the variables of its run are added."""
        return {
            "LC_ALL": "C",
            "PATH": whole_path(),
            "HOME": str(self._base / "home"),
            "TMPDIR": str(self._base / "tmp"),
            "PYTHONHASHSEED": "0",
        }

    def which(self, name: str, env: Mapping[str, str] | None = None) -> str | None:
        """The path of the program that a command's first word names, or None.

        A name with ``/`` is a file in the lab's folder; other names are looked up in PATH.
        """
        if "/" in name:
            file = self.path / name
            return str(file) if file.is_file() else None
        path = (env or {}).get("PATH", self.environment["PATH"])
        return shutil.which(name, path=search_path() if path == whole_path() else path)

    def execute(
        self,
        arguments: Sequence[str],
        limits: Limits,
        env: Mapping[str, str] | None = None,
        stdin: str = "",
        accept: Sequence[int] = (0,),
    ) -> Finished:
        """Run a process in the lab's folder; see ``Box.execute``."""
        environment = {**self.environment, **(env or {})}
        shown = self.clean(shlex.join(arguments))
        self._check_program(arguments[0], shown, environment)
        setsid = shutil.which("setsid")
        if setsid is None:
            raise CannotRunError("needs setsid (Debian: util-linux)")
        with self._streams(stdin) as streams:
            spec = {
                "setsid": setsid,
                "arguments": list(arguments),
                "env": environment,
                "cwd": str(self.path),
                "streams": streams,
                "seconds": limits.seconds,
                "memory": limits.memory,
                "largest_output": LARGEST_OUTPUT,
                "largest_file": LARGEST_FILE,
                "processes": _PROCESSES if self.sandbox else 0,
            }
            answer = self._ask_supervisor(spec, streams)
            texts = [os.pread(stream, LARGEST_OUTPUT, 0) for stream in streams[1:]]
        stdout, stderr = (text.decode("utf-8", "replace") for text in texts)
        if wrong := problem(answer, limits, accept):
            raise LabError(f"`{shown}` {wrong}{last_lines(self.clean(stderr or stdout))}")
        return Finished(
            stdout=stdout,
            stderr=stderr,
            seconds=answer["seconds"],
            cpu=answer["cpu"],
            max_rss=answer["max_rss"],
            minor_faults=answer["minor_faults"],
            major_faults=answer["major_faults"],
        )

    @contextmanager
    def _streams(self, stdin: str) -> Iterator[list[int]]:
        """Open files for standard input, output and error of a process.

        The lab cannot see the folder that holds them, so it cannot replace them with links.
        """
        out = Path(tempfile.mkdtemp(dir=self._base / "out"))
        (out / "in").write_text(stdin, "utf-8")
        append = os.O_RDWR | os.O_CREAT | os.O_APPEND
        streams: list[int] = []
        try:
            streams.append(os.open(out / "in" if stdin else os.devnull, os.O_RDONLY))
            streams += [os.open(out / name, append, 0o600) for name in ("out", "err")]
            if self.sandbox:
                self.sandbox.give(out)
            yield streams
        finally:
            for stream in streams:
                os.close(stream)
            remove(out)

    def stop(self) -> None:
        """End the running process and refuse to start others. Another thread may call this."""
        self._stopped.set()
        supervisor = self._supervisor
        if supervisor is not None and supervisor.stdin is not None:
            with suppress(OSError, ValueError):
                supervisor.stdin.close()

    def _check_program(self, name: str, shown: str, env: Mapping[str, str]) -> None:
        """Raise an error if a program is missing or not executable; ``shown`` is the command."""
        found = self.which(name, env)
        if found is None and "/" in name:
            raise LabError(f"`{shown}`: there is no {name}: is it built, or a source of the lab?")
        if found is None:
            raise CannotRunError(f"needs {name}")
        if not os.access(found, os.X_OK):
            raise LabError(f"`{shown}`: {name} may not be executed: chmod +x, or name its program")

    def _supervisor_command(self, memory: int) -> list[str]:
        command = [sys.executable, "-I", "-S", str(_SUPERVISOR)]
        if self.sandbox is None:
            return command
        return self.sandbox.command(
            command,
            folder=self._base,
            hidden=self._base / "out",
            readable=[_SUPERVISOR],
            permissions=self._permissions,
            memory=memory,
        )

    def _ask_supervisor(self, spec: Mapping[str, Any], streams: Sequence[int]) -> dict[str, Any]:
        """Run ``spec`` under a supervisor and return the supervisor's answer.

        The supervisor and all its descendants have ended when this method returns or raises.
        """
        if self._stopped.is_set():
            raise LabError("stopped")
        supervisor = subprocess.Popen(
            self._supervisor_command(spec["memory"]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=streams,
            env={} if self.sandbox else None,
            start_new_session=True,  # Ctrl-C reaches perfnotes, which stops the supervisor
        )
        self._supervisor = supervisor
        assert supervisor.stdin
        assert supervisor.stdout
        try:
            with suppress(BrokenPipeError):
                supervisor.stdin.write(json.dumps(spec).encode() + b"\n")
                supervisor.stdin.flush()
            line = supervisor.stdout.read()
        finally:
            with SignalGuard():
                self._supervisor = None
                with suppress(OSError, ValueError):
                    supervisor.stdin.close()
                supervisor.wait()
                supervisor.stdout.close()
        if not line:
            raise LabError("the process that supervises labs ended early")
        answer: dict[str, Any] = json.loads(line)
        return answer


def _sandbox(lab: Lab, consent: bool) -> Sandbox | None:
    """The sandbox for a lab; None if a person agreed that it runs without one."""
    if UNCONFINED in lab.permissions:
        if consent:
            return None
        raise NoSandboxError(f"{lab.id} asks to run without a sandbox, which nobody agreed to")
    found = find() if consent else required()
    return found if isinstance(found, Sandbox) else None


def _make_removable(folder: Path) -> None:
    """Make all folders below ``folder`` writable: a lab may have made one read-only."""
    for base, folders, _ in os.walk(folder):
        for path in (Path(base, name) for name in folders):
            if not path.is_symlink():
                with suppress(OSError):
                    path.chmod(0o700)


def _remove_abandoned(base: Path) -> None:
    """Remove old scratch folders whose process was killed before it could remove them."""
    for folder in base.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            status = folder.lstat()
            if status.st_uid != os.getuid() or time.time() - status.st_mtime < _ABANDONED_AFTER:
                continue
            lock = FolderLock.take(folder)
            if lock:
                _make_removable(folder)
                remove(folder)
                lock.release()
