"""A project in which every kind of link leads to what the tests rename."""

from __future__ import annotations

from pathlib import Path

from perfnotes.fixes.move.apply import apply, new_files
from perfnotes.fixes.move.changes import Changes
from perfnotes.fixes.move.project import read_project
from perfnotes.fixes.move.rename import planned
from tests.example_notes import write_notes

QUERIES = "- {id: q1, query: rows, expected: [caches/rows, terms/warp, tags/cache]}\n" + (
    '- id: q2\n  query: "caches/rows"\n  expected:\n    - caches/steps  # a folder\n'
    "    - 'references/drepper2007memory'\n"
)
LINKS = """\
All ways: [[rows]], [[ caches/rows | rows first ]], [a](rows.md), [b](./rows.md?x=1#),
[c](<rows.md>), <a href="rows.md">d</a>, [e][r], ![f](pics/a%20b.svg), [[caches/steps]],
[16×](lab:caches/steps#misses), [16×](lab:steps#misses.low), [g](steps/), [h](../gpu/warps.md).

Not ways: `[[rows]]`, rows.md, \\[\\[rows]], me@drepper2007memory.org, caches/rows.

[r]: rows.md "caches/rows"

```text
[[rows]] [a](rows.md) [@drepper2007memory] lab:caches/steps#misses
```

```console lab=caches/steps#count
```

As [@drepper2007memory, sec. 3; see @drepper2007memory] and @drepper2007memory says; -@x.
"""
OVERLAY = {
    "caches/links.md": f"---\nrequires:\n  - caches/lines\n  - caches/rows  # first\n---\n{LINKS}",
    "caches/links.zh.md": LINKS,
    "caches/pics/a b.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
    "gpu/draft.md": "---\ndraft: true\nrequires: [caches/rows]\n---\n"
    "[[rows]], [x](../caches/rows.md)\n",
    "references/drepper2007memory.md": "Read [[rows]] with it.\n",
    "../docs/about.md": "See [rows](../notes/caches/rows.md) and [[caches/steps]], [[warp]].\n",
    "latency.yml": (
        "groups:\n  g: {en: G}\n"
        "rows:\n  - {label: {en: L}, address: lab:caches/steps#misses, group: g}\n"
    ),
}


def make(folder: Path) -> Path:
    """The example with every kind of link in it, in a folder that commands take for a project."""
    write_notes(folder, OVERLAY)
    (folder / "mkdocs.yml").write_text("site_name: Example\n")
    (folder / "tests/search").mkdir(parents=True)
    (folder / "tests/search/queries.yml").write_text(QUERIES)
    return folder


def move(project: Path, old: str, new: str) -> Changes:
    changes = planned(read_project(project), old, new)
    apply(project, changes, new_files(project, changes))
    return changes


def text(project: Path, name: str) -> str:
    return (project / name).read_text("utf-8")


def changed_lines(before: str, after: str) -> list[str]:
    return [b for a, b in zip(before.splitlines(), after.splitlines(), strict=True) if a != b]
