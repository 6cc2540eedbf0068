"""Writes an entry as BibTeX for readers to copy: one field a line, in a fixed order.

LaTeX stays as it is in the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Fields that only this project uses, which are not printed.
PRIVATE = frozenset({"keywords", "verified"})

_ORDER = (
    "author", "editor", "title", "subtitle", "booktitle", "journal", "journaltitle", "series",
    "edition", "chapter", "volume", "number", "pages", "articleno", "publisher", "school",
    "institution", "organization", "howpublished", "type", "address", "location", "year", "month",
    "date", "doi", "eprint", "archiveprefix", "primaryclass", "isbn", "issn", "url", "urldate",
    "note",
)  # fmt: skip
_RANK = {name: rank for rank, name in enumerate(_ORDER)}
_SPELLED = {"archiveprefix": "archivePrefix", "primaryclass": "primaryClass"}
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_MONTH_STRINGS = {name: name[:3].lower() for name in _MONTHS}


def pretty(kind: str, key: str, fields: Mapping[str, str]) -> str:
    """Return the entry as BibTeX, ending in a line feed.

    Fields that are not in ``_ORDER`` come last, in the order of ``fields``.
    """
    names = [name for name in fields if name not in PRIVATE]
    names.sort(key=lambda name: _RANK.get(name, len(_RANK)))
    width = max((len(name) for name in names), default=0)
    lines = [f"  {_SPELLED.get(n, n):<{width}} = {_value(n, fields[n])}" for n in names]
    return ",\n".join([f"@{kind}{{{key}", *lines]) + "\n}\n"


def _value(name: str, value: str) -> str:
    if name == "month" and value in _MONTH_STRINGS:
        return _MONTH_STRINGS[value]  # each BibTeX style prints these in its own language
    return f"{{{value}}}"
