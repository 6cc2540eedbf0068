"""``perfnotes lab list``: prints the labs, what each lacks on this machine, and their results."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from perfnotes.model.lab import Lab, Needs


def list_labs(options: argparse.Namespace) -> int:
    from perfnotes.cli.commands._labs import labs_of
    from perfnotes.labs.needs import missing
    from perfnotes.labs.report import table
    from perfnotes.model.verdict import is_stale

    labs = labs_of(options)
    if options.packages:
        needs = [n for lab in labs.labs.values() for n in (lab.needs, *_needs_of_runs(lab))]
        print(*sorted({package for each in needs for package in each.debian}))
        return 0
    entries: list[dict[str, Any]] = []
    for id in labs.ids:
        if id in labs.broken:
            why = [str(finding) for finding in labs.broken[id]]
            entries.append({"lab": id, "title": "", "broken": why, "needs": "", "results": {}})
            continue
        lab = labs.labs[id]
        results = {
            machine: {"date": r.date, "stale": is_stale(lab, r), "unfit": list(r.unfit)}
            for machine, r in labs.results[id].items()
        }
        entries.append({
            "lab": id, "title": lab.title.en, "seconds": lab.duration, "reference": lab.reference,
            "needs": missing(lab.needs), "results": results,
        })  # fmt: skip
    if options.json:
        print(json.dumps(entries, ensure_ascii=False, indent=1))
        return 0
    rows = []
    for entry in entries:
        state = "cannot be read" if "broken" in entry else entry["needs"] or "can run here"
        found = entry["results"]
        shown = [f"{m}{' (stale)' if r['stale'] else ''}" for m, r in found.items()]
        time = f"{entry['seconds']:g} s" if "seconds" in entry else ""
        rows.append([str(entry["lab"]), time, str(state), ", ".join(shown) or "no result"])
    sys.stdout.write(table(rows, indent=""))
    return 0


def _needs_of_runs(lab: Lab) -> Iterator[Needs]:
    """Yield what each run of the lab needs, and what its instrument needs."""
    from perfnotes.labs.instruments import instruments

    for run in lab.runs.values():
        yield run.needs
        if run.tool in instruments():
            yield instruments()[run.tool].needs(run)
