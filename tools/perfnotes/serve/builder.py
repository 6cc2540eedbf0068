"""The process that builds for ``perfnotes serve``, seen from its parent."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from msgspec import Struct

_ENDING = 5.0  # seconds that a worker gets to end


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
            start_new_session=True,  # Ctrl-C is for the parent, which ends it
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        self._news = news
        self.busy = False
        threading.Thread(target=self._listen, daemon=True).start()

    def build(self) -> None:
        assert self._process.stdin
        self.busy = True
        try:
            self._process.stdin.write("build\n")
            self._process.stdin.flush()
        except OSError:
            pass  # it has ended, and ``_listen`` says so

    def _listen(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._news.put(BuilderAnswer(json.loads(line), self))
        self._news.put(BuilderAnswer(None, self))

    def end(self) -> None:
        assert self._process.stdin
        self._process.terminate()
        try:
            self._process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
