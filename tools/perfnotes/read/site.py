"""The site's own pages: ``docs/*.md``, their Chinese twins and the files that they show."""

from __future__ import annotations

from pathlib import Path

from perfnotes.library import Library, SitePage
from perfnotes.read import frontmatter
from perfnotes.read.walk import walk
from perfnotes.source import read_source
from perfnotes.text.body import read_body

_NOT_PAGES = ("theme/",)


def read_site_pages(library: Library, docs: Path, shown: str) -> None:
    """Add the pages of ``docs`` to the library."""
    files = walk(docs, shown)
    library.findings += files.findings
    library.page_assets = {f: docs / f for f in files.others if not f.startswith(_NOT_PAGES)}
    pages = [f for f in files.markdown if not f.startswith(_NOT_PAGES)]
    for file in sorted(pages, key=lambda f: f.endswith(".zh.md")):
        lang = "zh" if file.endswith(".zh.md") else "en"
        id = file.removesuffix(".md").removesuffix(".zh").removesuffix("index").rstrip("/")
        source, findings = read_source(docs / file, f"{shown}/{file}")
        library.findings += findings
        if source is None:
            continue
        meta, start, findings = frontmatter.read(source, "page", lenient=False)
        library.findings += findings
        original = library.pages.get((id, "en"))
        body = read_body(source, start, original.body.sections if original else ())
        library.pages[id, lang] = SitePage(id, lang, file, meta, body)
