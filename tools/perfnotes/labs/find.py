"""Finding labs: all labs of a notes folder, or the lab of a note given by its id or slug."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from perfnotes.labs.problems import problems
from perfnotes.model.lab import Lab
from perfnotes.model.result import Result
from perfnotes.source.note_name import nearest_note, notes_named, several_notes
from perfnotes.source.read.labs import read_lab
from perfnotes.source.read.results import read_results
from perfnotes.source.read.walk import walk
from perfnotes.text.findings import Finding

_LAB = "/lab/lab.yml"


class NoSuchLabError(Exception):
    """No lab, or more than one, has this name; the text says which may be meant."""


class Labs(Struct, frozen=True):
    """The labs below the notes folder ``root``, which messages call ``shown``.

    All mappings are by lab id; ``results`` has a lab's results by machine. ``broken`` has the
    findings about labs that cannot be used, ``findings`` those about results of the other labs.
    """

    root: Path
    shown: str
    labs: Mapping[str, Lab]
    results: Mapping[str, Mapping[str, Result]]
    broken: Mapping[str, list[Finding]] = field(default_factory=dict)
    findings: Mapping[str, list[Finding]] = field(default_factory=dict)

    @property
    def ids(self) -> list[str]:
        """The ids of all labs, including broken ones, sorted."""
        return sorted({*self.labs, *self.broken})

    def find_id(self, name: str) -> str:
        """The id of the lab that a user names by id, slug or path.

        ``NoSuchLabError`` if no lab has this name, or several have this slug.
        """
        found = notes_named(name, self.ids, self.root)
        if len(found) == 1:
            return found[0]
        if found:
            raise NoSuchLabError(several_notes(name, found))
        guess = nearest_note(name, self.ids, self.root)
        more = f"did you mean {guess}?" if guess else "`perfnotes lab list` prints them"
        raise NoSuchLabError(f"no note {name!r} has a lab: {more}")

    def file(self, id: str, machine: str) -> Path:
        """The path of a machine's result, whether or not the file exists."""
        return self.root / id / "lab" / "results" / f"{machine}.json"

    def shown_file(self, id: str, machine: str) -> str:
        """The same path as messages show it."""
        prefix = f"{self.shown}/" if self.shown else ""
        return f"{prefix}{id}/lab/results/{machine}.json"


def find_labs(root: Path, shown: str) -> Labs:
    """Read every lab below ``root``; findings show the folder as ``shown``."""
    found = walk(root, shown)
    files = sorted((*found.markdown, *found.others))
    labs: dict[str, Lab] = {}
    results: dict[str, dict[str, Result]] = {}
    broken: dict[str, list[Finding]] = {}
    of_results: dict[str, list[Finding]] = {}
    for file in files:
        if not file.endswith(_LAB):
            continue
        folder = file.removesuffix("/lab.yml")
        id = folder.removesuffix("/lab")
        own = [f for f in files if f.startswith(f"{folder}/")]
        lab, findings = read_lab(root, shown, folder, own)
        if lab:
            findings = [*findings, *problems(lab)]
        if lab is None or findings:
            broken[id] = findings
            continue
        labs[id] = lab
        results[id], of_results[id] = read_results(root, shown, folder, own)
    return Labs(root, shown, labs, results, broken, of_results)
