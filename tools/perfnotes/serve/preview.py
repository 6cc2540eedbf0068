"""The linked notes, kept in memory, and single pages made from them with the bytes of a build."""

from __future__ import annotations

import gc
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from perfnotes.build.check import shown_as
from perfnotes.build.messages import ToPublish
from perfnotes.build.page_settings import page_settings
from perfnotes.build.publish import Publisher
from perfnotes.build.settings import build_settings
from perfnotes.build.templates import environment
from perfnotes.checks import FindingsByText, examine, grade
from perfnotes.graph.graph import Graph, link
from perfnotes.graph.site import Site
from perfnotes.graph.targets import LinkedText
from perfnotes.model.library import Library
from perfnotes.site.changes import changed_names, findings_in_texts
from perfnotes.site.locate import locate
from perfnotes.site.page import Page
from perfnotes.site.page_addresses import address_problems, addresses_of
from perfnotes.site.page_selection import page_at, pages_of
from perfnotes.site.pages import page_kinds, with_function
from perfnotes.site.render.markup import escape, escape_staged
from perfnotes.site.stage import page_source
from perfnotes.source.history import History, read_history
from perfnotes.source.read.folder import read_library
from perfnotes.source.read.memo import InMemory, Remembering
from perfnotes.source.read.site import read_site_pages
from perfnotes.storage.store import Store
from perfnotes.text.findings import Finding, Severity

_NOTE = re.compile(r"(?P<id>.+?)(?:/index)?(?P<zh>\.zh)?\.md$", re.IGNORECASE)


