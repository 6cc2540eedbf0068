"""How much tests try that try many examples of one kind: few, and many in ``make series``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypothesis import settings

SERIES = [1]
"""What ``--series`` says, which ``conftest.py`` writes here before it imports any test."""


def times(few: int) -> int:
    """Return how many examples are tried, where the suite tries a ``few``."""
    return few * SERIES[0]


def examples(few: int) -> settings:
    """Return the settings of a test that the suite gives a ``few`` examples, found at random."""
    from hypothesis import settings  # noqa: PLC0415 - most files need no Hypothesis

    return settings(max_examples=times(few), deadline=None)
