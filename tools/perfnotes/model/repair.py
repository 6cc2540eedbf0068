"""A Repair: one edit that mends a finding."""

from __future__ import annotations

from msgspec import Struct


class Repair(Struct, frozen=True, order=True):
    """In the file ``path``, replace ``old``, from offset ``start`` to ``end``, by ``new``."""

    path: str
    start: int
    end: int
    old: str
    new: str
