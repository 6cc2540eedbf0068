"""An entry printed for copying: one field a line, in a fixed order, LaTeX as in the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Fields that are the project's own business.
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
    """The entry as BibTeX, ending in a line feed; unknown fields last, in their given order."""
    names = [name for name in fields if name not in PRIVATE]
    names.sort(key=lambda name: _RANK.get(name, len(_RANK)))
    width = max((len(name) for name in names), default=0)
    lines = [f"  {_SPELLED.get(n, n):<{width}} = {_value(n, fields[n])}" for n in names]
    return ",\n".join([f"@{kind}{{{key}", *lines]) + "\n}\n"


def _value(name: str, value: str) -> str:
    if name == "month" and value in _MONTH_STRINGS:
        return _MONTH_STRINGS[value]  # every style defines these strings, in its own language
    return f"{{{value}}}"
