"""Which form a text is in, and the Records that it holds."""

from __future__ import annotations

import re

from perfnotes.contribute.cite import LARGEST, fromatom, frombibtex, fromcsl, fromris
from perfnotes.contribute.cite.record import Place, Record, Trouble
from perfnotes.text.source import Source, decode

_BIBTEX = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]", re.MULTILINE)
_RIS = re.compile(r"TY {1,2}- ")


def records(data: bytes, shown: str) -> tuple[list[Record], list[Trouble]]:
    """The records of a file or answer, its form found by itself."""
    if len(data) > LARGEST:
        return [], [Trouble(Place(shown), f"more than {LARGEST:,} bytes")]
    source, findings = decode(data, shown)
    if source is None:
        return [], [Trouble(Place(f.path, f.line, f.column), f.message) for f in findings]
    found, troubles = _by_form(source)
    if not found and not troubles:
        troubles = [Trouble(Place(shown), "no reference in it")]
    return found, troubles


def _by_form(source: Source) -> tuple[list[Record], list[Trouble]]:
    text = source.text.lstrip()
    if text.startswith(("{", "[")):
        return fromcsl.records(source)
    if _RIS.match(text):
        return fromris.records(source)
    if text.startswith("<") and fromatom.NAMESPACE in text:
        return fromatom.records(source)
    if _BIBTEX.search(source.text):
        return frombibtex.records(source)
    hint = "this reads BibTeX, CSL JSON and RIS" if text else "the input is empty"
    return [], [Trouble(Place(source.path), hint)]