class Preview:
    """The notes of the project at ``root``, or of the folder ``notes``, as they are now."""

    def __init__(self, config: Any, root: Path, notes: Path | None, store: Store) -> None:
        self._root, self._notes = root, notes
        self._folder = notes or root / "notes"
        self._settings = build_settings(config)
        self._memo = InMemory(Remembering(store, "read"))
        settings = page_settings(config)
        self._publisher = Publisher(settings, environment(settings, store), root)
        self._graph: Graph | None = None
        self._history = History()
        self._unsafe: dict[str, list[Finding]] = {}  # dangers in pages made here, by source file
        self.broken: set[str] = set()  # addresses of notes that cannot be read
        self._has_site = False
        self._examined: Site | None = None  # the site whose texts have the findings ``_found``
        self._found: FindingsByText = {}
        self.read_history()
        self.site = self._linked(self._read())
        # The page kinds of which no page was made yet.
        self._kinds_left = [*page_kinds()]
        self._warm_up()

    def _warm_up(self) -> None:
        """Make a page and check once: the first time takes longest, and nobody waits for it now."""
        for links in self.site.graph.links.values():
            if links.text.kind == "note":
                list(self._made(links.text))
                break
        self.findings()
        gc.collect()
        gc.freeze()  # the notes stay in memory: collecting among them takes longer than a page

    def warm_up_next(self) -> bool:
        """Make a page of a kind of which none was made yet; return False if there is no such kind.

        The first page of a kind may take much longer than the next, such as one that shows the
        notes in which each term occurs.
        """
        if not self._kinds_left:
            return False
        kind, *self._kinds_left = self._kinds_left
        first = next(pages_of(kind, self.site, self.site.library.languages[0]), None)
        if first:
            self._bytes(first)
        return True

    def read_history(self) -> None:
        """Ask git who wrote what, and when."""
        if self._notes is None:
            self._history = read_history(self._root)

    def reread(self, files: Collection[Path]) -> None:
        """Read these files again, which were changed, added or removed, and link the notes."""
        self._memo.forget(files)
        self.site = self._linked(self._read())

    def _read(self) -> Library:
        library = read_library(
            self._folder, shown_as(self._folder), self._memo, own=self._notes is None
        )
        if self._notes is None:
            docs = self._root / "docs"
            read_site_pages(library, docs, shown_as(docs), self._memo)
        return library

    def _linked(self, library: Library) -> Site:
        self._graph = link(library, self._graph)
        before = self.site.coverages if self._has_site else {}
        site = Site(self._graph, self._settings, self._history, self._memo, coverages_before=before)
        if self._has_site:
            site.reuse_from(self.site)
        self._has_site = True
        return site

    def pages(self, files: Collection[Path]) -> Iterator[tuple[str, bytes]]:
        """Yield address and bytes of the pages whose text is one of these files."""
        shown = {self._shown_path(file) for file in files}
        found: set[str] = set()
        for links in self.site.graph.links.values():
            if links.text.body.source.path in shown:
                found.add(links.text.body.source.path)
                yield from self._made(links.text)
        for path in sorted(shown - found):
            yield from self._broken(path)

    def page_at(self, url: str) -> bytes:
        """Return the bytes of the page at ``url``, or none if there is no such page."""
        for links in self.site.graph.links.values():
            if url in self._addresses(links.text):
                for made, data in self._made(links.text):
                    if made == url:
                        return data
        for kind in page_kinds():
            for lang in self.site.library.languages:
                if any(page.url == url for page in addresses_of(kind, self.site, lang)):
                    page = page_at(kind, self.site, lang, url)
                    if page:
                        return self._bytes(page)
        return b""

    def _shown_path(self, file: Path) -> str:
        for folder in (self._folder, self._root / "docs"):
            if folder in file.parents:
                return f"{shown_as(folder)}/{file.relative_to(folder).as_posix()}"
        return str(file)

    def _made(self, text: LinkedText) -> Iterator[tuple[str, bytes]]:
        for kind in with_function("page_of"):
            for page in kind.page_of(self.site, text):
                self.broken.discard(page.url)
                yield page.url, self._bytes(page)

    def _bytes(self, page: Page) -> bytes:
        source = page_source(self.site, page)
        staged = ToPublish(page.url, source, page.markdown.encode(), mend=True)
        data, done = self._publisher.render(staged)
        dangers = [locate(self.site, page, danger) for danger in done.dangers]
        self._unsafe[page.source] = grade(dangers, self.site.library)
        return data

    def _broken(self, path: str) -> Iterator[tuple[str, bytes]]:
        """Yield, for a note that cannot be read, a page at its address that says why."""
        below = f"{self.site.library.shown_root}/"
        named = _NOTE.match(path.removeprefix(below)) if path.startswith(below) else None
        why = [f for f in self.site.library.findings if f.path == path]
        if not named:
            return
        url = f"{'zh/' if named['zh'] else ''}{named['id']}/"
        self.broken.discard(url)
        if not why:
            return
        self.broken.add(url)
        items = "".join(f"<li>{escape(str(finding))}</li>" for finding in why)
        why_not = f"{escape(path)} cannot be shown until these errors are mended:"
        body = f"<p>{why_not}</p>\n\n<ul>{items}</ul>\n"
        page = Page(url, "en", escape_staged(named["id"]), body, "", kind="document", source=path)
        yield url, self._bytes(page)

    def findings(self) -> list[Finding]:
        """Return the findings of the checks, and the dangers in the pages made here."""
        # In another thread the server may make a page meanwhile, so the keys are copied.
        for path in {*self._unsafe} - {*self.site.sources}:
            del self._unsafe[path]
        found = {
            *examine(self.site, in_texts=self._in_texts()),
            *grade(address_problems(self.site), self.site.library),
        }
        for each in [*self._unsafe.values()]:
            found.update(each)
        return sorted(found)

    def _in_texts(self) -> FindingsByText:
        """Return what the checks find in each text; only texts that may differ are looked at."""
        before, now = self._examined, self.site
        is_known = before is not None and before.history is now.history
        changed = changed_names(before, now) if before and is_known else None
        self._found = findings_in_texts(before, now, self._found, changed)
        self._examined = now
        return self._found

    def finding_data(self, finding: Finding) -> dict[str, object]:
        """Return a finding as ``live.js`` needs it, with the heading above and the words there."""
        anchor, near = "", ""
        for links in self.site.graph.links.values():
            body = links.text.body
            if body.source.path == finding.path:
                at = body.source.offset(finding.line, finding.column)
                if at >= body.document.start:
                    above = [s.id for s in body.sections if s.start <= at]
                    anchor = above[-1] if above else ""
                    near = links.prose.sentence(at) or body.source.line(finding.line)
        stops = finding.severity is Severity.ERROR
        return {
            "text": str(finding),
            "code": finding.code,
            "line": finding.line,
            "message": finding.message,
            "hint": finding.hint,
            "error": stops,
            "anchor": anchor,
            "near": near,
        }

    def source_of(self, url: str) -> str:
        """Return the file of the text at ``url``, as findings name it, or an empty string."""
        for links in self.site.graph.links.values():
            if url in self._addresses(links.text):
                return links.text.body.source.path
        return ""

    def _addresses(self, text: LinkedText) -> Iterator[str]:
        """Yield the address of the page that shows a text; an annotation has none of its own."""
        library = self.site.library
        if text.kind == "note":
            twin = library.translations.get(text.id) if text.lang == "zh" else None
            yield twin.url if twin else library.notes[text.id].url
        elif text.kind == "page":
            yield library.pages[text.id, text.lang].url
        elif text.kind == "introduction":
            yield self.site.addresses.topic(text.id, "en")
