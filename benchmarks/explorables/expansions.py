"""Compares the steps of expansion with bash: ``python -m benchmarks.explorables.expansions``."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.explorables.expansion_lines import (
    bash_words,
    folder_with_files,
    lines,
    shown_words,
)

from perfnotes.explorables.expansion_steps import EXPLORABLE

ANSWERED = ("words", "late", "nothing-left")


def main() -> int:
    """Print how many lines were answered and compared, and those where bash makes other words."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    given = [(line, EXPLORABLE.answer(line)) for line in lines(options.lines, options.seed)]
    print("answers:", dict(Counter(found.said for _, found in given).most_common()))
    answered = [(line, found) for line, found in given if found.said in ANSWERED]
    texts = [line for line, _ in answered]
    with TemporaryDirectory() as folder:
        files = folder_with_files(Path(folder) / "files")
        finals = bash_words(texts, files)
        # With set -f the words are those after splitting; within $(echo …) patterns would stay too.
        before = bash_words(texts, files, patterns=False)
    wrong = 0
    for (line, found), final, split in zip(answered, finals, before, strict=True):
        ours = shown_words(found, "quotes")[1:], shown_words(found, "splitting")[1:]
        if ours[0] != final or ("$(" not in line and ours[1] != split):
            wrong += 1
            print(f"{line}\n  bash: {final}\n  ours: {ours[0]}")
    print(f"{len(answered)} lines compared, {wrong} differ")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
