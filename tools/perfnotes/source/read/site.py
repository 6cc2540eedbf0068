"""Reads the site's own pages: ``docs/*.md``, their Chinese twins and the files that they show."""

from __future__ import annotations

from pathlib import Path

from perfnotes.model.library import Library, SitePage
from perfnotes.source.read.memo import Memo
from perfnotes.source.read.text import read_text


def read_site_pages(library: Library, docs: Path, shown: str, memo: Memo | None = None) -> None:
    """Add the pages of ``docs``, which findings call ``shown``, to the library.

    A project need not have that folder.
    """
    if not docs.is_dir():
        return
    memo = memo or Memo()
    files = memo.walk(docs, shown)
    library.findings += files.findings
    library.page_assets = {f: docs / f for f in files.others}
    for file in sorted(files.markdown, key=lambda f: f.endswith(".zh.md")):
        lang = "zh" if file.endswith(".zh.md") else "en"
        id = file.removesuffix(".md").removesuffix(".zh").removesuffix("index").rstrip("/")
        english = library.pages.get((id, "en"))
        original = english.body.sections if english else ()
        where = f"{shown}/{file}"
        text, findings = read_text(memo, docs / file, where, "page", original=original)
        library.findings += findings
        if text is None:
            continue
        meta, body = text
        library.pages[id, lang] = SitePage(id, lang, file, meta, body)
