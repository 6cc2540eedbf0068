"""The steps of a command whose time depends on a note's text, each measured by itself in a fork."""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.hostile import shapes
from benchmarks.hostile.calibration import Calibration

from perfnotes.build.configuration import configuration
from perfnotes.build.messages import ToPublish
from perfnotes.build.publish import Publisher
from perfnotes.build.settings import build_settings
from perfnotes.build.templates import environment
from perfnotes.checks import examine, grade
from perfnotes.graph.graph import link
from perfnotes.graph.site import Site
from perfnotes.review.markdown import as_markdown
from perfnotes.review.pair import Pair
from perfnotes.review.parts import report
from perfnotes.review.side import Side
from perfnotes.site.locate import locate
from perfnotes.site.pages import search
from perfnotes.site.stage import stage_pages
from perfnotes.source.read.folder import read_library
from perfnotes.storage.digests import content_digest
from perfnotes.storage.store import Store

KINDS = ("own", "foreign")
COMMANDS = (*KINDS, "diff")
_LIMIT = 40  # CPU seconds of one fork


@dataclass(frozen=True)
class Bench:
    """What every fork shares. ``known`` are the sources of an empty note's site, by kind."""

    publisher: Publisher
    config: Any
    known: dict[str, set[bytes]]

    @classmethod
    def make(cls) -> Bench:
        """Return one that has built the empty note."""
        config = configuration()
        bench = cls(Publisher(config, environment(config, Store(None)), Path("/")), config, {})
        for kind in KINDS:
            for _ in bench.steps("a\n", kind):
                pass
        return bench

    def steps(self, text: str, kind: str) -> Iterator[tuple[str, float]]:
        """Yield the name and the CPU seconds of each step for a note of this text."""
        with tempfile.TemporaryDirectory(prefix="perfnotes-screen-") as name:
            root = Path(name)
            shapes.write_note(root, text, kind)
            clock = _Clock()
            site = self._read(root)
            yield clock.step(f"{kind} read")
            links = site.graph.links.values()
            refused = any(each.text.body.document.excess for each in links)
            yield "refused", float(refused)
            made: list[ToPublish] = []
            staged = stage_pages(
                site,
                lambda url, source, twin: made.append(ToPublish(url, source, twin, kind != "own")),
            )
            yield clock.step(f"{kind} stage")
            for _ in search.files(site):
                pass
            yield clock.step(f"{kind} index")
            found = examine(site, staged.findings)
            yield clock.step(f"{kind} check")
            known = self.known.get(kind, set())
            pages = list(staged.pages.values())
            for page, given in zip(pages, made, strict=True):
                if given.source not in known:
                    dangers = self.publisher.render(given)[1].dangers
                    found += grade([locate(site, page, each) for each in dangers], site.library)
            self.known.setdefault(kind, {given.source for given in made})
            str(sorted(found))
            yield clock.step(f"{kind} publish")
            if kind == "own":
                other = root / "before"
                shapes.write_note(other, _less(text), kind)
                site_before = self._read(other)
                yield clock.step("before read")
                pair = Pair(_side(other, site_before), _side(root, site))
                as_markdown(report(pair))
                yield clock.step("diff")

    def _read(self, root: Path) -> Site:
        return Site(link(read_library(root / "notes", "notes")), build_settings(self.config))


class _Clock:
    def __init__(self) -> None:
        self._start = time.process_time()

    def step(self, name: str) -> tuple[str, float]:
        now = time.process_time()
        taken, self._start = now - self._start, now
        return name, taken


def _less(text: str) -> str:
    """Return a text without every third line, or two thirds of each line of a front matter."""
    lines = text.splitlines(keepends=True)
    if text.startswith("---\n"):
        return "".join(_shorter(line) for line in lines)
    return "".join(line for i, line in enumerate(lines) if i % 3) or text[len(text) // 3 :]


def _shorter(line: str) -> str:
    end = line.rfind(", ", 0, len(line) * 2 // 3)
    return f"{line[:end]}]\n" if end > 0 and line.endswith("]\n") else line


def _side(root: Path, site: Site) -> Side:
    files = {path.relative_to(root).as_posix(): path for path in (root / "notes").rglob("*")}
    objects = {
        name: content_digest(path.read_bytes()) for name, path in files.items() if path.is_file()
    }
    return Side("a", root, site, objects)


def measured(bench: Bench, text: str, calibration: Calibration) -> dict[str, Any]:
    """Return the seconds of each step by its name, normalised.

    "end" is the status of a fork that failed, "error" why.
    """
    source, target = os.pipe()
    child = os.fork()
    if not child:
        os.close(source)
        _become(bench, text, target, calibration)
    os.close(target)
    with os.fdopen(source, "rb") as pipe:
        rows = [json.loads(line) for line in pipe.read().splitlines()]
    _, status, _ = os.wait4(child, 0)
    found: dict[str, Any] = dict(rows)
    if status:
        found["end"] = os.waitstatus_to_exitcode(status)
    return found


def _become(bench: Bench, text: str, target: int, calibration: Calibration) -> None:
    """Write the steps' seconds to ``target`` and end the process."""
    resource.setrlimit(resource.RLIMIT_CPU, (_LIMIT, _LIMIT + 1))
    resource.setrlimit(resource.RLIMIT_AS, (6 * 1024**3, 6 * 1024**3))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    status = 0
    try:
        gc.disable()
        for kind in KINDS:
            before = _slowness(calibration)
            steps = [*bench.steps(text, kind)]
            slowness = (before + _slowness(calibration)) / 2
            lines = (json.dumps([name, round(taken / slowness, 4)]) + "\n" for name, taken in steps)
            os.write(target, "".join(lines).encode())
    except BaseException as error:
        os.write(target, (json.dumps(["error", repr(error)[:300]]) + "\n").encode())
        status = 70
    finally:
        os._exit(status)


def _slowness(calibration: Calibration) -> float:
    return statistics.median(calibration.slowness() for _ in range(3))


def total(steps: dict[str, Any], command: str) -> float:
    """Return the seconds of the steps of "own", "foreign" or "diff"."""
    if command == "diff":
        names = ["own read", "before read", "diff"]
    else:
        names = [f"{command} {step}" for step in ("read", "stage", "index", "check", "publish")]
    return float(sum(steps.get(name, 0.0) for name in names))
