"""Links, images and citations of imported pages, once every file and its parts are known."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from perfnotes.imports import assets as files
from perfnotes.imports.assets import Asset, AssetError, Assets
from perfnotes.imports.draft import Draft
from perfnotes.imports.escape import URL, address, escape, span
from perfnotes.imports.lined import Change
from perfnotes.imports.naming import stem
from perfnotes.imports.papers import Papers
from perfnotes.library import Library
from perfnotes.text.slug import bare
from perfnotes.text.tokens import Link, Wiki

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_NOTE_ENDING = re.compile(r"\.(?:md|markdown|mdx|html?|mediawiki|wiki|txt)$", re.IGNORECASE)
_SIZE = re.compile(r"\d+(?:x\d+)?$")


@dataclass
class Places:
    """What a name may mean: a draft of this import, or a note or term that is here already."""

    library: Library
    drafts: list[Draft]
    by_file: dict[str, list[Draft]] = field(default_factory=dict)
    by_name: dict[str, list[str]] = field(default_factory=dict)  # to source files
    known: dict[str, str] = field(default_factory=dict)  # to ids of notes that are here
    terms: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for draft in self.drafts:
            self.by_file.setdefault(draft.file, []).append(draft)
        for file, parts in self.by_file.items():
            path = _NOTE_ENDING.sub("", file)
            names = [path, posixpath.basename(path), stem(file), parts[0].title, parts[0].slug,
                     *parts[0].aliases]  # fmt: skip
            if PurePosixPath(file).stem.lower() in ("index", "_index", "readme"):
                names.append(posixpath.dirname(file))
            for name in dict.fromkeys(_plain(n) for n in names if n):
                self.by_name.setdefault(name, []).append(file)
        for note in [*self.library.notes.values(), *self.library.drafts.values()]:
            for name in (note.id, note.slug, note.meta.title, *note.meta.aliases):
                self.known.setdefault(_plain(name), note.id)
        for twin in self.library.translations.values():
            self.known.setdefault(_plain(twin.meta.title), twin.note.id)
        for term in self.library.terms.values():
            for name in (term.id, *term.spellings("en"), *term.spellings("zh")):
                self.terms.setdefault(_plain(name), term.id)

    def named(self, name: str, draft: Draft) -> str:
        """The source file that a name means for this draft, or an empty string."""
        folder = posixpath.dirname(draft.file)
        path = _NOTE_ENDING.sub("", name.strip().replace("\\", "/")).strip("/")
        for each in (posixpath.normpath(f"{folder}/{path}"), path, posixpath.basename(path)):
            found = self.by_name.get(_plain(each), [])
            if len(found) > 1:
                near = [f for f in found if posixpath.dirname(f) == folder]
                found = near or sorted(found, key=lambda f: (f.count("/"), f))
            if found:
                return found[0]
        return ""

    def file(self, path: str, draft: Draft) -> str:
        """The source file of a relative address."""
        folder = posixpath.dirname(draft.file)
        bare_path = _NOTE_ENDING.sub("", unquote(path)).rstrip("/")
        joined = posixpath.normpath(f"{folder}/{bare_path}" if folder else bare_path)
        # Where a site gives each page a folder, its relative links begin one folder further down.
        below = posixpath.normpath(f"{_NOTE_ENDING.sub('', draft.file)}/{bare_path}")
        for each in (joined, bare_path.strip("/"), below):
            for wanted in (each, f"{each}/index", f"{each}/_index", f"{each}/README"):
                found = self.by_name.get(_plain(wanted), [])
                exact = [f for f in found if _plain(_NOTE_ENDING.sub("", f)) == _plain(wanted)]
                if exact:
                    return exact[0]
        if path.startswith("/") or "/" not in path.strip("/") or _NOTE_ENDING.search(path):
            return self.named(posixpath.basename(bare_path), draft)
        tail = _plain(re.sub(r"^(?:\.{0,2}/)+", "", bare_path))
        found = self.by_name.get(_plain(posixpath.basename(bare_path)), [])
        ending = [f for f in found if f"/{_plain(_NOTE_ENDING.sub('', f))}".endswith(f"/{tail}")]
        return ending[0] if len(ending) == 1 else ""

    def target(self, file: str, anchor: str, draft: Draft) -> str:
        """The address of a file's part, seen from a draft."""
        parts = self.by_file[file]
        wanted = bare(unquote(anchor).rpartition("#")[2])
        if wanted:
            for part in parts:
                if wanted in part.anchors:
                    return _relative(draft, part.path, part.anchors[wanted])
                if wanted == bare(part.title):
                    return _relative(draft, part.path, "")
        own = draft if draft in parts else parts[0]
        return "" if own is draft else _relative(draft, own.path, "")


