"""After a random series of edits `perfnotes serve` shows the site that a clean build makes.

The edits are those of ``test_incremental``: some break the notes, and the next ones mend them; now
and then the settings are broken for a moment. Meanwhile somebody asks for pages all the time.
``make series`` runs more of them.
"""

from __future__ import annotations

import random
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.served import Server, begun, serve
from tests.test_incremental import edits, outcome_without_cache

pytestmark = pytest.mark.slow

LENGTH, BETWEEN = 12, 4  # edits, and how many of them come between two comparisons
LONGEST_PAUSE = 0.8  # seconds between two edits
READER_PAUSE = 0.02  # seconds between two pages
NOT_SERVED = "sw.js"  # it would show pages that it has kept
LIVE = re.compile(rb'<link rel="stylesheet" href="/_perfnotes/live\.css"><script [^>]*></script>')


def served(server: Server, path: str) -> bytes:
    """A file of the site as the server gives it, without the script that listens for news."""
    try:
        with urllib.request.urlopen(server.url + path, timeout=60) as answer:
            data: bytes = answer.read()
    except urllib.error.HTTPError:
        return b""
    return LIVE.sub(b"", data)


def files_of(site: Path) -> set[str]:
    """The paths of a site's files that a server gives."""
    files = {file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file()}
    return files - {NOT_SERVED}


def differing(server: Server, fresh: Path, earlier: set[str]) -> list[str]:
    """The files below ``fresh`` that are served otherwise, and ``earlier`` ones still served."""
    now = files_of(fresh)
    different = [path for path in now if served(server, path) != (fresh / path).read_bytes()]
    return different + [path for path in earlier - now if served(server, path)]


@contextmanager
def reader(server: Server) -> Iterator[list[str]]:
    """Somebody who asks for pages all the time; gives what was not answered."""
    failed: list[str] = []
    is_over = threading.Event()

    def read() -> None:
        while not is_over.is_set():
            for path in ("", "caches/", "caches/rows/", "zh/caches/lines/", "glossary/"):
                try:
                    served(server, path)
                except OSError as error:
                    failed.append(f"/{path}: {error}")
                is_over.wait(READER_PAUSE)

    thread = threading.Thread(target=read)
    thread.start()
    try:
        yield failed
    finally:
        is_over.set()
        thread.join()


def edits_and_broken_settings(project: Path, r: random.Random) -> Iterator[str]:
    series, settings = edits(project, r.randrange(1000)), project / "mkdocs.yml"
    while True:
        yield next(series)
        if r.random() < 0.3:
            text = settings.read_text("utf-8")
            settings.write_text(text + "\nsite_url: [\n", "utf-8")
            yield "mkdocs.yml: broken"
            settings.write_text(text, "utf-8")
            yield "mkdocs.yml: mended"


def check_series(
    built_example: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    r = random.Random(seed)
    with begun(built_example, folder, serve) as server:
        monkeypatch.chdir(server.project)
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "home"))
        series, told = edits_and_broken_settings(server.project, r), []
        compared = 0
        known = files_of(server.project / "site")
        with reader(server) as failed:
            for i in range(LENGTH):
                told.append(next(series))
                time.sleep(r.random() * LONGEST_PAUSE)
                if i % BETWEEN < BETWEEN - 1:
                    continue
                fresh = folder / f"fresh {i}"
                # Notes that are broken have no site; the edits after these are compared again.
                if isinstance(outcome_without_cache(fresh), str):
                    continue
                compared += 1
                deadline = time.monotonic() + 60
                while wrong := differing(server, fresh, known):
                    log = server.log.read_text("utf-8")
                    assert server.process.poll() is None, (told, log)
                    assert time.monotonic() < deadline, (wrong, told, log)
                    time.sleep(0.2)
                known |= files_of(fresh)
        log = server.log.read_text("utf-8")
        assert server.process.poll() is None, (told, log)
        assert not failed, (failed, told)
        assert "Traceback" not in log, (told, log)
        assert compared


def test_a_series_of_edits_while_serving(
    built_example: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    series_of_edits: int,
) -> None:
    for seed in range(series_of_edits):
        check_series(built_example, tmp_path_factory.mktemp("served"), monkeypatch, seed)
