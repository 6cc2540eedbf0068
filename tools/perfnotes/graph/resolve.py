"""Resolving: finding the note, term, file or address that a link in a note means."""

from __future__ import annotations

import html
import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from itertools import chain
from urllib.parse import unquote, urlsplit

from perfnotes.graph.address import relative
from perfnotes.graph.foreign_targets import ForeignTargets, without_liquid
from perfnotes.graph.published import PICTURES, unpublished
from perfnotes.graph.targets import NONE, LinkedText, Target
from perfnotes.model.library import Library
from perfnotes.source.read.walk import safe_id
from perfnotes.text.body import Body
from perfnotes.text.nearest import Guesses
from perfnotes.text.slug import bare_id

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_STRIPPED = re.compile(r"[\x00-\x20]+")
LINKABLE = re.compile(r"[\w.+,@~-]+(?:/[\w.+,@~-]+)*")  # an alias that a wiki link may use
WEB = ("http", "https")
EVIDENCE = ("lab", "fact")

# Pages in docs/ link these files, so that the links work on a code host. On the site such a link
# leads to the section that is made from the file.
SECTION_SOURCES = {
    "notes/tags.yml": "tags",
    "notes/glossary.yml": "glossary",
    "notes/references.bib": "references",
    "notes/facts": "facts",
    "notes/latency.yml": "latency-numbers",
    "notes/symptoms.yml": "symptoms",
    "notes/tools.yml": "tools",
    "notes/wanted.yml": "help-wanted",
    "tools/perfnotes/checks": "checks",
}

# What to report about a link or citation: a check's code, the message and a hint.
Problem = tuple[str, str, str]


