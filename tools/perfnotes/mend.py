"""Mending: the edits that put right what is mechanical, such as the digits of bound numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from perfnotes.link.outputs import inside, outputs
from perfnotes.site import Site


@dataclass(frozen=True, order=True)
class Repair:
    """In the file ``path``, from ``start`` to ``end`` of its text, write ``new``."""

    path: str
    start: int
    end: int
    old: str
    new: str


def repairs(site: Site) -> Iterator[Repair]:
    """Bound numbers whose digits are not those recorded, and outputs that changed."""
    for links in site.graph.links.values():
        text, path = links.text.body.source.text, links.text.body.source.path
        for binding in links.bindings:
            if binding.mended:
                start, end = binding.link.label_start, binding.link.label_end
                at = text.find(binding.shown, start, end)
                stop = at + len(binding.shown)
                yield Repair(path, at, stop, binding.shown, binding.mended)
        for output in outputs(links, site.graph.evidence):
            if output.mended:
                start, end = inside(text, output.fence)
                yield Repair(path, start, end, text[start:end], output.mended)


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
