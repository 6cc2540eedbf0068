"""The codes of findings that say that a file could not be read."""

from __future__ import annotations

UNREAD = frozenset(("PN101", "PN102", "PN103", "PN104"))
