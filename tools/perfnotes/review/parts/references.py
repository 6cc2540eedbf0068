"""References: which were added, changed or removed, and which notes cite them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from perfnotes.graph.site import Site
from perfnotes.model.reference import Reference
from perfnotes.review.entry import Line, ReportEntry, ReportPart, line, listed
from perfnotes.review.pair import Pair

PLACE = 50
_PATH = "notes/references.bib"


def compare(pair: Pair) -> ReportPart:
    old, new = pair.old.library.references, pair.new.library.references
    found = []
    for key in sorted(new.keys() - old.keys()):
        title, cited = line("title: {}", new[key].title), _cited(pair.new, key)
        found.append(ReportEntry("added", line("{}", key), (title, cited), _PATH))
    for key in sorted(old.keys() & new.keys()):
        if names := _differing(old[key], new[key]):
            what = line("changed: {}", listed(names))
            found.append(
                ReportEntry("changed", line("{}", key), (what, _cited(pair.new, key)), _PATH)
            )
    for key in sorted(old.keys() - new.keys()):
        found.append(ReportEntry("removed", line("{}", key), (_cited(pair.old, key),), _PATH))
    return ReportPart("references", "References", (*found, *_citations(pair)))


def _differing(old: Reference, new: Reference) -> list[str]:
    """Return the names of the fields that differ; a change of layout alone does not count."""
    same = replace(old, offset=new.offset, bibtex=new.bibtex)
    if same == new:
        return []
    names = [n for n in old.__struct_fields__ if getattr(same, n) != getattr(new, n)]
    if "fields" in names:
        names.remove("fields")
        was, now = dict(old.fields), dict(new.fields)
        names += sorted(n for n in was.keys() | now.keys() if was.get(n) != now.get(n))
    return names


def _cited(site: Site, key: str) -> Line:
    notes = {edge.source for edge in site.graph.cited_by.get(key, [])}
    return line("cited by {}", listed(notes)) if notes else line("no note cites it")


def _citations(pair: Pair) -> Iterator[ReportEntry]:
    """Yield the notes that cite other references than before."""
    before = {pair.id_now(id): set(keys) for id, keys in pair.old.graph.cites.items()}
    after = {id: set(keys) for id, keys in pair.new.graph.cites.items()}
    for id in sorted(before.keys() | after.keys()):
        was, now = before.get(id, set()), after.get(id, set())
        if was == now or id not in pair.new.library.notes:
            continue
        details = [line("cites now: {}", listed(now - was))] if now - was else []
        details += [line("cites no more: {}", listed(was - now))] if was - now else []
        yield ReportEntry("citing page", line("{}", id), tuple(details))
