"""Plans what to add to the bibliography, and says which works it has and what cannot be added."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from perfnotes.contribute.cite import duplicates, key
from perfnotes.contribute.cite.duplicates import Duplicate
from perfnotes.contribute.cite.entry import entry, known_words
from perfnotes.contribute.cite.record import Record, Trouble
from perfnotes.model.reference import Reference
from perfnotes.source.bib import bibtex
from perfnotes.text.source import Source


class NewEntry(Struct, frozen=True):
    """A new entry: the record it was made from, the reference it is, and its BibTeX text."""

    record: Record
    reference: Reference
    text: str


class KnownWork(Struct, frozen=True):
    """A record of a work for which the bibliography has a reference, or may have one."""

    record: Record
    same: Duplicate

    @property
    def missing(self) -> list[tuple[str, str]]:
        """The fields, name and value, that the record has and the reference lacks.

        They are printed, so that a person can add them. Existing references are never changed.
        """
        known = self.same.reference
        ours = {"doi": known.doi, "eprint": known.arxiv, "url": known.url, "isbn": known.isbn}
        ours |= {n: known.field(n) for n, _ in self.record.fields if n not in ours}
        theirs = {"doi": self.record.doi, "eprint": self.record.arxiv, "url": self.record.url}
        theirs |= dict(self.record.fields)
        wanted = ("doi", "eprint", "url", "volume", "number", "pages", "isbn")
        return [(n, theirs[n]) for n in wanted if theirs.get(n) and not ours.get(n)]


class CitePlan(Struct):
    """What to do with each record; all three lists are in the order of the records."""

    added: list[NewEntry] = field(default_factory=list)
    present: list[KnownWork] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)


def plan(
    bibliography: Source,
    records: Iterable[Record],
    *,
    topic: str = "",
    given_key: str = "",
    distinct: bool = False,
) -> CitePlan:
    """Decide for each record whether it is new, present, or cannot be added.

    ``given_key`` replaces the key made from the record. With ``distinct``, a work is added although
    a known one has a similar title. Nothing is written.
    """
    references, _ = bibtex.read(bibliography)
    known = dict(references)
    capitals = known_words(bibliography)
    made = CitePlan()
    for record in records:
        same = duplicates.find(record, known.values())
        if same and (same.certain or not distinct):
            made.present.append(KnownWork(record, same))
            continue
        taken = {k.lower() for k in known}
        new = given_key or key.make(record, taken)
        if not new:
            message = "no key can be made of a name without Latin letters"
            hint = "add this work alone and give its key with --key, such as li2020cache"
            made.troubles.append(Trouble(record.place, f"{message}: {hint}"))
            continue
        if new.lower() in taken:
            made.troubles.append(Trouble(record.place, f"the key {new!r} is taken: give another"))
            continue
        text = entry(record, new, capitals, topic)
        reference = _read_back(record, text, made.troubles)
        if reference:
            made.added.append(NewEntry(record, reference, text))
            known[new] = reference
    return made


def appended(data: bytes, added: Iterable[NewEntry]) -> bytes:
    """Return the file's bytes with the new entries at the end and every earlier byte unchanged.

    The new lines end as most lines of the file do.
    """
    end = b"\r\n" if data.count(b"\r\n") > data.count(b"\n") // 2 else b"\n"
    new = "".join(f"\n{a.text}" for a in added).encode().replace(b"\n", end)
    if not data.strip(b"\xef\xbb\xbf \t\r\n"):
        return data + new[len(end) :]
    return data + (b"" if data.endswith(b"\n") else end) + new


def _read_back(record: Record, text: str, troubles: list[Trouble]) -> Reference | None:
    """Return the reference that our own reader makes of the new entry.

    If the reader has findings, returns None and adds them to ``troubles`` for a person to mend.
    """
    found, findings = bibtex.read(Source(record.place.path, text))
    for finding in findings:
        message = f"cannot be added: {finding.message}"
        troubles.append(Trouble(record.place, f"{message}; complete the record and add it then"))
    return None if findings else next(iter(found.values()))
