"""What the user of ``perfnotes import`` said."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ImportOptions:
    """What the user said; empty where nothing."""

    topic: str = ""
    slug: str = ""
    split_at: int = 0
    format: str = ""
    encoding: str = ""
