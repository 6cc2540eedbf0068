"""PN221: a day in a note's front matter that has not been, or that is before the note's own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import chain

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.model.library import Library
from perfnotes.model.note import Note
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN221",
    severity=Severity.WARNING,
    title="A day in the future, or an update before the note",
    why=(
        "Readers see the days of a note beside its title and in the list of the latest notes, "
        "where a note of next year would stay at the top for a year. The day may be tomorrow, "
        "because it is tomorrow somewhere. `updated` is the day of a later change, so it cannot be "
        "before `date`."
    ),
    wrong={"caches/rows.md": "---\ndate: 2926-01-31\n---\n"},
    right={"caches/rows.md": "---\ndate: 2026-01-31\n---\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """Days after the one on which the notes were read, and updates before the note's day."""
    library = site.library
    notes = [*library.notes.values(), *library.drafts.values()]
    tomorrow = (date.fromisoformat(library.read_on) + timedelta(days=1)).isoformat()
    days = ((note, key, getattr(note.meta, key)) for note in notes for key in ("date", "updated"))
    later = [each for each in days if each[2] > tomorrow]
    latest_record = _latest_record(library) if later else ""
    for note, key, day in later:
        if day > latest_record:
            message = f"the day {day} is in the future"
            yield _finding(note, key, message, "write the day on which the text was written")
    for note in notes:
        meta = note.meta
        if meta.updated and meta.updated < meta.date:
            message = f"the update of {meta.updated} is before the note, of {meta.date}"
            yield _finding(note, "updated", message, "correct one of the two days")


def _finding(note: Note, key: str, message: str, hint: str) -> Finding:
    return note.body.source.finding(note.meta.place(key), RULE.code, message, hint)


def _latest_record(library: Library) -> str:
    """Return the last day on which a lab was recorded or a text reviewed.

    Programs wrote these days, so if they are after today, it is this machine's clock that is wrong.
    """
    recorded = (r.date for machines in library.results.values() for r in machines.values())
    read = (reading.date for review in library.reviews.values() for reading in review.readings)
    return max(chain(recorded, read), default="")
