"""Recognising the format of a text and reading its Records."""

from __future__ import annotations

import re

from perfnotes.contribute.cite import LARGEST, fromatom, frombibtex, fromcsl, fromris
from perfnotes.contribute.cite.record import Record, RecordPlace, Trouble
from perfnotes.text.source import Source, decode

_BIBTEX = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]", re.MULTILINE)
_RIS = re.compile(r"TY {1,2}- ")
_TOO_LARGE = f"it has more than {LARGEST:,} bytes, which is the limit: give a part of it"


def records(data: bytes, shown: str) -> tuple[list[Record], list[Trouble]]:
    """Return the records of a file or of standard input, and the troubles.

    ``shown`` is the path that troubles name. The format is recognised from the text.
    """
    if len(data) > LARGEST:
        return [], [Trouble(RecordPlace(shown), _TOO_LARGE)]
    source, findings = decode(data, shown)
    if source is None:
        return [], [
            Trouble(RecordPlace(f.path, f.line, f.column), f"{f.message}: {f.hint}")
            for f in findings
        ]
    found, troubles = _by_format(source)
    if not found and not troubles:
        troubles = [Trouble(RecordPlace(shown), "there is no reference in it")]
    return found, troubles


def _by_format(source: Source) -> tuple[list[Record], list[Trouble]]:
    text = source.text.lstrip()
    if text.startswith(("{", "[")):
        return fromcsl.records(source)
    if _RIS.match(text):
        return fromris.records(source)
    if text.startswith("<") and fromatom.NAMESPACE in text:
        return fromatom.records(source)
    if _BIBTEX.search(source.text):
        return frombibtex.records(source)
    what = (
        "the text is neither BibTeX nor CSL JSON nor RIS nor an Atom feed of arXiv"
        if text
        else "the input is empty"
    )
    return [], [Trouble(RecordPlace(source.path), what)]
