"""PN208: notes that require each other in a circle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN208",
    severity=Severity.ERROR,
    title="Notes that require each other",
    why=(
        "`requires` says what to read first, so a reader who follows it must arrive at a note that "
        "requires nothing. In a circle there is no first note. Drop the requirement that matters "
        "least; a link in the text points to the other note without asking for an order."
    ),
    wrong={
        "caches/lines.md": "---\nrequires: [caches/rows]\n---\n",
        "caches/rows.md": "---\nrequires: [caches/lines]\n---\n",
    },
    right={
        "caches/lines.md": "---\nrequires: []\n---\n",
        "caches/rows.md": "---\nrequires: [caches/lines]\n---\n",
    },
)


def find(site: Site) -> Iterator[Finding]:
    """One finding at every note of each circle."""
    notes = {**site.library.notes, **site.library.drafts}
    for circle in _circles({id: note.meta.requires for id, note in notes.items()}):
        for i, id in enumerate(circle):
            yield _finding(notes[id], circle, circle[(i + 1) % len(circle)])


def _finding(note: Note, circle: list[str], following: str) -> Finding:
    offset = note.meta.place("requires", note.meta.requires.index(following))
    way = " → ".join([*circle, circle[0]])
    hint = "remove one of these requirements"
    message = f"these notes require each other: {way}"
    if len(circle) == 1:
        message, hint = f"{note.id!r} requires itself", "remove it"
    return note.body.source.finding(offset, RULE.code, message, hint)


def _circles(requires: Mapping[str, tuple[str, ...]]) -> Iterator[list[str]]:
    """Yield circles of requirements, as ids; each starts with its smallest id.

    The search is depth first, without recursion. A requirement that is already on the current path
    closes a circle.
    """
    done: set[str] = set()  # notes whose requirements have all been searched
    for start in sorted(requires):
        path: list[str] = []
        unvisited = [[start]]  # for each step of the path, the requirements left to follow
        while unvisited:
            if not unvisited[-1]:
                unvisited.pop()
                if path:
                    done.add(path.pop())
                continue
            id = unvisited[-1].pop()
            if id in path:
                circle = path[path.index(id) :]
                least = circle.index(min(circle))
                yield circle[least:] + circle[:least]
            elif id not in done:
                path.append(id)
                unvisited.append([r for r in reversed(requires[id]) if r in requires])
