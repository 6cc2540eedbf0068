"""Mending: all the edits that put right what is mechanical, and how they are written."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.fixes.mending import modules
from perfnotes.graph.site import Site
from perfnotes.model.repair import Repair

__all__ = ["Repair", "like", "mended", "repairs"]


def repairs(site: Site) -> Iterator[Repair]:
    """Every repair, in the order of files and places; of two that overlap the first."""
    last = ("", 0)
    for repair in sorted({r for module in modules() for r in module.find(site)}):
        if last[0] != repair.path or repair.start >= last[1]:
            yield repair
            last = (repair.path, repair.end)


def mended(text: str, edits: list[Repair]) -> str:
    """The text with all edits made; they do not overlap."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text


def like(original: bytes, text: str) -> bytes:
    """The text as bytes, with the byte order mark and line ends that the file had."""
    if original.count(b"\r\n") > original.count(b"\n") // 2:
        text = text.replace("\n", "\r\n")
    mark = b"\xef\xbb\xbf" if original.startswith(b"\xef\xbb\xbf") else b""
    return mark + text.encode()
