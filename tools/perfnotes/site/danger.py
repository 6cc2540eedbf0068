"""A Danger: something in a page's HTML that must not be published."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Danger:
    """What the page must not hold; ``needle`` is a text to look for in the source."""

    message: str
    needle: str
