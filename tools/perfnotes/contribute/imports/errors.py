"""The error of a text that cannot be imported."""

from __future__ import annotations


class FormatError(ValueError):
    """A text cannot be read in its format; the message says why and what helps."""
