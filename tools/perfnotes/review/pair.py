"""A Pair: the two sides of a comparison, with each page of one matched to the same of the other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct

from perfnotes.checks import examine, grade
from perfnotes.graph.graph import texts_of
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.graph.targets import LinkedText
from perfnotes.model.note import Meta, Note
from perfnotes.review.side import Side
from perfnotes.site.pages.redirects import old_ids
from perfnotes.site.render.body import body_renderer
from perfnotes.text.findings import Finding

_WORD = re.compile(r"[A-Za-z0-9_]+|[\u3400-\u9fff]")
_SAME_TEXT = 0.6  # a note that has this share of the words of a removed note is that note, renamed
_LANGUAGES = {"en": "", "zh": " (Chinese)"}


class PageText(Struct, frozen=True):
    """A text of one side. An annotation of a reference has no front matter: ``meta`` is None."""

    text: LinkedText
    meta: Meta | None

    @property
    def path(self) -> str:
        return self.text.path


class PagePair(Struct, frozen=True):
    """A page before and after; one of the two may be missing."""

    name: str
    old: PageText | None
    new: PageText | None

    @property
    def path(self) -> str:
        """The path of the page on the new side, or on the old one if it is gone."""
        found = self.new or self.old
        assert found
        return found.path

    @property
    def is_same(self) -> bool:
        """Whether the file is the same on both sides, its front matter too."""
        if self.old is None or self.new is None:
            return False
        return self.old.text.body.source.text == self.new.text.body.source.text


@dataclass(frozen=True)
class Pair:
    """The two sides of a comparison."""

    before: Side
    after: Side

    @property
    def old(self) -> Site:
        return self.before.site

    @property
    def new(self) -> Site:
        return self.after.site

    @cached_property
    def moved(self) -> dict[str, str]:
        """The new id of each renamed note, by its old id.

        A note was renamed if a new note has its id as an alias, or else if one has most of its
        words.
        """
        old, new = self.old.library.notes, self.new.library.notes
        removed = [
            n for id, n in old.items() if id not in new and id not in self.new.library.drafts
        ]
        added = {id: n for id, n in new.items() if id not in old}
        found = {}
        for note in removed:
            same = [n for n in added.values() if note.id in old_ids(n)]
            same = same or [n for n in added.values() if _alike(note, n)]
            if same:
                found[note.id] = same[0].id
                del added[same[0].id]
        return found

    @cached_property
    def pages(self) -> list[PagePair]:
        """Every page of either side, sorted by kind, id and language."""
        old = {self._key(w.text): w for w in page_texts(self.old)}
        new = {(w.text.kind, w.text.id, w.text.lang): w for w in page_texts(self.new)}
        keys = sorted(old.keys() | new.keys())
        return [PagePair(_name(*key), old.get(key), new.get(key)) for key in keys]

    @property
    def both(self) -> Iterator[tuple[PagePair, PageText, PageText]]:
        """The pages that both sides have, with the text of each side."""
        for page in self.pages:
            if page.old and page.new:
                yield page, page.old, page.new

    @cached_property
    def new_paths(self) -> dict[str, str]:
        """The new path of each file of a renamed note, by its old path."""
        found = {old.path: new.path for _, old, new in self.both if old.path != new.path}
        for old_id, new_id in self.moved.items():
            for path in self.before.objects:
                if path.startswith(f"notes/{old_id}/"):
                    found.setdefault(path, f"notes/{new_id}/" + path[len(f"notes/{old_id}/") :])
        return found

    @cached_property
    def findings(self) -> tuple[list[Finding], list[Finding]]:
        """The findings of each side, without those that only a build of whole pages has.

        Only changed pages are rendered, so only these have the findings that rendering makes.
        """
        changed = [p for p in self.pages if not p.is_same]
        old = [links_of(self.old, p.old) for p in changed if p.old]
        new = [links_of(self.new, p.new) for p in changed if p.new]
        return _examined(self.old, old), _examined(self.new, new)

    def id_now(self, id: str) -> str:
        """Return the new id of a renamed note; any other id as it is."""
        return self.moved.get(id, id)

    def _key(self, text: LinkedText) -> tuple[str, str, str]:
        id = self.id_now(text.id) if text.kind == "note" else text.id
        return text.kind, id, text.lang


def page_texts(site: Site) -> Iterator[PageText]:
    """Yield every text of a site with its front matter."""
    library = site.library
    metas: dict[str, Meta] = {f"notes/{n.file}": n.meta for n in library.notes.values()}
    metas |= {f"notes/{t.file}": t.meta for t in library.translations.values()}
    metas |= {f"notes/{i.file}": i.meta for i in library.introductions.values()}
    metas |= {f"docs/{p.file}": p.meta for p in library.pages.values()}
    for text in texts_of(library):
        yield PageText(text, metas.get(text.path))


def links_of(site: Site, page: PageText) -> Links:
    """Return the resolved links of a page."""
    return site.graph.links[page.path]


def words_of(text: str) -> Counter[str]:
    """Count the words of a text. Each Chinese character is one word."""
    return Counter(_WORD.findall(text))


def _examined(site: Site, changed: list[Links]) -> list[Finding]:
    """Return the findings of all checks, and those of rendering the changed texts, sorted."""
    found = examine(site)
    rendered = (body_renderer(site, t.text.lang).render(t, "page/", mark=False) for t in changed)
    more = grade([f for each in rendered for f in each.findings], site.library)
    return sorted({*found, *more})


def _alike(a: Note, b: Note) -> bool:
    """Return whether two notes share enough words to be the same note."""
    ours, theirs = words_of(a.body.text), words_of(b.body.text)
    most = max(ours.total(), theirs.total())
    return most > 0 and (ours & theirs).total() >= _SAME_TEXT * most


def _name(kind: str, id: str, lang: str) -> str:
    if kind == "annotation":
        return f"@{id} (our words about it)"
    if kind == "introduction":
        return f"{id} (introduction)"
    if kind == "page":
        id = f"docs/{id or 'index'}"
    return id + _LANGUAGES.get(lang, f" ({lang})")
