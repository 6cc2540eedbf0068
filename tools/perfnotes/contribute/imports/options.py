"""The options of ``perfnotes import``."""

from __future__ import annotations

from msgspec import Struct


class ImportOptions(Struct, frozen=True):
    """The options that the user gave; an empty text or 0 means that an option was not given."""

    topic: str = ""
    slug: str = ""
    split_at: int = 0
    format: str = ""
    encoding: str = ""
