"""Cuts a long text for a message."""

from __future__ import annotations


def cut(text: str, most: int) -> str:
    """Return the text, or its first ``most`` characters and an ellipsis if it has more."""
    return text if len(text) <= most else f"{text[:most]}…"
