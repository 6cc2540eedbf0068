"""What the user of ``perfnotes import`` said."""

from __future__ import annotations

from msgspec import Struct


class ImportOptions(Struct, frozen=True):
    """What the user said; empty where nothing."""

    topic: str = ""
    slug: str = ""
    split_at: int = 0
    format: str = ""
    encoding: str = ""
