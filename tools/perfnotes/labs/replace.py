"""What changes if the result whose numbers the notes show is replaced by a new one."""

from __future__ import annotations

from perfnotes.graph.graph import Graph, link
from perfnotes.labs.find import Labs
from perfnotes.labs.report import amount, table
from perfnotes.model.lab import Lab
from perfnotes.model.result import Result
from perfnotes.model.verdict import judge_all
from perfnotes.source.read.folder import read_library


def changed_values(lab: Lab, old: Result | None, new: Result) -> list[list[str]]:
    """A row for each claim and value that changes: id, old value, new value, new verdict."""
    old_verdicts = judge_all(lab, old) if old else {}
    rows = []
    for id, after in judge_all(lab, new).items():
        before = old_verdicts.get(id)
        unit = after.value.unit
        if before and before.spread == after.spread and before.state == after.state:
            continue
        then = amount(before.spread, unit) if before else "-"
        state = after.state + (f": {after.why}" if after.why else "")
        rows.append([id, then, amount(after.spread, unit), state])
    return rows


def newly_wrong_numbers(labs: Labs, lab: Lab, new: Result, machine: str) -> list[str]:
    """A line for each number in the notes that ``new`` makes wrong, as the result of ``machine``.

    Numbers that are wrong with the present result too are left out.
    """
    library = read_library(labs.root, labs.shown)
    if lab.id not in library.labs:
        return []
    before = _wrong(link(library), lab, machine)
    library.results.setdefault(lab.id, {})[machine] = new
    return [text for text in _wrong(link(library), lab, machine) if text not in before]


def _wrong(graph: Graph, lab: Lab, machine: str) -> list[str]:
    """A line for each number that differs from the lab's result of ``machine``."""
    found = []
    for links in graph.links.values():
        for binding in links.bindings:
            at = binding.found
            if at.lab is None or at.lab.id != lab.id or at.machine != machine:
                continue
            if binding.problem is None:
                continue
            source = links.text.body.source
            line, column = source.position(binding.link.start)
            becomes = binding.mended or binding.problem[1]
            found.append(f"{source.path}:{line}:{column}: {binding.shown} → {becomes}")
    return found


def describe_replacement(
    labs: Labs, lab: Lab, old: Result | None, new: Result, machine: str
) -> str:
    """The changes of values and of numbers in the notes, as text for a terminal."""
    rows = changed_values(lab, old, new)
    text = table([["", "old", "new", ""], *rows]) if rows else "  no value changes\n"
    wrong = newly_wrong_numbers(labs, lab, new, machine)
    if wrong:
        text += "numbers that would be wrong in the notes (`perfnotes fix` mends them):\n"
        text += "".join(f"  {line}\n" for line in wrong)
    else:
        text += "no number in the notes would be wrong\n"
    return text
