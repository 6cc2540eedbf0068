"""Reads an argument of ``perfnotes cite``: a file, standard input, a DOI or an arXiv id."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from perfnotes.contribute.cite import LARGEST, duplicates, fromatom, fromcsl
from perfnotes.contribute.cite.read import records
from perfnotes.contribute.cite.record import Record, RecordPlace, Trouble, arxiv_id
from perfnotes.contribute.cite.services import ServiceError, Services
from perfnotes.model.reference import Reference
from perfnotes.source.bib import identifiers
from perfnotes.text.source import Source, decode

Read = tuple[list[Record], list[Trouble]]
Reader = Callable[[Source], Read]

_DOI_PREFIX = re.compile(r"(?:https?://(?:dx\.|www\.)?)?doi\.org/", re.IGNORECASE)
_ARXIV_PREFIX = re.compile(
    r"(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html)/", re.IGNORECASE
)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.", re.IGNORECASE)


def read(word: str, services: Services, known: Iterable[Reference] = ()) -> Read:
    """Return the records that an argument names, and the troubles.

    No service is asked for a DOI or arXiv id that a reference in ``known`` has: the record then has
    nothing but this identifier.
    """
    if word == "-":
        return records(sys.stdin.buffer.read(LARGEST + 1), "stdin")
    file = Path(word)
    try:
        is_file, is_folder = file.is_file(), file.is_dir()
    except OSError:  # the word is too long for the name of a file
        is_file = is_folder = False
    if is_file:
        return _in_file(file, word)
    doi, arxiv = ids_in(word)
    if doi or arxiv:
        bare = Record(RecordPlace(word), "misc", "", doi=doi, arxiv=arxiv)
        if duplicates.find(bare, known):
            return [bare], []
    try:
        if arxiv:
            return _answer(services.of_arxiv(arxiv), word, fromatom.records)
        if doi:
            return _answer(services.of_doi(doi), word, fromcsl.records)
    except ServiceError as error:
        return [], [Trouble(RecordPlace(word), str(error))]
    what = "a folder" if is_folder else "no file, no DOI and no arXiv id"
    hint = (
        "a DOI looks like 10.1145/1356052.1356053, an arXiv id like 2205.14135; "
        "a work without either begins with `perfnotes new reference`"
    )
    return [], [Trouble(RecordPlace(word), f"this is {what}; {hint}")]


def _in_file(file: Path, shown: str) -> Read:
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except OSError as error:
        return [], [Trouble(RecordPlace(shown), f"it cannot be read: {error.strerror}")]
    return records(data, shown)


def ids_in(word: str) -> tuple[str, str]:
    """Return the DOI or the arXiv id that an argument is, bare or as a web address.

    At least one of the two is "".
    """
    bare = _DOI_PREFIX.sub("", word.strip(), count=1)
    doi = identifiers.doi(bare).value
    if doi:
        preprint = _ARXIV_DOI.match(doi)
        return ("", arxiv_id(doi[preprint.end() :])) if preprint else (doi, "")
    bare = _ARXIV_PREFIX.sub("", word.strip(), count=1).removesuffix(".pdf")
    return "", arxiv_id(bare.partition("#")[0].partition("?")[0])


def _answer(data: bytes, word: str, reader: Reader) -> Read:
    source, findings = decode(data, word)
    if source is None:
        return [], [Trouble(RecordPlace(word), f"the answer is no text: {findings[0].message}")]
    found, troubles = reader(source)
    return found[:1], troubles
