"""A quick look at every shape: CPU seconds of the steps whose time depends on a note's text.

    python -m benchmarks.hostile.screen FILE [--part K/N] [--most N] [--size KIB]
    python -m benchmarks.hostile.screen FILE --table

A whole command spends a third of a second on the theme, on MkDocs' configuration and on pages of
tables, and :mod:`benchmarks.hostile.funnel` starts several for each shape. Here one fork reads,
checks, stages, indexes and publishes a note of ours and a foreign one, and compares ours with one
that lacks every third line. ``FILE`` gets a line of JSON for each shape, and the table, which takes
a pattern of such files, extrapolates. What may take too long is then to be measured by the funnel.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from benchmarks.hostile import shapes
from benchmarks.hostile._forms import Shape, every
from benchmarks.hostile.calibration import Calibration
from benchmarks.hostile.screen_steps import COMMANDS, Bench, measured, total

from perfnotes.text import limits
from perfnotes.text.inline import scan
from perfnotes.text.pairs import Pairs
from perfnotes.text.tokens import MarkdownDocument

LARGEST = 1000  # KiB
_LINEAR = 2.5  # seconds for 1,000 KiB
_BASE = 0.03  # seconds of an empty note
# Names of the shapes that come last, since most of them are one block or one that is refused.
_LESS_LIKELY = re.compile(r"= code of|\^(?:then|after|stairs|with code|in a box)|: paragraphs")

Row = dict[str, Any]


def look(bench: Bench, name: str, shape: Shape, size: int, calibration: Calibration) -> Row:
    """Return what a shape costs at a size, and at smaller ones as far as that tells more.

    That is a quarter of it if the shape is slow for its size, and the first that is converted.
    """
    costs = {size: measured(bench, shape(size * 1024), calibration)}
    slow = any(
        total(costs[size], command) > _LINEAR * (size / LARGEST) ** 1.6 + _BASE
        for command in COMMANDS
    )
    last = size
    while last // 4 and (slow or _is_refused(costs[last])):
        last //= 4
        costs[last] = measured(bench, shape(last * 1024), calibration)
        slow = False
    return {"name": name, "costs": [[kib, steps] for kib, steps in costs.items()]}


def _is_refused(steps: dict[str, Any]) -> bool:
    return bool(steps.get("refused"))


def largest(shape: Shape, kib: int) -> float:
    """Return about how many KiB of a shape are converted, by its load at a small size."""
    shares = [1e-6]  # how much of each limit is used

    def excess(document: MarkdownDocument, masked: str, pairs: Pairs) -> None:
        places = limits._places(document, masked)
        shares.extend(len(places[kind]) / most for kind, most in limits._MOST.items())
        loads = limits._loads(limits._counts(document, masked, places))
        shares.append(loads.total() / limits._ALLOWED)
        start = 0
        for end in pairs.breaks:
            if end - start > len(masked) // 2:  # it grows with the text, and so do its signs
                signs = len(limits._SIGN.findall(masked, start, end))
                shares.append(math.sqrt(signs * (end - start) / limits._DENSE))
            start = end

    def formulas(document: MarkdownDocument, pairs: Pairs) -> None:
        tex = [each.tex for each in document.maths]
        shares.append(sum(map(len, set(tex))) / limits._MOST_TEX)
        shares.append(sum(map(len, tex)) / limits._MOST_REPEATED_TEX)
        if len({pairs.paragraph_end(each.start) for each in document.maths}) == 1:
            shares.append(sum(map(len, tex)) / limits._MOST_TEX_OF_PARAGRAPH)

    with (
        mock.patch("perfnotes.text.inline.excess", excess),
        mock.patch("perfnotes.text.inline.too_many_formulas", formulas),
    ):
        scan(shape(kib * 1024))
    return kib / max(shares)


def expected(row: Row, shape: Shape, command: str, base: float) -> Iterator[tuple[float, str]]:
    """Yield seconds at 1,000 KiB, or of the largest text that is converted, and of its source."""
    limit = largest(shape, 8)
    points = [(kib, total(steps, command) - base) for kib, steps in row["costs"]]
    converted = [point for point in points if point[0] <= limit]
    if converted:
        cut = f"cut to {limit:.0f} KiB" if limit < LARGEST else ""
        yield _extrapolated(converted, min(limit, LARGEST)), cut
    if points[0] not in converted:
        yield _extrapolated(points[:1], LARGEST), "as source"


def _extrapolated(points: list[tuple[int, float]], size: float) -> float:
    """Return seconds at a size from those at one or two others; growth is at least linear."""
    (kib, seconds), growth = points[0], 1.0
    if len(points) > 1:
        (less, before), *_ = points[1:]
        growth = max(1.0, math.log(max(seconds, 0.01) / max(before, 0.01)) / math.log(kib / less))
    return float(max(seconds, 0.0) * (size / kib) ** growth)


def table(rows: list[Row], most: int) -> None:
    """Print the slowest for each command."""
    forms = dict(every()) | {"": _empty}
    [empty] = [row["costs"][0][1] for row in rows if not row["name"]][:1]
    for command in COMMANDS:
        base = total(empty, command)
        worst = [
            (seconds, row["name"], cut)
            for row in rows
            for seconds, cut in expected(row, forms[row["name"]], command, base)
        ]
        print(f"{command}: {len(rows)} shapes, empty {base:.3f} s")
        for seconds, name, cut in sorted(worst, reverse=True)[:most]:
            print(f"  {seconds:7.2f}  {name}  {cut}")
    for row in rows:
        for kib, steps in row["costs"]:
            if "end" in steps:
                why = steps.get("error", "")
                print(f"ended with {steps['end']}: {row['name']} {kib} KiB {why}")


def _empty(size: int) -> str:
    del size
    return "a\n"


def main() -> None:
    """Measure or print what the arguments ask for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--part", default="0/1", metavar="K/N")
    parser.add_argument("--most", type=int, default=10_000, metavar="N")
    parser.add_argument("--size", type=int, default=64, metavar="KIB")
    parser.add_argument("--only", default="", metavar="PATTERN")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if options.table:
        files = sorted(options.file.parent.glob(options.file.name))
        lines = (line for file in files for line in file.read_text("utf-8").splitlines())
        rows = {row["name"]: row for row in map(json.loads, lines)}
        table([*rows.values()], min(options.most, 40))
        return
    part, parts = map(int, options.part.split("/"))
    forms = dict(shapes.chosen(options.only))
    names = random.Random(1).sample(list(forms), len(forms))
    names.sort(key=lambda name: bool(_LESS_LIKELY.search(name)))
    names = names[part::parts][: options.most]
    known = options.file.read_text("utf-8") if options.file.exists() else ""
    done = {json.loads(line)["name"] for line in known.splitlines()}
    shapes.warm_up()
    bench = Bench.make()
    gc.collect()
    gc.freeze()
    calibration = Calibration(options.file.with_suffix(".least"))
    with options.file.open("a", encoding="utf-8") as out:
        for name in ("", *names):
            if name not in done:
                shape = forms[name] if name else _empty
                row = look(bench, name, shape, options.size, calibration)
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                out.flush()


if __name__ == "__main__":
    main()
