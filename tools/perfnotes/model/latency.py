"""Latency numbers: a table of how long things take, such as a cache miss.

``notes/latency.yml`` names labs and facts, and every number on the page comes from them.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from perfnotes.model.bilingual import Bilingual


class LatencyRow(Struct, frozen=True):
    """One row: what takes the time, and the address of the number, ``lab:…`` or ``fact:…``."""

    label: Bilingual
    address: str
    group: str
    place: int = 0


class Latency(Struct, frozen=True):
    """The rows in the order of the file, and the names of their groups."""

    groups: Mapping[str, Bilingual] = field(default_factory=dict)
    rows: tuple[LatencyRow, ...] = ()
