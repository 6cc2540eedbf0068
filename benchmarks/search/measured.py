"""The figures of an engine, and running a program to measure it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from perfnotes.search.evaluate import DEPTH, JudgedQuery, QueryOutcome

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 600  # CPU seconds; a program that takes longer has failed


class EngineError(Exception):
    """An engine could not be measured; the message says why."""


@dataclass(frozen=True)
class Cost:
    """The CPU seconds of a program, user and system, and its peak memory in MB."""

    cpu: float
    memory: float


@dataclass(frozen=True)
class Engine:
    """The figures of an engine on one corpus. ``build`` is the cost of making its index."""

    name: str
    pages: int
    outcomes: tuple[QueryOutcome, ...]
    build: Cost
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Failure:
    """An engine that failed on a corpus, and the reason."""

    name: str
    pages: int
    reason: str


def run(
    command: Sequence[object],
    log: Path,
    cwd: Path = ROOT,
    more: Mapping[str, str] | None = None,
    limit: int = LIMIT,
) -> Cost:
    """Run a program to its end, with its output in ``log`` and ``more`` in its environment.

    Raises ``EngineError`` if it fails or takes more than ``limit`` CPU seconds.
    """
    name = Path(str(command[0])).name
    with log.open("w", encoding="utf-8") as out:
        child = subprocess.Popen(
            ["sh", "-c", 'ulimit -S -t "$0" && exec "$@"', str(limit), *map(str, command)],
            stdout=out, stderr=out, cwd=cwd, env={**os.environ, **(more or {})},
        )  # fmt: skip
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            child.kill()
            raise
    cpu = usage.ru_utime + usage.ru_stime
    code = os.waitstatus_to_exitcode(status)
    child.returncode = code  # it has been waited for
    if code == -signal.SIGXCPU or (code and cpu >= limit):
        raise EngineError(f"{name} took more than {limit} CPU seconds")
    if code:
        tail = log.read_text(encoding="utf-8", errors="replace").strip()[-600:]
        raise EngineError(f"{name} ended with {code} after {cpu:.0f} CPU seconds: {tail}")
    return Cost(cpu, usage.ru_maxrss / 1024)


def kept(folder: Path, keep: bool, make: Callable[[Path], Cost]) -> Cost:
    """Calls ``make`` on a new folder and returns its cost, which is kept in the folder.

    With ``keep``, a folder that an earlier run made is used again.
    """
    note = folder / "cost.json"
    if keep and note.is_file():
        return Cost(**json.loads(note.read_text(encoding="utf-8")))
    remove(folder)
    folder.mkdir(parents=True)
    cost = make(folder)
    note.write_text(json.dumps(asdict(cost)), encoding="utf-8")
    return cost


def remove(folder: Path) -> None:
    """Remove a folder of this benchmark, if it exists."""
    if folder.exists():
        subprocess.run(["rm", "-rf", "--", str(folder)], check=True)


def outcome(
    judged: JudgedQuery, found: Sequence[str], bytes: int = 0, requests: int = 0
) -> QueryOutcome:
    """Judge the pages that an engine found, best first.

    The rank is that of the first expected page among the first ten pages, or 0.
    """
    ids = tuple(dict.fromkeys(found))[:DEPTH]
    rank = next((i for i, id in enumerate(ids, 1) if id in judged.expected), 0)
    return QueryOutcome(judged, rank, ids, bytes, requests)
