"""Reading the summary that llvm-mca prints."""

from __future__ import annotations

import re

from msgspec import Struct

from perfnotes.labs.box import LabError
from perfnotes.labs.instruments._call import quoted

_REGION = re.compile(r"^\[\d+\] Code Region(?: - (.*))?$")
_LINE = re.compile(
    r"^(Iterations|Instructions|Total Cycles|Total uOps|Block RThroughput): +([\d.]+)$"
)


class Summary(Struct, frozen=True):
    """The summary of one region: counts over all iterations.

    ``block_rthroughput`` is in cycles per iteration.
    """

    iterations: int
    instructions: int
    cycles: int
    uops: int
    block_rthroughput: float


def read(text: str) -> dict[str, Summary]:
    """The regions of a report by name; code without marks is one region with the name "".

    ``LabError`` if the summary of a region is incomplete.
    """
    lines: dict[str, dict[str, str]] = {}
    current: dict[str, str] | None = None
    for line in text.splitlines():
        if region := _REGION.match(line.rstrip()):
            current = lines.setdefault(region[1] or "", {})
        elif found := _LINE.match(line.rstrip()):
            if current is None:
                current = lines.setdefault("", {})
            current[found[1]] = found[2]
    try:
        return {
            name: Summary(
                int(each["Iterations"]),
                int(each["Instructions"]),
                int(each["Total Cycles"]),
                int(each["Total uOps"]),
                float(each["Block RThroughput"]),
            )
            for name, each in lines.items()
        }
    except (KeyError, ValueError) as error:
        raise LabError(f"llvm-mca printed a summary of unknown form: {quoted(text)}") from error


def choose(text: str, region: str = "") -> Summary:
    """The named region, or the only one if no name is given; ``LabError`` if that is unclear."""
    regions = read(text)
    if not regions:
        raise LabError(f"llvm-mca printed no summary: {quoted(text)}")
    names = ", ".join(sorted(filter(None, regions))) or "none has a name"
    if region:
        if region not in regions:
            raise LabError(f"llvm-mca saw no region {region!r} (there: {names})")
        return regions[region]
    if len(regions) > 1:
        raise LabError(f"there are {len(regions)} regions ({names}): say which with `region`")
    return next(iter(regions.values()))
