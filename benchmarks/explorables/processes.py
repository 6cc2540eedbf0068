"""Compares processes and variables with bash: ``python -m benchmarks.explorables.processes``."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.explorables.process_lines import bash_processes, lines, shown_processes

from perfnotes.explorables.subshells import EXPLORABLE


def main() -> int:
    """Print how many lines were answered and compared, and those where bash does something else."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    given = [(line, EXPLORABLE.answer(line)) for line in lines(options.lines, options.seed)]
    print("answers:", dict(Counter(found.said for _, found in given).most_common()))
    answered = [(line, found) for line, found in given if found.rows]
    with TemporaryDirectory() as folder:
        made = bash_processes([line for line, _ in answered], Path(folder) / "lines")
    wrong = 0
    for (line, found), processes in zip(answered, made, strict=True):
        if shown_processes(found) != processes:
            wrong += 1
            print(f"{line}\n  bash: {processes}\n  ours: {shown_processes(found)}")
    print(f"{len(answered)} lines compared, {wrong} differ")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
