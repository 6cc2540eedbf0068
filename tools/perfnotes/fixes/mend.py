"""Collecting the repairs of all kinds of mending, and applying them to a file's text."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.fixes.mending import modules
from perfnotes.graph.site import Site
from perfnotes.model.repair import Repair


def repairs(site: Site) -> Iterator[Repair]:
    """Every repair, sorted by file and place. Of overlapping repairs only the first is kept."""
    last = ("", 0)
    for repair in sorted({r for module in modules() for r in module.find(site)}):
        if last[0] != repair.path or repair.start >= last[1]:
            yield repair
            last = (repair.path, repair.end)


def repaired(text: str, repairs: list[Repair]) -> str:
    """The text with all repairs made. The repairs must not overlap."""
    for repair in sorted(repairs, reverse=True):
        text = text[: repair.start] + repair.new + text[repair.end :]
    return text


def encoded_like(original: bytes, text: str) -> bytes:
    """The text as UTF-8, with the byte order mark and the line ends of ``original``.

    If most lines of the original end in CRLF, all lines get CRLF.
    """
    if original.count(b"\r\n") > original.count(b"\n") // 2:
        text = text.replace("\n", "\r\n")
    mark = b"\xef\xbb\xbf" if original.startswith(b"\xef\xbb\xbf") else b""
    return mark + text.encode()
