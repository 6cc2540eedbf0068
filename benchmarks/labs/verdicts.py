"""How often a timing claim gets the same verdict while another process keeps one core busy.

    make verdicts                              # every lab, 20 runs
    make verdicts ARGS='--runs 5 caches'   # labs below notes/caches

Of each lab only the runs that timing claims need are repeated, beside a process that does nothing
but count. For every claim this prints the most frequent verdict, how many runs had it, and the
median and range of the values. At the end it lists the claims that agree in fewer than 19 of 20.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import statistics
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from perfnotes.labs.box import LabError
from perfnotes.labs.find import find_labs
from perfnotes.labs.fingerprint import fingerprint
from perfnotes.labs.run import run_lab, runs_of
from perfnotes.model.lab import TIMING, Lab
from perfnotes.model.verdict import judge

ROOT = Path(__file__).resolve().parents[2]
AGREE = 0.95


def spin() -> None:
    """Keep a core busy until the process is killed."""
    while True:
        sum(range(10_000))


def verdicts(lab: Lab, root: Path, runs: int) -> dict[str, list[tuple[str, float]]]:
    """Return, for each timing claim, the verdict and value of each run.

    The result is empty if the lab cannot run here; the reason is printed.
    """
    claims = [claim for claim in lab.claims.values() if claim.kind == TIMING]
    found: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for _ in range(runs if claims else 0):
        try:
            outcome = run_lab(lab, root, lambda _: None, only=runs_of(claims))
        except LabError as error:
            print(f"{lab.id}: {error}", file=sys.stderr)
            return {}
        if outcome.not_run:
            print(f"{lab.id}: not run: {outcome.not_run}")
            return {}
        result = outcome.result()
        for claim in claims:
            verdict = judge(lab, claim, result)
            value = verdict.spread.median if verdict.spread else float("nan")
            found[claim.id].append((verdict.state, value))
    return found


def main() -> int:
    """Print a line for each claim; return 1 if one agrees in too few runs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("labs", nargs="*", help="ids of labs, or topics; default: all labs")
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    labs = find_labs(ROOT / "notes", "notes")
    wanted = [
        lab for id, lab in sorted(labs.labs.items())
        if not options.labs or any(id == w or id.startswith(f"{w}/") for w in options.labs)
    ]  # fmt: skip
    print(f"{fingerprint().id}, {options.runs} runs, one core busy")
    busy = multiprocessing.Process(target=spin, daemon=True)
    busy.start()
    seldom, total = [], 0
    try:
        for lab in wanted:
            began = time.monotonic()
            for id, all_of_it in verdicts(lab, labs.root, options.runs).items():
                states = Counter(state for state, _ in all_of_it)
                state, times = states.most_common(1)[0]
                values = [value for _, value in all_of_it if not math.isnan(value)]
                middle = f"{statistics.median(values):.4g}" if values else "-"
                span = f"{min(values):.4g} to {max(values):.4g}" if values else ""
                line = f"{lab.id}: {id}: {state} {times}/{len(all_of_it)}, {middle} ({span})"
                print(line, flush=True)
                total += 1
                if times < AGREE * len(all_of_it):
                    seldom.append(line)
            print(f"{lab.id}: {time.monotonic() - began:.0f} s", flush=True)
    finally:
        busy.kill()
    print(f"{total} timing claims, {len(seldom)} agree too seldom")
    for line in seldom:
        print(f"  {line}")
    return 1 if seldom else 0


if __name__ == "__main__":
    raise SystemExit(main())
