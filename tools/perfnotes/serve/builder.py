"""The process that builds for ``perfnotes serve``, seen from its parent."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

_ENDING = 5.0  # seconds that a worker gets to end
# Seconds after which a worker goes on by itself: it may hold what its parent waits for.
_LONGEST_PAUSE = 0.5


class BuilderAnswer(Struct, frozen=True):
    """What a worker said; ``None`` when it has ended."""

    said: dict[str, Any] | None
    worker: Builder


class Builder:
    """A worker process; its answers go into ``news``."""

    def __init__(
        self, root: Path, site: Path, notes: Path | None, news: queue.SimpleQueue[object]
    ) -> None:
        command = [sys.executable, "-m", "perfnotes.serve.worker", str(root), str(site)]
        command += [str(notes)] if notes else []
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            # Ctrl-C is for the parent, which ends it. In a session of its own the group would stay
            # stopped where the parent is killed; in this one the system ends it then.
            process_group=0,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        self._news = news
        self._alarm: threading.Timer | None = None  # set while the worker pauses
        self.busy = False
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def build(self) -> None:
        assert self._process.stdin
        self.busy = True
        try:
            self._process.stdin.write("build\n")
            self._process.stdin.flush()
        except OSError:
            pass  # it has ended, and ``_listen`` says so

    def pause(self) -> None:
        """Stop a build for a moment, since somebody waits for what this process makes."""
        if self.busy and not self._alarm:
            self._alarm = threading.Timer(_LONGEST_PAUSE, self._signal, [signal.SIGCONT])
            self._alarm.daemon = True
            self._signal(signal.SIGSTOP)
            self._alarm.start()

    def go_on(self) -> None:
        """End a pause."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
            self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        """Send a signal to the worker and the processes that it has made."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def _listen(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._news.put(BuilderAnswer(json.loads(line), self))
        self._news.put(BuilderAnswer(None, self))

    def end(self) -> None:
        self._process.terminate()
        self.go_on()
        try:
            self._process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
