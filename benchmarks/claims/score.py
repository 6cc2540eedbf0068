"""Scores ``perfnotes claims`` on sentences labelled by hand: recall and precision by half.

    .venv/bin/python -m benchmarks.claims.score [--show]

With ``--show`` it prints the sentences of the half ``tuning`` that the rule gets wrong.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from perfnotes.text.assertions import states_fact
from perfnotes.text.sentences import Sentence

LABELS = Path(__file__).parent / "labels.tsv"


def labelled() -> list[tuple[str, str, bool, Sentence]]:
    """Return the half, the language, the label and the sentence of each line."""
    with LABELS.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        (row["half"], row["lang"], row["fact"] == "yes", _sentence(row["kind"], row["sentence"]))
        for row in rows
    ]


def _sentence(kind: str, markdown: str) -> Sentence:
    return Sentence(0, 0, kind, markdown)


def score(rows: list[tuple[bool, Sentence]]) -> tuple[float, float]:
    """Return recall and precision of the rule on pairs of a label and a sentence."""
    found = [(label, states_fact(sentence)) for label, sentence in rows]
    right = sum(label and said for label, said in found)
    return right / sum(label for label, _ in found), right / sum(said for _, said in found)


def main() -> None:
    """Print one line for all, each half and each language."""
    rows = labelled()
    for name in ("all", "tuning", "held", "fresh", "en", "zh"):
        chosen = [(fact, s) for half, lang, fact, s in rows if name in ("all", half, lang)]
        recall, precision = score(chosen)
        print(f"{name:7} {len(chosen):4} sentences, {sum(f for f, _ in chosen):4} state a fact: "
              f"recall {recall:.3f}, precision {precision:.3f}")  # fmt: skip
    if "--show" in sys.argv:
        for half, _, fact, sentence in rows:
            if half == "tuning" and states_fact(sentence) != fact:
                print("missed" if fact else "too much", sentence.kind, sentence.markdown, sep="\t")


if __name__ == "__main__":
    main()
