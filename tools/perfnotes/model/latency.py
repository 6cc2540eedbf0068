"""Latency numbers: the rows of the table of how long things take.

``notes/latency.yml`` only names labs and facts, so every number on the page comes from them.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from perfnotes.model.bilingual import Bilingual


class LatencyRow(Struct, frozen=True):
    """One row: what takes the time, and the address ``lab:…`` or ``fact:…`` of the number."""

    label: Bilingual
    address: str
    group: str
    place: int = 0


class Latency(Struct, frozen=True):
    """The rows in the order of the file, and the names of their groups."""

    groups: Mapping[str, Bilingual] = field(default_factory=dict)
    rows: tuple[LatencyRow, ...] = ()
