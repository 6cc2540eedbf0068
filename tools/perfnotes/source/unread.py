"""The codes of the findings with which a reader says that it could not read a file."""

from __future__ import annotations

UNREAD = frozenset(("PN101", "PN102", "PN103", "PN104"))
