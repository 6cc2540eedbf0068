"""Fits the weights by which an answer says that there is no note: CONFIDENCE in constants.json.

Logistic regression on judged queries: the seen halves of those about our own notes, about topics
and from the field, and tests/search/judged.yml. The base is then lowered or raised until the given
share of the queries about our own notes and from the field whose first result is right is told
wrongly that there is no note.

``notes/wanted.yml`` can never name everything that the notes leave to others, and it names much of
what the seen half asks for. So each query counts twice: once with all names of such subjects, and
once with a random half of them. Prints the weights, and for both what they recognise.

    python -m benchmarks.search.confidence [--wrongly 0.015]
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.search.own_queries import path_of
from msgspec.structs import replace

from perfnotes.build.configuration import configuration
from perfnotes.build.session import Session
from perfnotes.search.constants import CONFIDENCE
from perfnotes.search.evaluate import read_judged
from perfnotes.search.query import Engine
from perfnotes.search.shards import Shards
from perfnotes.site.searchable.documents import documents
from perfnotes.source.project import notes_folder

HERE = Path(__file__).parent
FILES = (
    path_of("seen"),
    *(HERE / f"{name}_queries_seen.yml" for name in ("field", "bash", "gpu", "pytorch")),
    HERE.parents[1] / "tests" / "search" / "judged.yml",
)
RIDGE = 0.0005  # keeps weights of evidence that hardly any query has small
STEPS = 40


class Row(NamedTuple):
    """What speaks for an answer to a query, whether a note has one, and whether the first has."""

    file: Path
    evidence: dict[str, float]
    is_answered: bool
    is_first_right: bool


def engine_of_our_notes(share_of_names: float) -> Engine:
    """An engine over our own notes, with a share of the names of subjects that no note is about."""
    site = Session(notes_folder(None), quiet=True).read(configuration())
    chance = random.Random(1)
    outside = tuple(
        replace(each, also=tuple(name for name in each.also if chance.random() < share_of_names))
        for each in site.library.wanted.outside
    )
    site.library.wanted = replace(site.library.wanted, outside=outside)
    return Engine(dict(Shards().files(documents(site))).get)


def rows(engine: Engine) -> list[Row]:
    """The evidence of each query that has some. One that names a page has none."""
    found = []
    for file in FILES:
        for query in read_judged(file):
            answer = engine.search(query.query, query.lang)
            if answer.evidence:
                is_right = answer.results[0].id in query.pages
                found.append(Row(file, answer.evidence, bool(query.pages), is_right))
    return found


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
    names = list(found[0].evidence)
    weights = [0.0] * len(names)
    for _ in range(STEPS):
        gradient = [RIDGE * w * (name != "base") for name, w in zip(names, weights, strict=True)]
        bend = [[RIDGE * (i == k) for k in range(len(names))] for i in range(len(names))]
        for _, evidence, is_answered, _ in found:
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
    parser.add_argument("--wrongly", type=float, default=0.015)
    options = parser.parse_args()
    whole, half = (rows(engine_of_our_notes(share)) for share in (1.0, 0.5))
    weights = {name: round(weight, 1) for name, weight in fitted([*whole, *half]).items()}

    def sure(evidence: dict[str, float]) -> float:
        return sum(weights[name] * value for name, value in evidence.items())

    right = sorted(sure(r.evidence) for r in whole if r.is_first_right and r.file in FILES[:2])
    least = math.floor(right[int(options.wrongly * len(right))] * 10) / 10
    weights["base"] = round(weights["base"] - least, 1)
    print(json.dumps({**weights, "most": CONFIDENCE["most"]}))
    for name, found in (("all", whole), ("half", half)):
        for file in FILES[:2]:
            told = [(sure(r.evidence) < 0, r) for r in found if r.file == file]
            without = [is_told for is_told, r in told if not r.is_answered]
            first = [is_told for is_told, r in told if r.is_first_right]
            print(
                f"{file.stem}, with {name} of the names: that there is no note is told to "
                f"{sum(without)} of {len(without)} without an answer that find something, and to "
                f"{sum(first)} of {len(first)} whose first result is right"
            )


if __name__ == "__main__":
    main()
