"""Resolves the links, images and citations of drafts. All drafts must have their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import unquote

from perfnotes.contribute.imports import assets as files
from perfnotes.contribute.imports.assets import Assets
from perfnotes.contribute.imports.draft import Draft
from perfnotes.contribute.imports.escape import URL, address, destination, escape, escape_bars, span
from perfnotes.contribute.imports.imported_page import Change
from perfnotes.contribute.imports.papers import Papers
from perfnotes.contribute.imports.pictures import ImportedPictures, is_broken, link_title
from perfnotes.contribute.imports.places import ImportPlaces, lookup_key
from perfnotes.contribute.imports.targets import ImportTargets
from perfnotes.text.tokens import Link, Wiki

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_BEFORE_ADDRESS = ("<", "(", '"', "=", "\\")  # after one of these an address does not become a link


@dataclass
class Linker:
    """Resolves the links of one draft."""

    draft: Draft
    places: ImportPlaces
    papers: Papers
    assets: Assets
    names: dict[str, str] = field(default_factory=dict)  # new names of files copied to its folder
    pictures: ImportedPictures = field(init=False)
    targets: ImportTargets = field(init=False)

    def __post_init__(self) -> None:
        self.pictures = ImportedPictures(self.draft, self.assets, self.names)
        self.targets = ImportTargets(self.draft, self.places, self.pictures)

    def changes(self) -> Iterator[Change]:
        """The Changes for all links, images, citations and bare addresses of the draft.

        The files that they lead to are copied into ``draft.assets``.
        """
        document, text = self.draft.page.document, self.draft.page.text
        headings = [(h.start, h.end) for h in document.blocks.headings]
        covered: list[tuple[int, int]] = list(self.draft.page.verbatim)
        outer = 0
        for link in sorted(document.links, key=lambda k: (k.start, -k.end)):
            covered.append((link.start, link.end))
            nested = link.start < outer
            outer = max(outer, link.end)
            in_heading = any(a <= link.start < b for a, b in headings)
            yield from self._link(link, cite=not nested and not in_heading)
        for wiki in document.wikis:
            covered.append((wiki.start, wiki.end))
            yield self._wiki(wiki)
        for citation in document.citations:
            for item in citation.items:
                if item.key not in self.places.library.references:
                    at = text.rfind("@", citation.start, item.key_start)
                    if at >= 0:
                        said = f"@{item.key} names no reference of ours: kept as words"
                        yield Change(at, at, "\\", said, "add it with: perfnotes cite")
        covered += [(t.start, t.end) for t in document.tags]
        covered += [(d.start, d.end) for d in document.blocks.definitions]
        covered.sort()
        yield from self._bare_addresses(text, covered, headings)

    def _bare_addresses(
        self, text: str, covered: list[tuple[int, int]], headings: list[tuple[int, int]]
    ) -> Iterator[Change]:
        """Addresses in running text become citations or links.

        ``covered`` are the sorted spans of links, code and the like, in which nothing is changed.
        """
        i = 0
        for found in URL.finditer(text):
            start = found.start()
            while i < len(covered) and covered[i][1] <= start:
                i += 1
            if any(a <= start < b for a, b in covered[i : i + 8]):
                continue
            bare_url = address(found[0])
            end = start + len(bare_url)
            key, why = self.papers.key(bare_url)
            if key and not any(a <= start < b for a, b in headings):
                yield self._cited(start, end, f"[@{key}]", bare_url, key, why)
            elif not is_broken(bare_url) and text[start - 1 : start] not in _BEFORE_ADDRESS:
                yield Change(start, end, f"<{bare_url}>")

    def _cited(self, start: int, end: int, new: str, url: str, key: str, why: str) -> Change:
        said = f"{url[:120]} is a known paper by its {why}: [@{key}]"
        return Change(start, end, new, said, "add the place in it: [@key, sec. 4]")

    def _link(self, link: Link, *, cite: bool) -> Iterator[Change]:
        text = self.draft.page.text
        dest = text[link.dest_start : link.dest_end]
        image = link.kind == "image"
        if link.kind not in ("inline", "image", "auto"):
            return
        scheme = _SCHEME.match(dest.strip())
        kind = scheme[1].lower() if scheme else ""
        if link.kind == "auto":
            if kind not in ("http", "https") or is_broken(dest):
                shown = text[link.start + 1 : link.end - 1]
                yield Change(
                    link.start,
                    link.end,
                    span(shown),
                    f"{shown[:80]!r} is kept as code: links are https: or http:",
                )
                return
            key, why = self.papers.key(dest)
            if key and cite:
                yield self._cited(link.start, link.end, f"[@{key}]", dest, key, why)
            return
        if image:
            yield from self.pictures.image(link, dest, kind)
            return
        if kind in ("http", "https"):
            if is_broken(dest):
                yield from self._as_words(link, dest, "this is no web address")
                return
            key, why = self.papers.key(dest)
            if key and cite:
                yield from self._labelled(link, dest, key, why)
            elif not text[link.label_start : link.label_end].strip():
                yield Change(link.label_start, link.label_start, escape(dest, links=False))
            return
        yield from self._local(link, dest, kind)

    def _labelled(self, link: Link, dest: str, key: str, why: str) -> Iterator[Change]:
        text = self.draft.page.text
        label = text[link.label_start : link.label_end].strip()
        title = link_title(text, link)
        if not label or label.strip("<>") == dest:
            new = f"[@{key}]" + (f" ({title})" if title else "")
            yield self._cited(link.start, link.end, new, dest, key, why)
            return
        yield Change(link.start, link.label_start, "")
        new = (f" ({title})" if title else "") + f" [@{key}]"
        yield self._cited(link.label_end, link.end, new, dest, key, why)

    def _local(self, link: Link, dest: str, kind: str) -> Iterator[Change]:
        text = self.draft.page.text
        label = text[link.label_start : link.label_end]
        if kind == "wiki":
            new, problem = self.targets.named(unquote(dest.partition(":")[2]))
        elif dest.startswith("//"):
            new, problem = f"https:{dest}", ""
        elif kind and kind != "file" and len(kind) > 1:
            new, problem = "", f"the scheme {kind}: is not allowed"
        else:
            new, problem = self.targets.path(dest)
        if new:
            if not label.strip():
                yield Change(link.label_start, link.label_end, escape(dest, links=False))
            if new != dest:
                yield Change(link.dest_start, link.dest_end, new)
        else:
            yield from self._as_words(
                link, unquote(dest.partition(":")[2]) if kind == "wiki" else dest, problem
            )

    def _as_words(self, link: Link, dest: str, problem: str) -> Iterator[Change]:
        text = self.draft.page.text
        label, title = text[link.label_start : link.label_end], link_title(text, link)
        shown = dest if len(dest) <= 200 or not dest.startswith("data:") else dest[:40] + "…"
        aside = dest if shown != dest else ""
        said = f"a link to {shown[:120]!r} became words: {problem}"
        yield Change(link.start, link.label_start, "")
        if not label.strip():
            more = span(shown)
        elif label.strip() in (dest, f"`{dest}`") or not shown.strip():
            more = ""
        else:
            more = f" ({span(shown)})"
        more += f" ({title})" if title else ""
        yield Change(
            link.label_end, link.end, more, said, "write the link again, or leave it", aside
        )

    def _wiki(self, wiki: Wiki) -> Change:
        text = self.draft.page.text
        source = text[wiki.start : wiki.end]
        target, label = wiki.target, wiki.label
        name = target.partition("#")[0].strip()
        if target.lower().startswith(("http://", "https://")) and not is_broken(target):
            words = label or escape(target, links=False)
            return Change(wiki.start, wiki.end, f"[{words}]({destination(target)})")
        if not source.lstrip("!").startswith(("[[ ", "[[\t")):
            if wiki.embed or PurePosixPath(name).suffix.lstrip(".").lower() in files.PICTURES:
                change = self.pictures.embedded(wiki, name, label)
                if change:
                    return change
            pairs = [(target, label), (target.replace(":", "/"), label or target)]
            pairs += [(label, target)] if label else []
            for wanted, shown in pairs:
                new, _ = self.targets.named(wanted)
                if new:
                    words = shown or escape(
                        wanted.replace("#", " § ").removeprefix(" § "), links=False
                    )
                    if label and wanted is label:
                        words = escape(target, links=False)
                    said = "an embedded note became a link to it" if wiki.embed else ""
                    return Change(wiki.start, wiki.end, f"[{words}]({new})", said)
            term = self.places.terms.get(lookup_key(name))
            if term and not wiki.embed:
                bar = "\\|" if _in_table(self.draft, wiki.start) else "|"
                return Change(wiki.start, wiki.end, f"[[{term}{bar}{label or target}]]",
                              f"{source} is the glossary term {term!r}")  # fmt: skip
        kept = source.replace("[[", "\\[\\[").replace("]]", "\\]\\]")
        kept = escape_bars(kept) if _in_table(self.draft, wiki.start) else kept
        is_picture = PurePosixPath(name).suffix.lstrip(".").lower() in files.PICTURES
        said = f"{source[:120]} names no {'picture' if is_picture else 'note'}: kept as words"
        todo = "add the picture" if is_picture else "write the note"
        return Change(wiki.start, wiki.end, kept, said, f"{todo}, or take the brackets out")


def _in_table(draft: Draft, at: int) -> bool:
    return any(a <= at < b for a, b in draft.page.document.blocks.tables)
