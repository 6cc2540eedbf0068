"""Repairs of links and citations: upper and lower case, new ids for old ones, heading ids."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote, unquote

from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.model.library import Library
from perfnotes.model.note import NOTE_ID
from perfnotes.model.repair import Repair
from perfnotes.text.body import Body
from perfnotes.text.slug import bare_id

MENDS = {
    "PN301": "writes a note's name in the right case, and its id for an old id",
    "PN303": "writes a heading's id where only case and punctuation differ",
    "PN304": "writes a path in the right case, and a note's path for an old one",
    "PN405": "writes a key in the right case",
}


def find(site: Site) -> Iterator[Repair]:
    """Links and citations whose target is certain, but whose spelling differs from the target's."""
    if not site.library.own:
        return
    names = _Names(site)
    for links in site.graph.links.values():
        yield from names.wikis(links)
        yield from names.paths(links)
        yield from names.keys(links)


class _Names:
    """The right spelling of every name in the library, and the repairs that write it."""

    def __init__(self, site: Site) -> None:
        self.site, self.library = site, site.library
        self.old = _old_ids(self.library)
        slugs = Counter(note.slug for note in self.library.notes.values())
        once = [slug for slug, count in slugs.items() if count == 1]
        self.ids = _by_case([*self.library.notes, *once])
        self.files = _by_case([*site.graph.links, *(f"notes/{a}" for a in self.library.assets)])
        self.keys_by_case = _by_case(self.library.references)

    def wikis(self, links: Links) -> Iterator[Repair]:
        """Yield the repairs of wiki links: their names and anchors."""
        text = links.text.body.document.text
        for wiki, target in links.wikis:
            name, _, anchor = wiki.target.partition("#")
            name, anchor = name.strip(), anchor.strip()
            at = text.find(wiki.target, wiki.start, wiki.end)
            new = self.old.get(name) or (
                self.ids.get(name.casefold()) if target.kind == "none" else ""
            )
            if at >= 0 and new and new != name:
                start = text.index(name, at)
                yield self._repair(links, start, start + len(name), new)
            body = None if name else links.text.body  # [[#heading]] is a heading of this text
            if target.kind == "note":
                body = self._body(target.id, links.text.lang)
            yield from self._anchor(links, body, anchor, at, at + len(wiki.target))

    def paths(self, links: Links) -> Iterator[Repair]:
        """Yield the repairs of Markdown links: their paths, or else their anchors."""
        text = links.text
        for link, target in links.links:
            path, sign, anchor = link.dest.partition("#")
            if link.kind not in ("inline", "image") or ":" in path or "?" in path:
                continue
            if path and target.kind == "none":
                here = posixpath.dirname(text.path)
                joined = posixpath.normpath(posixpath.join(here, unquote(path)))
                new = self.files.get(joined.casefold()) or self._moved(joined)
                if new and new != joined:
                    written = quote(posixpath.relpath(new, here), safe="/~+,@=.-_")
                    end = link.dest_start + len(path)
                    yield self._repair(links, link.dest_start, end, written)
            elif sign and target.kind in ("note", "anchor"):
                body = self._body(target.id, text.lang) if target.kind == "note" else text.body
                yield from self._anchor(links, body, anchor, link.dest_start, link.dest_end)

    def keys(self, links: Links) -> Iterator[Repair]:
        """Yield the repairs of citations: their keys."""
        for citation in links.text.body.document.citations:
            for item in citation.items:
                new = self.keys_by_case.get(item.key.casefold(), "")
                if new and item.key not in self.library.references:
                    yield self._repair(links, item.key_start, item.key_start + len(item.key), new)

    def _anchor(
        self, links: Links, body: Body | None, anchor: str, start: int, end: int
    ) -> Iterator[Repair]:
        """Repair an anchor that differs from a heading's id only in case and punctuation."""
        if body is None or not anchor or anchor in body.anchors or start < 0:
            return
        new = body.anchors_by_bare_id.get(bare_id(anchor), "")
        at = links.text.body.document.text.find(f"#{anchor}", start, end) + 1
        if new and at:
            yield self._repair(links, at, at + len(anchor), new)

    def _body(self, id: str, lang: str) -> Body | None:
        """Return the text of a note in ``lang``, or in English; None if there is no such note."""
        twin = self.library.translations.get(id) if lang == "zh" else None
        note = self.library.notes.get(id)
        return twin.body if twin else note.body if note else None

    def _moved(self, path: str) -> str:
        """The present file of the note that was once at ``path``; "" if there is none."""
        id = path.removeprefix("notes/").removesuffix(".md").removesuffix("/index")
        note = self.library.notes.get(self.old.get(id, ""))
        return f"notes/{note.file}" if note else ""

    def _repair(self, links: Links, start: int, end: int, new: str) -> Repair:
        source = links.text.body.source
        return Repair(source.path, start, end, source.text[start:end], new)


def _old_ids(library: Library) -> Mapping[str, str]:
    """The ids of notes by their old ids, which are aliases of the form ``topic/slug``."""
    return {
        alias: note.id
        for note in library.notes.values()
        for alias in note.meta.aliases
        if NOTE_ID.fullmatch(alias) and alias not in library.notes
    }


def _by_case(names: Iterable[str]) -> dict[str, str]:
    """The names by their lower case, without names that differ from another only in case."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name.casefold(), []).append(name)
    return {low: spelt[0] for low, spelt in found.items() if len(set(spelt)) == 1}