class Resolver:
    """Looks up targets in a library. Every method returns a target, and a problem or None."""

    def __init__(self, library: Library, texts: Iterable[LinkedText]) -> None:
        self.library = library
        self.by_path = {t.path: t for t in texts}
        self._assets = {f"notes/{a}" for a in library.assets}
        self._assets |= {f"docs/{a}" for a in library.page_assets}
        paths = [*self.by_path, *self._assets]
        self._foreign = None if library.own else ForeignTargets(library, paths)
        self._slugs: dict[str, list[str]] = defaultdict(list)
        self._aliases: dict[str, str] = {}
        for note in library.notes.values():
            self._slugs[note.slug].append(note.id)
            for alias in note.meta.aliases:
                if LINKABLE.fullmatch(alias):
                    self._aliases.setdefault(alias, note.id)
        self._terms: dict[str, str] = {}
        for term in library.terms.values():
            for name in (term.id, *term.spellings("en"), *term.spellings("zh")):
                self._terms.setdefault(name.casefold(), term.id)

    def wiki(self, target: str, text: LinkedText) -> tuple[Target, Problem | None]:
        """The target of a wiki link, ``[[target#anchor]]``; ``text`` is the text that holds it."""
        name, _, anchor = target.partition("#")
        name, anchor = name.strip(), anchor.strip()
        if not name:
            return self._anchor(text, anchor) if anchor else (NONE, None)
        id = self._note_id(name, text)
        if isinstance(id, str):
            return self._with_anchor(Target("note", id, anchor), text.lang, text.guesses)
        if id:  # several
            choice = ", ".join(sorted(id))
            return NONE, ("PN302", f"[[{name}]] may be any of {choice}", "write the full id")
        term = self._terms.get(name.casefold())
        if term:
            return Target("term", term), None
        if self._foreign:
            path = self._foreign.file_named(name, text.path)
            if path in self.by_path:
                return self._to_text(self.by_path[path], anchor, text.guesses)
            if path:
                return self._file(path)
        return NONE, self._unknown_wiki(name, target, text.guesses)

    def _note_id(self, name: str, text: LinkedText) -> str | list[str] | None:
        notes = self.library.notes
        if name in notes:
            return name
        if name in self._aliases:
            return self._aliases[name]
        if self._foreign:
            return self._foreign.note(name, text.topic)
        candidates = self._slugs.get(name, [])
        return candidates[0] if len(candidates) == 1 else candidates or None

    def _unknown_wiki(self, name: str, target: str, guesses: Guesses) -> Problem | None:
        if not LINKABLE.fullmatch(name):
            return self._foreign.unknown(target) if self._foreign else None  # [[ -f x ]]
        if name in self.library.drafts:
            return "PN301", f"[[{name}]] is a draft, which the site leaves out", "publish it first"
        known = (self.library.notes, self._slugs, self._terms, self._aliases)
        guess = guesses.nearest(name, *known)
        if guess:
            return "PN301", f"no note or term is called {name!r}", f"did you mean [[{guess}]]?"
        if "/" in name or "#" in target or "-" in name:
            hint = "write the id of a note or term, or put it in a code span if it is no link"
            message = f"[[{target}]] looks like a link, but no note or term has this name"
            return "PN305", message, hint
        return self._foreign.unknown(target) if self._foreign else None  # [[nodiscard]]

    def link(
        self, dest: str, text: LinkedText, *, is_image: bool = False
    ) -> tuple[Target, Problem | None]:
        """The target of a Markdown link or image with the destination ``dest``."""
        if self._foreign:
            dest = without_liquid(dest)
            if "{{" in dest or "{%" in dest:
                return NONE, None  # a template that only its own system can fill in
        raw = _STRIPPED.sub("", html.unescape(dest))
        if not raw:
            return NONE, ("PN304", "the link leads nowhere", "give it a destination")
        scheme = _SCHEME.match(raw)
        if scheme and scheme[1].lower() in WEB:
            if _is_broken(raw):
                return NONE, ("PN304", "this is no web address", "check its host and brackets")
            return Target("url", dest), None
        if scheme and scheme[1].lower() in EVIDENCE:
            return Target("evidence", raw), None
        if scheme and scheme[1].lower() == "plot" and self.library.own:
            return Target("plot", raw), None
        if scheme:
            hint = "links may be relative, https: or http:"
            return NONE, ("PN602", f"the address scheme {scheme[0]!r} is not allowed", hint)
        if raw.startswith(("//", "\\\\")):
            return NONE, ("PN602", "an address without its scheme", "write https://…")
        path, _, anchor = html.unescape(dest).strip().partition("#")
        path, anchor = unquote(path.partition("?")[0]), unquote(anchor)
        if not path:
            return self._anchor(text, anchor) if anchor else (Target("anchor"), None)
        return self._path(path, anchor, text, is_image=is_image)

    def _path(
        self, path: str, anchor: str, text: LinkedText, *, is_image: bool
    ) -> tuple[Target, Problem | None]:
        if path.startswith("/"):
            if self.library.own:
                return NONE, ("PN304", f"{path!r} starts at the root", "write a relative link")
            joined = posixpath.normpath("notes" + path)
        else:
            joined = posixpath.normpath(posixpath.join(posixpath.dirname(text.path), path))
        inside = joined == "." or joined.split("/")[0] in ("notes", "docs")
        if self._foreign:
            found = self._foreign.path(path, joined if inside else "", text.path)
            if found.startswith("topic:"):
                return Target("topic", found.removeprefix("topic:")), None
            joined, inside = found or joined, inside or bool(found)
        elif path.endswith("/") and f"{joined}/index.md" in self.by_path:
            joined = f"{joined}/index.md"
        if joined.startswith("..") or "\0" in joined:
            return NONE, ("PN306", f"{path!r} leads out of the tree", "copy what you need here")
        if text.kind == "page" and joined in SECTION_SOURCES:
            return Target("section", SECTION_SOURCES[joined]), None
        if not inside:
            return NONE, ("PN306", f"{path!r} leads out of the notes", "link notes and their files")
        if joined in self.by_path:
            return self._to_text(self.by_path[joined], anchor, text.guesses)
        if joined in self._assets:
            return self._file(joined)
        topic = joined.removeprefix("notes").strip("/")
        if topic in self.library.topics:
            return Target("topic", topic), None
        return NONE, self._unknown_path(joined, path, text, is_image=is_image)

    def _file(self, path: str) -> tuple[Target, Problem | None]:
        suffix = unpublished(path)
        if not suffix:
            return Target("file", path), None
        hint = "only pictures, data and source code are: convert it, or link its public address"
        return NONE, ("PN307", f"a file of type {suffix!r} is not published", hint)

    def _to_text(
        self, found: LinkedText, anchor: str, guesses: Guesses
    ) -> tuple[Target, Problem | None]:
        if found.kind == "note":
            return self._with_anchor(Target("note", found.id, anchor), found.lang, guesses)
        if found.kind == "introduction":
            if not anchor or self._is_title(found, anchor):
                return Target("topic", found.id), None
            where = found.path.removeprefix("notes/")
            anchor, problem = self._heading(found.body, anchor, where, guesses)
            return Target("topic", found.id, anchor), problem
        if found.kind == "page":
            return Target("page", found.id, anchor), None
        return NONE, ("PN304", "an annotation has no page of its own", "cite the reference")

    def _anchor(self, text: LinkedText, anchor: str) -> tuple[Target, Problem | None]:
        if text.kind in ("note", "introduction") and self._is_title(text, anchor):
            return Target("note" if text.kind == "note" else "topic", text.id), None
        anchor, problem = self._heading(text.body, anchor, "this page", text.guesses)
        return Target("anchor", "", anchor), problem

    def _with_anchor(
        self, target: Target, lang: str, guesses: Guesses
    ) -> tuple[Target, Problem | None]:
        if not target.anchor:
            return target, None
        note = self.library.notes[target.id]
        if _is_title(note.meta.title, note.body, target.anchor):
            return Target("note", note.id), None
        anchor, problem = self._heading(note.body, target.anchor, note.id, guesses)
        twin = self.library.translations.get(target.id)
        if problem and twin and lang == "zh" and target.anchor in twin.body.anchors:
            anchor, problem = target.anchor, None
        return Target("note", target.id, anchor), problem

    def _is_title(self, text: LinkedText, anchor: str) -> bool:
        library = self.library
        if text.kind == "introduction":
            return _is_title(library.introductions[text.id].meta.title, text.body, anchor)
        note = library.notes[text.id]
        twin = library.translations.get(text.id)
        of_twin = twin is not None and twin.body is text.body
        return _is_title((twin if twin and of_twin else note).meta.title, text.body, anchor)

    def _heading(
        self, body: Body, anchor: str, where: str, guesses: Guesses
    ) -> tuple[str, Problem | None]:
        anchors = body.anchors
        if anchor in anchors or anchor.startswith(("fn:", "fnref")):
            return anchor, None
        if not self.library.own:
            if anchor.startswith("^"):
                return "", None  # a block of an Obsidian note; pages have no ids for blocks
            alike = body.anchors_by_bare_id
            same = alike.get(bare_id(anchor)) or alike.get(bare_id(anchor.rpartition("#")[2]))
            if same:
                return same, None
        if guesses.left <= 0:
            return "", ("PN303", f"{where} has no heading #{anchor}", "")
        guess = guesses.nearest(anchor, anchors, cutoff=0.6)
        hint = f"did you mean #{guess}?" if guess else _headings(anchors)
        return "", ("PN303", f"{where} has no heading #{anchor}", hint)

    def _unknown_path(self, joined: str, path: str, text: LinkedText, *, is_image: bool) -> Problem:
        if safe_id(joined.removeprefix("notes/").removesuffix(".md")) in self.library.drafts:
            return "PN304", f"{path!r} is a draft, which the site leaves out", "publish it first"
        guess = self._nearest_path(joined, text.guesses, is_image=is_image)
        hint = "check the path, which is relative to this file"
        if guess:
            hint = f"did you mean {relative(text.path, guess)}?"
        return "PN304", f"no file at {path!r}", hint

    def _nearest_path(self, path: str, guesses: Guesses, *, is_image: bool) -> str | None:
        """Return the file whose name is most like that of ``path``; of equal names the nearest.

        Folders are not compared, because all files of one folder would look alike.
        """
        if not self.library.own or guesses.left <= 0:
            return None
        folder, ending = posixpath.dirname(path), posixpath.splitext(path)[1]

        def nearness(file: str) -> tuple[int, bool, str]:
            return len(posixpath.commonpath((file, folder))), file.endswith(ending), file

        known = chain(self.by_path, self._assets)
        shown = (name for name in known if not is_image or name.lower().endswith(PICTURES))
        by_name = {_own_name(file): file for file in sorted(shown, key=nearness)}
        return by_name.get(guesses.nearest(_own_name(path), by_name) or "")


def _own_name(path: str) -> str:
    """The name of a file without its folder and ending; of an ``index.md``, its folder's."""
    return posixpath.splitext(posixpath.basename(path.removesuffix("/index.md")))[0]


def _is_title(title: str, body: Body, anchor: str) -> bool:
    """Whether the anchor names the text's first heading and that heading repeats the title."""
    section = body.title_section(title)
    return section is not None and bare_id(section.id) == bare_id(anchor)


def _is_broken(address: str) -> bool:
    """Whether the address cannot be parsed, such as ``http://[::1``."""
    try:
        urlsplit(address)
    except ValueError:
        return True
    return False


def _headings(anchors: Collection[str]) -> str:
    few = ", ".join(f"#{a}" for a in sorted(anchors)[:5]) + (" …" if len(anchors) > 5 else "")
    return f"its headings: {few}" if anchors else "it has no headings"
