"""Measure builds of the same notes by perfnotes and by other generators, in one run.

    make bench                          # 1,000 generated notes, 3 rounds
    make bench ARGS='--count 10000 --rounds 1 --only perfnotes'
    make bench ARGS='--notes DIR'       # any folder of Markdown

In each round every generator builds once, one after the other, so that other load on the machine
disturbs all of them alike. CPU time and memory are those of all processes of a build together. Each
ratio compares two builds of the same round: the generator's and that of MkDocs with Material. The
table shows medians, and in brackets the smallest and the largest value.

Every generator builds once without a site and without a cache. perfnotes builds three times more:
with its cache but without the site, with nothing changed, and with one paragraph changed. MkDocs
builds everything each time.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
from benchmarks.build.generate import generate
from benchmarks.build.generators import GENERATORS, Generator, Missing
from benchmarks.build.measure import BuildError, Cost, run

_PEER = "MkDocs + Material"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return 1 if a generator failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--notes", type=Path, help="default: generated notes")
    parser.add_argument("--count", type=int, default=1000, help="number of generated notes")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--only",
        nargs="+",
        metavar="WORD",
        default=[""],
        help="only generators with one of these words in their name",
    )
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="perfnotes-bench-") as name:
        scratch = Path(name)
        notes = options.notes.resolve() if options.notes else scratch / "notes"
        if not options.notes:
            generate(options.count, notes)
        made: list[Generator | Missing] = []
        for number, maker in enumerate(GENERATORS):
            folder = scratch / str(number)
            folder.mkdir()
            made.append(maker(notes, folder))
        wanted = [e for e in made if any(w.lower() in e.name.lower() for w in options.only)]
        costs, failures = measure(wanted, options.rounds, scratch)
        count = sum(1 for _ in notes.rglob("*.md"))
    print(f"{count} notes, {options.rounds} rounds")
    print(table(costs), end="")
    for generator, reason in failures.items():
        print(f"{generator}: {reason}")
    print(machine())
    return 1 if any(name in failures for name in costs) else 0


def measure(
    generators: Sequence[Generator | Missing], rounds: int, scratch: Path
) -> tuple[dict[str, list[Cost]], dict[str, str]]:
    """Return the costs of each row of the table, and for generators that failed the reason."""
    costs: dict[str, list[Cost]] = {}
    failures = {each.name: each.reason for each in generators if isinstance(each, Missing)}
    for number in range(rounds):
        for each in generators:
            if isinstance(each, Missing) or each.name in failures:
                continue
            try:
                for name, cost in _states(each, scratch):
                    costs.setdefault(name, []).append(cost)
                    print(
                        f"round {number + 1}: {name}: {cost.cpu:.2f} CPU s, {cost.wall:.2f} s, "
                        f"{cost.memory:.0f} MB",
                        file=sys.stderr,
                    )
            except BuildError as error:
                failures[each.name] = str(error)
    return costs, failures


def _states(generator: Generator, scratch: Path) -> Iterator[tuple[str, Cost]]:
    """Yield a row's name and the cost of the build for each state of a generator."""
    for state in generator.states:
        generator.prepare(state)
        log = scratch / "log"
        cost = run(generator.command, log, generator.folder, generator.environment)
        alone = len(generator.states) == 1
        yield generator.name if alone else f"{generator.name}: {state}", cost


def table(costs: dict[str, list[Cost]]) -> str:
    """Return a Markdown table; its ratios to MkDocs are empty if that was not measured."""
    rows = [
        "| generator | CPU s | wall s | MB | CPU to peer | wall to peer |",
        "|---|" + "--:|" * 5,
    ]
    peer = costs.get(_PEER)
    for name, own in costs.items():
        cells = [spread([getattr(c, kind) for c in own]) for kind in ("cpu", "wall", "memory")]
        for kind in ("cpu", "wall"):
            pairs = zip(own, peer or [], strict=False)
            ratios = [getattr(a, kind) / getattr(b, kind) for a, b in pairs]
            cells.append(spread(ratios, "{:.2f}") if ratios else "")
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def spread(values: Sequence[float], form: str = "") -> str:
    """Return the median and, in brackets, the smallest and the largest value."""
    middle = statistics.median(values)
    form = form or ("{:.2f}" if middle < 1 else "{:.1f}" if middle < 100 else "{:.0f}")
    shown, *ends = (form.format(f(values)) for f in (statistics.median, min, max))
    return shown if len(values) == 1 else f"{shown} [{', '.join(ends)}]"


def machine() -> str:
    """Describes the machine: processor, usable cores, load and Python version."""
    names = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        if line.startswith("model name")
    ]
    cores = len(psutil.Process().cpu_affinity())
    load = psutil.getloadavg()[0]
    return (
        f"machine: {names[0] if names else platform.processor()}, {cores} cores, "
        f"load {load:.1f}, Python {platform.python_version()}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
