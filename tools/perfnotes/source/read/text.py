"""Reads one Markdown file: its front matter and its body."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from perfnotes.model.note import Meta
from perfnotes.source.read import frontmatter
from perfnotes.source.read.memo import Memo
from perfnotes.source.read.vault import without_comments
from perfnotes.text.body import Body, TextSection, read_body
from perfnotes.text.findings import Finding
from perfnotes.text.source import Data, read_data, source_of


class Read(NamedTuple):
    """``text`` is None if the file cannot be read; then the findings say why."""

    text: tuple[Meta, Body] | None
    findings: list[Finding]


def read_text(
    memo: Memo,
    file: Path,
    shown: str,
    schema: str,
    *,
    original: Sequence[TextSection] = (),
) -> Read:
    """Read a file whose front matter follows ``schema``.

    For a translation, ``original`` are the sections of the text that it translates.
    """

    def make(data: Data) -> Read:
        return text_of(data, shown, schema, original=original)

    load = partial(read_data, file, shown)
    sections = " ".join(f"{section.level} {section.id}" for section in original)
    return memo.of_data(load, make, file, "text", shown, schema, sections)


def text_of(
    data: Data,
    shown: str,
    schema: str,
    *,
    lenient: bool = False,
    vault: bool = False,
    original: Sequence[TextSection] = (),
) -> Read:
    """As ``read_text``, for bytes that were read already. For ``lenient`` see ``frontmatter``.

    With ``vault`` the text is one of Obsidian, whose comments are left out.
    """
    source, findings = source_of(data, shown, lenient=lenient)
    if source is None:
        return Read(None, findings)
    meta, start, more = frontmatter.read(source, schema, lenient=lenient)
    if vault:
        source = without_comments(source, start)
    body = read_body(source, start, original)
    # These are computed now, so that they are stored in the cache.
    _ = body.minutes, body.anchors
    if not lenient:
        _ = body.quantities, body.quantities_outside_prose
    return Read((meta, body), findings + more)
