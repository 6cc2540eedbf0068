"""Reads the XML file into which MediaWiki's Special:Export writes a wiki's pages."""

from __future__ import annotations

import re
from typing import Any
from xml.parsers import expat

from msgspec import Struct

ENDING = "xml"
_ROOT = re.compile(r"\s*(?:<\?xml[^>]*\?>\s*)?<mediawiki[\s>]")
# Exports of old wikis have no namespace numbers, so a title's prefix tells the namespace.
_OTHER_NAMESPACE = re.compile(
    r"(?:user|project|file|image|mediawiki|template|help|category|module|portal|special|media|wikipedia)"
    r"(?:[ _]talk)?:|talk:",
    re.IGNORECASE,
)
_REDIRECT = re.compile(r"\s*#\w+[^\[\n]*\[\[([^\]|#\n]+)")


class WikiPage(Struct):
    """A page in its latest revision. Articles have the ``namespace`` "0"."""

    title: str = ""
    namespace: str = ""
    # The time of the latest revision, as 2026-01-31T12:00:00Z.
    time: str = ""
    text: str = ""
    # The line of the export at which the text begins.
    line: int = 1
    redirect: str = ""
    revision_time: str = ""  # the time of the revision that is being read

    @property
    def file(self) -> str:
        """The name of the page as a file inside the export, by which links find the page."""
        return "".join(c if c.isprintable() else " " for c in self.title) + ".mediawiki"


class ExportError(ValueError):
    """The export is incomplete or broken; the message says why."""


def is_export(text: str) -> bool:
    """Whether the text begins as MediaWiki's export does."""
    return _ROOT.match(text[:5000]) is not None


def pages(text: str) -> list[WikiPage]:
    """Every page, with the text of its latest revision, which some exports have first.

    Raises ExportError if the XML is broken, or declares entities, which real exports never do.
    """
    reader = _Reader()
    try:
        reader.parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise ExportError(f"line {error.lineno}: {expat.errors.messages[error.code]}") from error
    for page in reader.pages:
        found = _REDIRECT.match(page.text)
        if not page.redirect and found and page.text.lstrip()[:9].upper() == "#REDIRECT":
            page.redirect = found[1].strip()
        if not page.namespace:
            page.namespace = "other" if _OTHER_NAMESPACE.match(page.title) else "0"
    return reader.pages


class _Reader:
    """Collects the pages from expat's events."""

    def __init__(self) -> None:
        self.pages: list[WikiPage] = []
        self.path: list[str] = []  # the names of the open elements
        self.words: list[str] = []  # the text since the last tag
        self.text = ""  # the text of the revision that is being read
        self.line = 1  # the line where this text begins
        self.parser: Any = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self.words.append
        self.parser.EntityDeclHandler = self._refuse

    def _refuse(self, *_: object) -> None:
        raise ExportError(f"line {self.parser.CurrentLineNumber}: it declares an entity")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.path.append(name)
        self.words.clear()
        if name == "page":
            self.pages.append(WikiPage())
        elif name == "redirect" and self.pages:
            self.pages[-1].redirect = attributes.get("title", "")
        elif name == "revision" and self.pages:
            self.pages[-1].revision_time = ""
        elif name == "text":
            self.line = self.parser.CurrentLineNumber

    def _end(self, name: str) -> None:
        words = "".join(self.words)
        self.words.clear()
        self.path.pop()
        parent = self.path[-1] if self.path else ""
        if not self.pages:
            return
        page = self.pages[-1]
        if parent == "page" and name == "title":
            page.title = " ".join(words.split())
        elif parent == "page" and name == "ns":
            page.namespace = words.strip()
        elif parent == "revision" and name == "timestamp":
            page.revision_time = words.strip()
        elif parent == "revision" and name == "text":
            self.text = words
        elif name == "revision" and page.revision_time >= page.time:
            page.time, page.text, page.line = page.revision_time, self.text, self.line
