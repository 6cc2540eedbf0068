"""PN207: a note that requires a note which does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.model.library import Library
from perfnotes.model.note import NOTE_ID
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.nearest import nearest

RULE = Rule(
    code="PN207",
    severity=Severity.ERROR,
    title="A note requires a note that does not exist",
    why=(
        "`requires` lists what to read first, as ids such as `caches/lines`: the folder and the "
        "file name without `.md`. No note has this id, so the reader would get no link to follow."
    ),
    wrong={"caches/rows.md": "---\nrequires: [caches/line]\n---\n"},
    right={"caches/rows.md": "---\nrequires: [caches/lines]\n---\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """Entries of ``requires`` that name no published note; a draft may require a draft."""
    library = site.library
    for note in [*library.notes.values(), *library.drafts.values()]:
        for i, wanted in enumerate(note.meta.requires):
            problem = _problem(library, wanted, note.id)
            if problem:
                offset = note.meta.place("requires", i)
                yield note.body.source.finding(offset, RULE.code, *problem)


def _problem(library: Library, wanted: str, id: str) -> tuple[str, str] | None:
    if wanted in library.notes or (wanted in library.drafts and id in library.drafts):
        return None
    if wanted in library.drafts:
        return f"{wanted!r} is a draft, which the site leaves out", "publish it first"
    ids = [known for known in library.notes if known != id]
    same_slug = [known for known in ids if known.rpartition("/")[2] == wanted]
    guess = same_slug[0] if len(same_slug) == 1 else nearest(wanted, ids, 0.7)
    form = "write the note's id: folder/file, without .md"
    otherwise = "check the spelling, or write that note" if NOTE_ID.fullmatch(wanted) else form
    hint = f"did you mean {guess!r}?" if guess else otherwise
    return f"no note has the id {wanted!r}", hint
