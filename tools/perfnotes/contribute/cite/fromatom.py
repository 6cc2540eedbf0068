"""Reads the Atom feed that arXiv answers, as Records."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from perfnotes.contribute.cite.record import Record, RecordPlace, Trouble, identify, one_line, year
from perfnotes.model.reference import Person
from perfnotes.source.bib.identifiers import arxiv_mention
from perfnotes.source.bib.names import read_names
from perfnotes.text.source import Source

NAMESPACE = "http://www.w3.org/2005/Atom"
_ATOM = f"{{{NAMESPACE}}}"
_ARXIV = "{http://arxiv.org/schemas/atom}"


def records(source: Source) -> tuple[list[Record], list[Trouble]]:
    """Return a record of every paper in the feed, and the troubles.

    To an unknown id arXiv answers with an entry about the error, which becomes a trouble.
    """
    place = RecordPlace(source.path)
    if "<!DOCTYPE" in source.text or "<!ENTITY" in source.text:
        # Entities of a declaration could expand to gigabytes.
        what = "the answer has a document type declaration, which arXiv's feeds do not have"
        return [], [Trouble(place, what)]
    try:
        feed = ET.fromstring(source.text)
    except (ET.ParseError, ValueError, RecursionError) as error:
        line, column = getattr(error, "position", (1, 0))
        return [], [Trouble(RecordPlace(source.path, line, column + 1), "this is no Atom feed")]
    found: list[Record] = []
    for entry in feed.iter(f"{_ATOM}entry"):
        if "/api/errors" in _text(entry, f"{_ATOM}id"):
            why = _text(entry, f"{_ATOM}summary") or "unknown id"
            return [], [Trouble(place, f"arXiv answers: {why}")]
        found.append(_record(entry, place))
    return found, [] if found else [Trouble(place, "arXiv knows no such paper")]


def _record(entry: ET.Element, place: RecordPlace) -> Record:
    names = [_text(a, f"{_ATOM}name") for a in entry.iter(f"{_ATOM}author")]
    journal = _text(entry, f"{_ARXIV}journal_ref")
    doi = _text(entry, f"{_ARXIV}doi")
    ids = identify(doi, arxiv_mention(_text(entry, f"{_ATOM}id")), "")
    return Record(
        place=place,
        type="misc",
        title=_text(entry, f"{_ATOM}title"),
        authors=tuple(
            p
            for name in filter(None, names)
            for p in read_names(name).persons or (Person("", name),)
        ),
        year=year(_text(entry, f"{_ATOM}published")),
        doi=ids.doi,
        arxiv=ids.arxiv,
        left_out=(f"journal reference ({journal}): the published paper may be the one to cite",)
        if journal
        else (),
    )


def _text(element: ET.Element, name: str) -> str:
    return one_line(element.findtext(name, ""))
