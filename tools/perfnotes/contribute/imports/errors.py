"""Why a text is not imported."""

from __future__ import annotations


class FormatError(ValueError):
    """A text in a format that cannot be read; the message says why, and what helps."""
