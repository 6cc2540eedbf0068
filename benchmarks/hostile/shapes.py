"""CPU seconds that perfnotes needs for one note, by the shape and size of its text.

    python -m benchmarks.hostile.shapes                      all shapes, own and foreign, 1 MB
    python -m benchmarks.hostile.shapes --sizes 16 64 256 1024 --only 'stairs|columns'
    python -m benchmarks.hostile.shapes --list

A shape is a way to make a text of any size: a token repeated, nested, one in each line, or many
tokens that differ, for every mark that has a meaning in the notes' Markdown. Each text is a note in
a folder with our tables (``own``) or in one without any (``foreign``). A child process checks it
and another one builds it; the kernel counts their CPU seconds, with those of their children. A
shape that takes longer than ``--limit`` at one size is not tried at a larger one. The growth is the
exponent between the two largest sizes: 1 is linear, 2 is quadratic. A file of more than 1 MiB is
not read at all, so the largest size is 1,000 KiB: some shapes add a few bytes.

A text with more pieces than a page may hold (``perfnotes.text.limits``) is shown as its source,
which is quick. ``--fitted`` cuts such a text to the largest one that is still converted.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import math
import os
import re
import resource
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.hostile._forms import Shape, every
from benchmarks.hostile.calibration import taken

from perfnotes.cli.main import main as perfnotes
from perfnotes.text.inline import scan

ROOT = Path(__file__).resolve().parents[2]
_MEMORY = 6 * 1024**3
_OTHER = {
    "topics.yml": "- id: a\n  title: {en: A, zh: 甲}\n  description: {en: All., zh: 全部。}\n",
    "tags.yml": "- id: t\n  name: {en: T, zh: 标}\n  description: {en: All., zh: 全部。}\n",
    "glossary.yml": "- id: cache-line\n  en: cache line\n  zh: 缓存行\n"
    "  definition: {en: A unit., zh: 单位。}\n",
    "references.bib": "@misc{a2020b,\n  author = {A, B},\n  title = {C},\n  year = {2020},\n"
    "  url = {https://www.example.org/}\n}\n",
}
_FRONT = (
    "---\ntitle: A shape\ndescription: What nobody writes.\ntags: [t]\nlevel: introductory\n"
    "date: 2026-01-31\n---\n\n"
)


@dataclass(frozen=True)
class Cost:
    """CPU seconds of one command. ``end`` is its exit status, or "limit" if it was stopped.

    ``own`` are the seconds of its first process alone, 0 if that was stopped. ``beside`` is what
    the fixed work of :mod:`benchmarks.hostile.calibration` took in this process meanwhile: the
    median of five runs in each second.
    """

    seconds: float
    end: str
    own: float = 0.0
    beside: float = 0.0


def cost(arguments: Sequence[str], cache: Path, limit: float, folder: Path = ROOT) -> Cost:
    """Run a command in ``folder``, in a fork of this process, which has imported the modules.

    ``limit`` is in CPU seconds; a command that only waits is killed after 12 times as many seconds.
    """
    (cache / "own.txt").unlink(missing_ok=True)
    child = os.fork()
    if not child:
        _become(arguments, cache, limit, folder)
    deadline = time.monotonic() + 12 * limit
    beside: list[float] = []
    sampled = 0.0
    while True:
        if (now := time.monotonic()) - sampled > 0.2:
            sampled = now
            beside.append(taken())
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            break
        if now > deadline:
            os.killpg(child, signal.SIGKILL)
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # processes that the command left running
    code = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    over = code in (-signal.SIGXCPU, -signal.SIGKILL)
    own = cache / "own.txt"
    return Cost(
        seconds,
        "limit" if over else str(code),
        float(own.read_text()) if own.exists() else 0.0,
        statistics.median(beside),
    )


def _become(arguments: Sequence[str], cache: Path, limit: float, folder: Path) -> None:
    """Set the child's limits, run the command and end the process; never return."""
    os.setpgid(0, 0)
    seconds = math.ceil(limit)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    os.environ["XDG_CACHE_HOME"] = str(cache)
    output = os.open(cache / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(folder)
    status = 70
    try:
        status = perfnotes(arguments)
    except BaseException as error:
        print("TRACEBACK", type(error).__name__, error)
    finally:
        sys.stdout.flush()
        (cache / "own.txt").write_text(str(time.process_time()))
        os._exit(status)


def measured(shape: Shape, size: int, kind: str, what: Sequence[str], limit: float) -> list[Cost]:
    """Return the cost of each command in ``what`` on one note of about ``size`` bytes."""
    with tempfile.TemporaryDirectory(prefix="perfnotes-shapes-") as name:
        folder = Path(name)
        write_note(folder, shape(size - 200 if kind == "own" else size), kind)
        costs = []
        for command in what:
            given = [command, "--notes", str(folder / "notes"), "--no-cache"]
            if command == "build":
                given += ["--site", str(folder / "site"), "--quiet"]
            costs.append(cost(given, folder, limit))
            shutil.rmtree(folder / "site", ignore_errors=True)
        return costs


def write_note(folder: Path, text: str, kind: str) -> None:
    """Write ``text`` as the one note below ``folder``, beside our tables if ``kind`` is "own"."""
    note = folder / "notes" / "a" / "shape.md"
    note.parent.mkdir(parents=True, exist_ok=True)
    front = _FRONT if kind == "own" and not text.startswith("---\n") else ""
    note.write_text(front + text, "utf-8")
    for file, content in _OTHER.items() if kind == "own" else ():
        (folder / "notes" / file).write_text(content, "utf-8")


def fitted(shape: Shape, parts: int = 64) -> Shape:
    """Return a shape whose texts are shortened until perfnotes converts them like any other.

    A text may be shorter than it must be by one of so many ``parts`` of its size.
    """

    def shorter(size: int) -> str:
        text = shape(size)
        if not scan(text).excess:
            return text
        fits, too_large = 0, size
        while too_large - fits > size // parts:
            middle = (fits + too_large) // 2
            if scan(shape(middle)).excess:
                too_large = middle
            else:
                fits = middle
        return shape(fits)

    return shorter


def growth(sizes: Sequence[int], seconds: Sequence[float], start: float) -> float:
    """Return the exponent of growth between the last two sizes.

    ``start``, the CPU seconds for an empty note, is subtracted first.
    """
    small, great = (max(s - start, 0.01) for s in seconds[-2:])
    return math.log(great / small) / math.log(sizes[len(seconds) - 1] / sizes[len(seconds) - 2])


def chosen(only: str) -> list[tuple[str, Shape]]:
    """Return the shapes whose names match the regular expression ``only``."""
    return [(name, shape) for name, shape in every() if re.search(only, name)]


def warm_up() -> None:
    """Run a check and a build, so that the forks find all modules imported."""
    with tempfile.TemporaryDirectory(prefix="perfnotes-shapes-") as name:
        notes = Path(name) / "notes"
        notes.mkdir()
        (notes / "a.md").write_text("# A\n\nText, $a$.\n\n```c\nint a;\n```\n", "utf-8")
        quiet = io.StringIO()
        with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
            given = ["--notes", str(notes), "--no-cache"]
            perfnotes(["check", *given])
            perfnotes(["build", *given, "--site", str(Path(name) / "site"), "--quiet"])


def main() -> None:
    """Measure the chosen shapes and print a row for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--only", default="", metavar="PATTERN", help="only shapes whose names match"
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000], metavar="KIB")
    parser.add_argument("--kinds", nargs="+", default=["own", "foreign"], metavar="KIND")
    parser.add_argument("--commands", nargs="+", default=["check", "build"], metavar="COMMAND")
    parser.add_argument("--limit", type=float, default=20.0, metavar="CPU_SECONDS")
    parser.add_argument(
        "--above",
        type=float,
        default=0.0,
        help="print only shapes that take longer, in CPU seconds",
    )
    parser.add_argument(
        "--fitted", action="store_true", help="cut texts that are too much for one page"
    )
    parser.add_argument("--list", action="store_true", help="print the names, measure nothing")
    parser.add_argument(
        "--part", default="0/1", help="K/N: only every N-th shape, beginning with shape K (from 0)"
    )
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    shapes = chosen(options.only)[part::parts]
    if options.list:
        print("\n".join(name for name, _ in shapes))
        return
    warm_up()
    worst = _table(shapes, options)
    print(f"{len(shapes)} shapes; most CPU seconds of one command: {worst:.2f}")


def _table(shapes: Iterable[tuple[str, Shape]], options: argparse.Namespace) -> float:
    worst = 0.0
    start = {
        (kind, command): measured(lambda _: "", 1024, kind, [command], 20)[0].seconds
        for kind in options.kinds
        for command in options.commands
    }
    for name, given in shapes:
        shape = fitted(given) if options.fitted else given
        for kind in options.kinds:
            for command in options.commands:
                found: list[Cost] = []
                for size in options.sizes:
                    found += measured(shape, size * 1024, kind, [command], options.limit)
                    if found[-1].end == "limit":
                        break
                seconds = [each.seconds for each in found]
                worst = max(worst, seconds[-1])
                if seconds[-1] < options.above and found[-1].end in ("0", "1"):
                    continue
                row = " ".join(f"{s:7.2f}" for s in seconds)
                grown = (
                    f" growth {growth(options.sizes, seconds, start[kind, command]):4.2f}"
                    if len(seconds) > 1
                    else ""
                )
                end = "" if found[-1].end in ("0", "1") else f" END {found[-1].end}"
                print(f"{name:40} {kind:7} {command:5} {row}{grown}{end}", flush=True)
    return worst


if __name__ == "__main__":
    main()
