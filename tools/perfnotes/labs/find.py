"""Finding labs: all of a notes folder, or the one that a note's id or slug names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from perfnotes.labs.problems import problems
from perfnotes.model.lab import Lab
from perfnotes.model.result import Result
from perfnotes.source.read.labs import read_lab, read_results
from perfnotes.source.read.walk import walk
from perfnotes.text.findings import Finding
from perfnotes.text.nearest import nearest

_LAB = "/lab/lab.yml"


class NoSuchLabError(Exception):
    """No lab has that name; the text says which one may be meant."""


@dataclass(frozen=True)
class Labs:
    """The labs below a notes folder; ``broken`` are the findings of those that cannot be read."""

    root: Path
    shown: str
    labs: Mapping[str, Lab]
    results: Mapping[str, Mapping[str, Result]]
    broken: Mapping[str, list[Finding]] = field(default_factory=dict)
    findings: Mapping[str, list[Finding]] = field(default_factory=dict)  # of results

    @property
    def ids(self) -> list[str]:
        """Of all labs, broken ones too."""
        return sorted({*self.labs, *self.broken})

    def named(self, name: str) -> str:
        """The id that a whole id or a unique slug names."""
        wanted = name.removeprefix("notes/").removesuffix("/")
        wanted = wanted.removesuffix("/lab.yml").removesuffix("/lab").removesuffix("/index.md")
        if wanted in self.ids:
            return wanted
        slugs: dict[str, list[str]] = {}
        for id in self.ids:
            slugs.setdefault(id.rpartition("/")[2], []).append(id)
        same = slugs.get(wanted, [])
        if len(same) == 1:
            return same[0]
        if same:
            raise NoSuchLabError(f"{name!r} may be {' or '.join(same)}: write the whole id")
        guess = nearest(wanted, [*self.ids, *slugs], 0.6)
        more = f"did you mean {guess}?" if guess else "`perfnotes lab list` prints them"
        raise NoSuchLabError(f"no note {name!r} has a lab: {more}")

    def file(self, id: str, machine: str) -> Path:
        """Where the result of a machine lies."""
        return self.root / id / "lab" / "results" / f"{machine}.json"

    def shown_file(self, id: str, machine: str) -> str:
        """The same, as messages name it."""
        prefix = f"{self.shown}/" if self.shown else ""
        return f"{prefix}{id}/lab/results/{machine}.json"


def find_labs(root: Path, shown: str) -> Labs:
    """Every lab below ``root``, which findings call ``shown``."""
    found = walk(root, shown)
    files = sorted((*found.markdown, *found.others))
    labs: dict[str, Lab] = {}
    results: dict[str, dict[str, Result]] = {}
    broken: dict[str, list[Finding]] = {}
    more: dict[str, list[Finding]] = {}
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
        results[id], more[id] = read_results(root, shown, folder, own)
    return Labs(root, shown, labs, results, broken, more)
