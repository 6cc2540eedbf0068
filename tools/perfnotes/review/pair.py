"""A Pair: two sides with their pages laid beside each other, renamed ones too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from perfnotes.checks import examine, grade
from perfnotes.graph.graph import Links, texts_of
from perfnotes.graph.site import Site
from perfnotes.graph.targets import Text
from perfnotes.model.note import Meta, Note
from perfnotes.review.side import Side
from perfnotes.site.pages.redirects import old_ids
from perfnotes.site.render.body import body_renderer
from perfnotes.text.findings import Finding

_WORD = re.compile(r"[A-Za-z0-9_]+|[\u3400-\u9fff]")
_SAME_TEXT = 0.6  # share of words in common above which a page was renamed, not written anew
_LANGUAGES = {"en": "", "zh": " (Chinese)"}


@dataclass(frozen=True)
class Written:
    """A text as one side has it; an annotation has no front matter."""

    text: Text
    meta: Meta | None

    @property
    def path(self) -> str:
        return self.text.path


@dataclass(frozen=True)
class PagePair:
    """A page before and after; one of the two may be missing."""

    name: str
    old: Written | None
    new: Written | None

    @property
    def path(self) -> str:
        """Where the page lies now, or lay."""
        found = self.new or self.old
        assert found
        return found.path

    @property
    def is_same(self) -> bool:
        """Whether the file is the same before and after, front matter and all."""
        if self.old is None or self.new is None:
            return False
        return self.old.text.body.source.text == self.new.text.body.source.text


@dataclass(frozen=True)
class Pair:
    """Two sides; ``moved`` leads from a note's old id to its new one."""

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
        """By an alias that says so, else by the same words under another name."""
        old, new = self.old.library.notes, self.new.library.notes
        gone = [n for id, n in old.items() if id not in new and id not in self.new.library.drafts]
        come = {id: n for id, n in new.items() if id not in old}
        found = {}
        for note in gone:
            heirs = [n for n in come.values() if note.id in old_ids(n)]
            heirs = heirs or [n for n in come.values() if _alike(note, n)]
            if heirs:
                found[note.id] = heirs[0].id
                del come[heirs[0].id]
        return found

    @cached_property
    def pages(self) -> list[PagePair]:
        """Every page of either side, by name."""
        old = {self._key(w.text): w for w in written(self.old)}
        new = {(w.text.kind, w.text.id, w.text.lang): w for w in written(self.new)}
        keys = sorted(old.keys() | new.keys())
        return [PagePair(_name(*key), old.get(key), new.get(key)) for key in keys]

    @property
    def both(self) -> Iterator[tuple[PagePair, Written, Written]]:
        """The pages that are there before and after."""
        for page in self.pages:
            if page.old and page.new:
                yield page, page.old, page.new

    @cached_property
    def new_paths(self) -> dict[str, str]:
        """From a file's old path to its new one, where a note was renamed."""
        found = {old.path: new.path for _, old, new in self.both if old.path != new.path}
        for old_id, new_id in self.moved.items():
            for path in self.before.objects:
                if path.startswith(f"notes/{old_id}/"):
                    found.setdefault(path, f"notes/{new_id}/" + path[len(f"notes/{old_id}/") :])
        return found

    @cached_property
    def findings(self) -> tuple[list[Finding], list[Finding]]:
        """What a check finds on either side, but for what needs whole pages built."""
        changed = [p for p in self.pages if not p.is_same]
        old = [links_of(self.old, p.old) for p in changed if p.old]
        new = [links_of(self.new, p.new) for p in changed if p.new]
        return _examined(self.old, old), _examined(self.new, new)

    def id_now(self, id: str) -> str:
        """A note's id as it is now."""
        return self.moved.get(id, id)

    def _key(self, text: Text) -> tuple[str, str, str]:
        id = self.id_now(text.id) if text.kind == "note" else text.id
        return text.kind, id, text.lang


def written(site: Site) -> Iterator[Written]:
    """Every text of a site with its front matter."""
    library = site.library
    metas: dict[str, Meta] = {f"notes/{n.file}": n.meta for n in library.notes.values()}
    metas |= {f"notes/{t.file}": t.meta for t in library.translations.values()}
    metas |= {f"notes/{i.file}": i.meta for i in library.introductions.values()}
    metas |= {f"docs/{p.file}": p.meta for p in library.pages.values()}
    for text in texts_of(library):
        yield Written(text, metas.get(text.path))


def links_of(site: Site, page: Written) -> Links:
    """What the links of a page mean."""
    return site.graph.links[page.path]


def words_of(text: str) -> Counter[str]:
    """The words of a text, each Chinese character one of them."""
    return Counter(_WORD.findall(text))


def _examined(site: Site, changed: list[Links]) -> list[Finding]:
    """All checks, and what rendering the changed texts finds."""
    found = examine(site)
    rendered = (body_renderer(site, t.text.lang).render(t, "page/", mark=False) for t in changed)
    more = grade([f for each in rendered for f in each.findings], site.library)
    return sorted({*found, *more})


def _alike(a: Note, b: Note) -> bool:
    """Whether two notes share most of their words."""
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
