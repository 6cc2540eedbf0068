"""Fits the weights by which an answer says that there is no note: CONFIDENCE in constants.json.

Logistic regression on judged queries: the seen half of those about our own notes, and the answered
ones of tests/search/judged.yml. The base is then lowered or raised until the given share of the
answered queries of the seen half is told wrongly that there is no note. Prints the weights.

    python -m benchmarks.search.confidence [--wrongly 0.012]
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path

from benchmarks.search.own_queries import path_of

from perfnotes.build.configuration import configuration
from perfnotes.build.session import Session
from perfnotes.search.constants import CONFIDENCE
from perfnotes.search.evaluate import read_judged
from perfnotes.search.query import Engine
from perfnotes.search.shards import Shards
from perfnotes.site.searchable.documents import documents
from perfnotes.source.project import notes_folder

JUDGED = Path(__file__).parents[2] / "tests" / "search" / "judged.yml"
RIDGE = 0.0005  # keeps weights of evidence that hardly any query has small
STEPS = 40
Row = tuple[dict[str, float], bool, bool]
"""What speaks for an answer, whether there is one, and whether the query is of the seen half."""


def rows(engine: Engine) -> list[Row]:
    """The evidence of each query that has some. One that names a page has none."""
    return [
        (evidence, bool(query.pages), is_seen)
        for file, is_seen in ((path_of("seen"), True), (JUDGED, False))
        for query in read_judged(file)
        if (evidence := engine.search(query.query, query.lang).evidence)
    ]


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a system of linear equations by elimination."""
    system = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    many = len(system)
    for i in range(many):
        pivot = max(range(i, many), key=lambda k: abs(system[k][i]))
        system[i], system[pivot] = system[pivot], system[i]
        for k in range(many):
            if k != i:
                factor = system[k][i] / system[i][i]
                system[k] = [a - factor * b for a, b in zip(system[k], system[i], strict=True)]
    return [row[-1] / row[i] for i, row in enumerate(system)]


def fitted(found: Sequence[Row]) -> dict[str, float]:
    """The weights that make what happened most likely, by Newton's method."""
    names = list(found[0][0])
    weights = [0.0] * len(names)
    for _ in range(STEPS):
        gradient = [RIDGE * w * (name != "base") for name, w in zip(names, weights, strict=True)]
        bend = [[RIDGE * (i == k) for k in range(len(names))] for i in range(len(names))]
        for evidence, is_answered, _ in found:
            values = [evidence[name] for name in names]
            sure = sum(w * v for w, v in zip(weights, values, strict=True))
            chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, sure))))
            for i, a in enumerate(values):
                gradient[i] += (chance - is_answered) * a / len(found)
                for k, b in enumerate(values):
                    bend[i][k] += chance * (1 - chance) * a * b / len(found)
        step = solved(bend, gradient)
        weights = [w - s for w, s in zip(weights, step, strict=True)]
    return dict(zip(names, weights, strict=True))


def main() -> None:
    """Print the weights, and how many queries without an answer they recognise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrongly", type=float, default=0.012)
    options = parser.parse_args()
    site = Session(notes_folder(None), quiet=True).read(configuration())
    found = rows(Engine(dict(Shards().files(documents(site))).get))
    weights = {name: round(weight, 1) for name, weight in fitted(found).items()}
    sure = [
        (sum(weights[name] * value for name, value in evidence.items()), is_answered)
        for evidence, is_answered, is_seen in found
        if is_seen
    ]
    answered = sorted(value for value, is_answered in sure if is_answered)
    least = answered[int(options.wrongly * len(answered))]
    weights["base"] = round(weights["base"] - math.floor(least * 10) / 10, 1)
    others = [value for value, is_answered in sure if not is_answered]
    said = sum(value < math.floor(least * 10) / 10 for value in others) / len(others)
    print(json.dumps({**weights, "most": CONFIDENCE["most"]}))
    print(f"of {len(others)} queries without an answer that find something {said:.3f} are told so")


if __name__ == "__main__":
    main()
