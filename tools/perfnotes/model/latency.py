"""Latency numbers: which recorded times and constants stand in the table of how long things take.

``notes/latency.yml`` names addresses only; every number on the page is that of its evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from perfnotes.model.bilingual import Bilingual


@dataclass(frozen=True)
class LatencyRow:
    """One time: what takes it, and ``lab:…`` or ``fact:…``, whose number it is."""

    label: Bilingual
    address: str
    group: str
    place: int = 0


@dataclass(frozen=True)
class Latency:
    """The rows in the order of the file, and the names of their groups."""

    groups: Mapping[str, Bilingual] = field(default_factory=dict)
    rows: tuple[LatencyRow, ...] = ()
