"""Flood ``perfnotes check`` with hostile inputs of every kind, and judge what would be published.

    python -m benchmarks.hostile.flood
    python -m benchmarks.hostile.flood --count 500 --mutated 500 --seed 7

The inputs are notes, front matter, tables, references, labs, results, calculators and figures. Some
are written as attacks (``attacks.py``), some are mutations of our own files. Up to 40 of them are
put into a small copy of the example notes, which a process with at most 1 GB of memory checks. What
check does not find unsafe is staged and rendered, and the HTML is searched for anything that a
browser would run or fetch. If a folder ends in a traceback, a hang, too much memory or a dead
process, its inputs are tried again one by one.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.hostile.inputs import ROOT, Input, inputs

_TOGETHER = 40  # inputs in one folder
_CPU = 30.0  # seconds for one folder
_WALL = 300.0  # seconds, however busy the machine is
_BAD = ("traceback", "hang", "memory", "died")


class _Worker:
    """A child process that tries inputs; it is replaced if it dies."""

    def __init__(self, arguments: list[str], scratch: str) -> None:
        self._arguments, self._scratch = arguments, scratch
        self._child: subprocess.Popen[str] | None = None

    def tried(self, numbers: list[int]) -> dict[str, Any]:
        if self._child is None:
            self._start()
        child = self._child
        assert child
        assert child.stdin
        assert child.stdout
        child.stdin.write(json.dumps([numbers, _CPU]) + "\n")
        child.stdin.flush()
        line = child.stdout.readline() if self._answers(_WALL) else None
        if line:
            return dict(json.loads(line))
        self.end()
        if line is None:
            return {"outcome": "hang", "why": f"no answer in {_WALL:.0f} s"}
        return {"outcome": "died", "why": f"exit status {child.returncode}"}

    def _start(self) -> None:
        command = [sys.executable, "-m", "benchmarks.hostile.worker", *self._arguments]
        env = {**os.environ, "TMPDIR": self._scratch, "NO_MKDOCS_2_WARNING": "1"}
        pipe = subprocess.PIPE
        self._child = subprocess.Popen(
            command,
            cwd=ROOT,
            env=env,
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._child.stdout
        if self._child.stdout.readline() != "ready\n":
            sys.exit("the worker does not start: python -m benchmarks.hostile.worker 1 1 1 1024")

    def _answers(self, seconds: float) -> bool:
        assert self._child
        assert self._child.stdout
        return bool(select.select([self._child.stdout], [], [], seconds)[0])

    def end(self) -> None:
        if self._child:
            self._child.kill()
            self._child.wait()
        self._child = None


def batches(every: list[Input]) -> Iterator[list[int]]:
    """Yield the numbers of inputs that are tried together: up to 40 of one kind, or one alone."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for i, each in enumerate(every):
        if each.alone:
            yield [i]
        else:
            kinds[each.kind].append(i)
    for numbers in kinds.values():
        yield from (numbers[i : i + _TOGETHER] for i in range(0, len(numbers), _TOGETHER))


def main() -> int:
    """Print a table and what went wrong; return 1 if anything did."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=3000, help="number of written inputs")
    parser.add_argument("--mutated", type=int, default=2200, help="number of mutations")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=int, default=1024, help="memory of a process, in MB")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--seconds", type=float, default=7200, help="begin nothing new after this time"
    )
    parser.add_argument("--save", type=Path, help="a folder for the inputs that went wrong")
    options = parser.parse_args()
    every = inputs(options.count, options.mutated, options.seed)
    numbers = [options.count, options.mutated, options.seed, options.memory]
    todo = sorted(batches(every), key=len, reverse=True)
    table: dict[str, Counter[str]] = defaultdict(Counter)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="perfnotes-flood-") as scratch:

        def lane(own: list[list[int]]) -> list[tuple[list[int], dict[str, Any]]]:
            worker = _Worker([str(n) for n in numbers], scratch)
            answers = []
            for number, batch in enumerate(own, 1):
                if time.monotonic() - begun > options.seconds:
                    break
                answer = worker.tried(batch)
                again = answer["outcome"] != "ok" and len(batch) > 1
                answers += [([i], worker.tried([i])) for i in batch] if again else [(batch, answer)]
                if again or answer["outcome"] != "ok" or answer["scripts"] or answer["requests"]:
                    print(f"{number} of {len(own)}, {batch}: {answer}", file=sys.stderr, flush=True)
                elif number % 10 == 0:
                    print(f"{number} of {len(own)}", file=sys.stderr, flush=True)
            worker.end()
            return answers

        lanes = [todo[i :: options.processes] for i in range(options.processes)]
        with ThreadPoolExecutor(options.processes) as pool:
            done = [each for answers in pool.map(lane, lanes) for each in answers]
    problems = [_count(every, batch, answer, table) for batch, answer in done]
    _print(table)
    for (batch, answer), problem in zip(done, problems, strict=True):
        if problem:
            names = ", ".join(f"#{i} {every[i].path}" for i in batch)
            print(f"\n{names}\n{problem}")
            if options.save and len(batch) == 1:
                options.save.mkdir(parents=True, exist_ok=True)
                name = f"{batch[0]}-{answer['outcome']}-{every[batch[0]].path.replace('/', '+')}"
                (options.save / name).write_bytes(every[batch[0]].data)
    tried = sum(len(batch) for batch, _ in done)
    print(f"{tried} of {len(every)} inputs, seed {options.seed}, {time.monotonic() - begun:.0f} s")
    return 1 if any(problems) else 0


def _count(
    every: list[Input], batch: list[int], answer: dict[str, Any], table: dict[str, Counter[str]]
) -> str:
    """Count an answer in the table; return what is wrong with it, or ""."""
    kinds = Counter(("mutated " if every[i].mutated else "") + every[i].kind for i in batch)
    for kind, count in kinds.items():
        table[kind]["tried"] += count
    kind = kinds.most_common(1)[0][0]
    if answer["outcome"] != "ok":
        table[kind][answer["outcome"]] += 1
        return f"{answer['outcome']}: {answer['why']}"
    for what in ("passed", "judged"):
        table[kind][what] += answer[what]
    found = [*answer["scripts"], *answer["requests"]]
    table[kind]["scripts"] += len(answer["scripts"])
    table[kind]["requests"] += len(answer["requests"])
    return "\n".join(found)


def _print(table: dict[str, Counter[str]]) -> None:
    columns = ("tried", "passed", "judged", "scripts", "requests", *_BAD)
    print(f"{'':24}" + "".join(f"{name:>10}" for name in columns))
    total: Counter[str] = Counter()
    for kind in sorted(table):
        print(f"{kind:24}" + "".join(f"{table[kind][name]:>10}" for name in columns))
        total += table[kind]
    print(f"{'all':24}" + "".join(f"{total[name]:>10}" for name in columns))


if __name__ == "__main__":
    raise SystemExit(main())