@dataclass
class Linker:
    """Makes the links of one draft ours."""

    draft: Draft
    places: Places
    papers: Papers
    assets: Assets
    names: dict[str, str] = field(default_factory=dict)  # of assets, by their file

    def changes(self) -> Iterator[Change]:
        document, text = self.draft.page.document, self.draft.page.text
        headings = [(h.start, h.end) for h in document.blocks.headings]
        covered: list[tuple[int, int]] = list(self.draft.page.quoted)
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
        yield from self._bare(text, covered, headings)

    def _bare(
        self, text: str, covered: list[tuple[int, int]], headings: list[tuple[int, int]]
    ) -> Iterator[Change]:
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
            elif not _is_broken(bare_url) and text[start - 1 : start] not in (
                "<",
                "(",
                '"',
                "=",
                "\\",
            ):
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
            if kind not in ("http", "https") or _is_broken(dest):
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
            yield from self._image(link, dest, kind)
            return
        if kind in ("http", "https"):
            if _is_broken(dest):
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
        title = _title(text, link)
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
            new, problem = self._named(unquote(dest.partition(":")[2]))
        elif dest.startswith("//"):
            new, problem = f"https:{dest}", ""
        elif kind and kind != "file" and len(kind) > 1:
            new, problem = "", f"the scheme {kind}: is not allowed"
        else:
            new, problem = self._path(dest)
        if new:
            if not label.strip():
                yield Change(link.label_start, link.label_end, escape(dest, links=False))
            if new != dest:
                yield Change(link.dest_start, link.dest_end, new)
        else:
            yield from self._as_words(
                link, unquote(dest.partition(":")[2]) if kind == "wiki" else dest, problem
            )

    def _named(self, name: str) -> tuple[str, str]:
        target, _, anchor = name.partition("#")
        if not target.strip():
            return self._anchor(anchor)
        file = self.places.named(target, self.draft) or self.places.file(target, self.draft)
        if file:
            return self._file(file, anchor)
        known = self.places.known.get(_plain(target))
        if known:
            return self._note(known, anchor), ""
        return "", "no note here or in this import is called so"

    def _file(self, file: str, anchor: str) -> tuple[str, str]:
        """The address of an imported file's note; the page itself is its first heading."""
        found = self.places.target(file, anchor, self.draft)
        if found:
            return found, ""
        return self._anchor(anchor) if anchor else ("", "the link leads to its own page")

    def _anchor(self, anchor: str) -> tuple[str, str]:
        wanted = bare(unquote(anchor))
        if wanted in self.draft.anchors:
            return f"#{self.draft.anchors[wanted]}", ""
        for part in self.places.by_file[self.draft.file]:
            if part is not self.draft and (wanted in part.anchors or wanted == bare(part.title)):
                return _relative(self.draft, part.path, part.anchors.get(wanted, "")), ""
        if anchor.startswith(("fn", "_ftn")):
            return "", "a footnote's mark"
        return "", "no heading here is called so"

    def _note(self, id: str, anchor: str) -> str:
        notes = {**self.places.library.drafts, **self.places.library.notes}
        note = notes[id]
        found = note.body.like_anchors.get(bare(unquote(anchor))) if anchor else ""
        return _relative(self.draft, note.file, found or "")

    def _path(self, dest: str) -> tuple[str, str]:
        path, _, anchor = dest.partition("#")
        path = path.partition("?")[0]
        if not path.strip():
            return self._anchor(anchor)
        file = self.places.file(path, self.draft)
        if file:
            return self._file(file, anchor)
        folder = posixpath.dirname(self.draft.file)
        asset = self.assets.find(path, folder)
        if asset:
            try:
                return self._bring(asset), ""
            except AssetError as error:
                return "", f"the file does not come along: {error}"
        if self.assets.outside(path, folder):
            return "", "it leads out of what is imported; import the folder above"
        known = self.places.known.get(_plain(_NOTE_ENDING.sub("", unquote(path)).strip("/")))
        if known:
            return self._note(known, anchor), ""
        return "", "no file or note at this address"

    def _as_words(self, link: Link, dest: str, problem: str) -> Iterator[Change]:
        text = self.draft.page.text
        label, title = text[link.label_start : link.label_end], _title(text, link)
        shown = dest if len(dest) <= 200 or not dest.startswith("data:") else dest[:40] + "…"
        aside = dest if shown != dest else ""
        said = f"a link to {shown[:120]!r} became words: {problem}"
        yield Change(link.start, link.label_start, "")
        more = (
            ""
            if label.strip() in (dest, f"`{dest}`")
            else f" ({span(shown)})"
            if shown.strip()
            else ""
        )
        if not label.strip():
            more = span(shown)
        more += f" ({title})" if title else ""
        yield Change(
            link.label_end, link.end, more, said, "write the link anew, or leave it", aside
        )

    def _image(self, link: Link, dest: str, kind: str) -> Iterator[Change]:
        text = self.draft.page.text
        label = text[link.label_start : link.label_end]
        try:
            if kind == "data":
                made = files.inline(dest)
                if made is None:
                    raise AssetError("its address holds no picture that we know")
                name = self._put(made)
            elif kind in ("http", "https") or dest.startswith("//"):
                if _is_broken(dest):
                    raise LookupError("this is no web address")
                yield from self._remote(link, dest, label)
                return
            else:
                found = self._found(dest)
                name = self._bring(found)
        except AssetError as error:
            yield from self._refused(link, dest, label, str(error))
            return
        except LookupError as error:
            yield from self._refused(link, dest, label, str(error))
            return
        if not label.strip():
            shown = "picture" if kind == "data" else _words(dest)
            said = f"an image without words: {shown!r}, from its name"
            yield Change(link.label_start, link.label_end, escape(shown, links=False), said,
                         "say in a sentence what it shows")  # fmt: skip
        yield Change(link.dest_start, link.dest_end, name)

    def _found(self, dest: str) -> str:
        folder = posixpath.dirname(self.draft.file)
        path = unquote(dest.partition("wiki:")[2] or dest)
        found = self.assets.find(path, folder)
        if found:
            return found
        if self.assets.outside(path, folder):
            raise LookupError("it lies outside of what is imported; import the folder above")
        raise LookupError("no file at this address")

    def _remote(self, link: Link, dest: str, label: str) -> Iterator[Change]:
        said = f"the image {dest[:120]} lies elsewhere: it is not fetched, and became a link"
        yield Change(link.start, link.start + 1, "", said, "put the file beside the note")
        if not label.strip():
            yield Change(link.label_start, link.label_end, escape(_words(dest), links=False))
        if dest.startswith("//"):
            yield Change(link.dest_start, link.dest_end, f"https:{dest}")

    def _refused(self, link: Link, dest: str, label: str, problem: str) -> Iterator[Change]:
        shown = dest if len(dest) <= 200 else dest[:40] + "…"
        title = _title(self.draft.page.text, link)
        said = f"the image {shown[:120]!r} does not come along: {problem}"
        yield Change(link.start, link.label_start, "")
        aside = "" if shown == dest else dest
        new = f" ({span(shown)})" if label.strip() else span(shown)
        new += f" ({title})" if title else ""
        yield Change(link.label_end, link.end, new, said, "put the file beside the note", aside)

    def _bring(self, file: str) -> str:
        if file not in self.names:
            data = self.assets.load(file)
            name = files.plain_name(file, set(self.draft.assets))
            self.draft.assets[name] = data
            self.names[file] = name
        return self.names[file]

    def _put(self, made: Asset) -> str:
        self.draft.assets[made.name] = made.data
        return made.name

    def _wiki(self, wiki: Wiki) -> Change:
        text = self.draft.page.text
        source = text[wiki.start : wiki.end]
        target, label = wiki.target, wiki.label
        name = target.partition("#")[0].strip()
        if not source.lstrip("!").startswith(("[[ ", "[[\t")):
            if wiki.embed or PurePosixPath(name).suffix.lstrip(".").lower() in files.PICTURES:
                change = self._embedded(wiki, name, label)
                if change:
                    return change
            pairs = [(target, label)] + ([(label, target)] if label else [])
            for wanted, shown in pairs:
                new, _ = self._named(wanted)
                if new:
                    words = shown or escape(wanted.replace("#", " § "), links=False)
                    if label and wanted is label:
                        words = escape(target, links=False)
                    said = "an embedded note became a link to it" if wiki.embed else ""
                    return Change(wiki.start, wiki.end, f"[{words}]({new})", said)
            term = self.places.terms.get(_plain(name))
            if term and not wiki.embed:
                bar = "\\|" if _in_table(self.draft, wiki.start) else "|"
                return Change(wiki.start, wiki.end, f"[[{term}{bar}{label or target}]]",
                              f"{source} is the glossary term {term!r}")  # fmt: skip
        kept = source.replace("[[", "\\[\\[").replace("]]", "\\]\\]")
        kept = re.sub(r"(?<!\\)\|", r"\\|", kept) if _in_table(self.draft, wiki.start) else kept
        said = f"{source[:120]} names no note: kept as words"
        return Change(wiki.start, wiki.end, kept, said, "write the note, or take the brackets out")

    def _embedded(self, wiki: Wiki, name: str, label: str) -> Change | None:
        """A picture or file in double brackets; None where there is none of that name."""
        found = self.assets.find(name, posixpath.dirname(self.draft.file))
        if not found or _NOTE_ENDING.search(found):
            return None
        picture = PurePosixPath(found).suffix.lstrip(".").lower() in files.PICTURES
        words = "" if _SIZE.match(label) else label
        source = self.draft.page.text[wiki.start : wiki.end]
        try:
            new = self._bring(found)
        except AssetError as error:
            said = f"{source[:120]} does not come along: {error}"
            return Change(wiki.start, wiki.end, span(source), said, "put the file beside the note")
        said, aside = "", source if label and not words else ""
        if not words:
            words = escape(_words(name) if picture else name, links=False)
            said = f"an image without words: {words!r}, from its name" if picture else ""
        mark = "!" if picture and wiki.embed else ""
        return Change(wiki.start, wiki.end, f"{mark}[{words}]({new})", said,
                      "say in a sentence what it shows" if said else "", aside)  # fmt: skip


def _title(text: str, link: Link) -> str:
    """The words in quotes behind an address."""
    rest = text[link.dest_end : link.end - 1].lstrip("> \t\n").strip()
    return rest[1:-1].strip() if len(rest) > 1 and rest[0] in "\"'(" else rest


def _words(dest: str) -> str:
    """A file's name as words."""
    try:
        path = unquote(urlsplit(dest).path)
    except ValueError:
        path = dest
    name = PurePosixPath(path.replace("\\", "/")).stem
    return " ".join(re.sub(r"[-_+%\x00-\x1f]+", " ", name).split()) or "picture"


def _relative(draft: Draft, path: str, anchor: str) -> str:
    joined = posixpath.relpath(path, posixpath.dirname(draft.path))
    return f"{joined}#{anchor}" if anchor else joined


def _in_table(draft: Draft, at: int) -> bool:
    return any(a <= at < b for a, b in draft.page.document.blocks.tables)


def _plain(name: str) -> str:
    """A name without case, and with hyphens and underscores for spaces, as wikis have it."""
    return re.sub(r"[\s_-]+", " ", unquote(name)).strip().casefold()


def _is_broken(url: str) -> bool:
    try:
        return not urlsplit(url).hostname
    except ValueError:
        return True
