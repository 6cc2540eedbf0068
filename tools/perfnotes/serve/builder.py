"""The worker process of ``perfnotes serve`` and the folder of the site that it builds.

The process is started here, asked for builds, and its answers are received.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from perfnotes.storage.store import FOLDER
from perfnotes.storage.temporary import temporary_folder

_ENDING = 5.0  # seconds that a worker has to end before it is killed


class BuilderAnswer(Struct, frozen=True):
    """An answer of the worker of ``builder``, or None after the worker has ended."""

    answer: dict[str, Any] | None
    builder: Builder


class Builder:
    """A worker process, which runs until ``end``. Its answers are put into ``news``.

    ``busy`` is set while a build runs; whoever takes the answer from ``news`` unsets it.
    """

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
            start_new_session=True,  # Ctrl-C reaches the parent alone, which ends the worker
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        self._news = news
        self.busy = False
        threading.Thread(target=self._listen, daemon=True).start()

    def build(self) -> None:
        """Ask for a build. Returns at once."""
        assert self._process.stdin
        self.busy = True
        try:
            self._process.stdin.write("build\n")
            self._process.stdin.flush()
        except OSError:
            pass  # the worker has ended, and ``_listen`` puts that into ``news``

    def _listen(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._news.put(BuilderAnswer(json.loads(line), self))
        self._news.put(BuilderAnswer(None, self))

    def end(self) -> None:
        """End the worker and wait until it is gone."""
        assert self._process.stdin
        self._process.terminate()
        try:
            self._process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@contextmanager
def site_folder(root: Path) -> Iterator[Path]:
    """Make a temporary folder for the site, if possible beside kept pages, to link to these."""
    base = root / FOLDER / "served"
    with suppress(OSError):
        base.mkdir(parents=True, exist_ok=True)
    with temporary_folder(base if os.access(base, os.W_OK) else None) as folder:
        yield folder
