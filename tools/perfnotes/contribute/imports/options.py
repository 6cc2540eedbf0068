"""The options of ``perfnotes import``."""

from __future__ import annotations

from msgspec import Struct


class ImportOptions(Struct, frozen=True):
    """The options that the user gave; an empty text or 0 means that an option was not given.

    ``split_at`` is the level of the headings at which a text is split.
    """

    topic: str = ""
    slug: str = ""
    split_at: int = 0
    format: str = ""
    encoding: str = ""
