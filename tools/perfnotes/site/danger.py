"""A Danger: something in a page's HTML that must not be published."""

from __future__ import annotations

from msgspec import Struct


class Danger(Struct, frozen=True):
    """``message`` names what is not allowed. ``needle`` is a text to find it by in the source.

    ``hint`` says what to do instead. If it is empty, findings have a hint of their own.
    """

    message: str
    needle: str
    hint: str = ""
