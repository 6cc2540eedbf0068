"""Latency numbers: the rows of the table of how long things take.

``notes/latency.yml`` only names labs and facts, so every number on the page comes from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from perfnotes.model.bilingual import Bilingual


@dataclass(frozen=True)
class LatencyRow:
    """One row: what takes the time, and the address ``lab:…`` or ``fact:…`` of the number."""

    label: Bilingual
    address: str
    group: str
    place: int = 0


@dataclass(frozen=True)
class Latency:
    """The rows in the order of the file, and the names of their groups."""

    groups: Mapping[str, Bilingual] = field(default_factory=dict)
    rows: tuple[LatencyRow, ...] = ()
