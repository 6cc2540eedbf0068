"""The codes of findings that say that a file, or its front matter, could not be read."""

from __future__ import annotations

UNREAD = frozenset(("PN101", "PN102", "PN103", "PN104", "PN201"))
