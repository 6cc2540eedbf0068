"""One file of Markdown: its front matter and its body."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from perfnotes.model.note import Meta
from perfnotes.source.read import frontmatter
from perfnotes.source.read.memo import Memo
from perfnotes.text.body import Body, Section, read_body
from perfnotes.text.findings import Finding
from perfnotes.text.source import Data, read_data, source_of


class Read(NamedTuple):
    """``text`` is None where the file cannot be read; the findings say why."""

    text: tuple[Meta, Body] | None
    findings: list[Finding]


def read_text(
    memo: Memo,
    file: Path,
    shown: str,
    schema: str,
    *,
    lenient: bool = False,
    like: Sequence[Section] = (),
) -> Read:
    """Read a text whose front matter follows ``schema``; ``like`` are its original's sections."""

    def make(data: Data) -> Read:
        return text_of(data, shown, schema, lenient=lenient, like=like)

    load = partial(read_data, file, shown)
    same = " ".join(f"{section.level} {section.id}" for section in like)
    return memo.of_data(load, make, file, "text", shown, schema, str(lenient), same)


def text_of(
    data: Data, shown: str, schema: str, *, lenient: bool, like: Sequence[Section] = ()
) -> Read:
    """The text that these bytes are."""
    source, findings = source_of(data, shown, lenient=lenient)
    if source is None:
        return Read(None, findings)
    meta, start, more = frontmatter.read(source, schema, lenient=lenient)
    body = read_body(source, start, like)
    _ = body.minutes, body.anchors  # so that they are remembered with it
    return Read((meta, body), findings + more)
