"""Resolving: from what a note writes to the note, term, file or address that it means."""

from __future__ import annotations

import html
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from perfnotes.library import Library
from perfnotes.link.targets import NONE, Target, Text
from perfnotes.nearest import nearest
from perfnotes.read.walk import safe_id

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_STRIPPED = re.compile(r"[\x00-\x20]+")
_WIKI_ID = re.compile(r"[\w.+,@~-]+(?:/[\w.+,@~-]+)*$")
WEB = ("http", "https")
EVIDENCE = ("lab", "fact")
# Files that may lie beside a note and be published with it. None of them runs in a browser.
PUBLISHED = (
    "svg png jpg jpeg gif webp avif ico pdf txt csv tsv json yml yaml toml bib log diff patch "
    "c h cc cpp hpp cu cuh py sh bash rs go java s asm ll ptx cmake mk tex zip gz xz"
).split()

# What a page in docs/ links on a code host as a file leads on the site to what is made from it.
SECTION_SOURCES = {
    "notes/tags.yml": "tags",
    "notes/glossary.yml": "glossary",
    "notes/references.bib": "references",
    "tools/perfnotes/checks": "checks",
}

Problem = tuple[str, str, str]  # code, message, hint


class Resolver:
    """Looks targets up in a library. Every method gives a target and perhaps a problem."""

    def __init__(self, library: Library, texts: Iterable[Text]) -> None:
        self.library = library
        self.by_path = {t.path: t for t in texts}
        self._lower = {path.casefold(): path for path in self.by_path}
        self._assets = {f"notes/{a}" for a in library.assets}
        self._assets |= {f"docs/{a}" for a in library.page_assets}
        self._slugs: dict[str, list[str]] = defaultdict(list)
        self._names: dict[str, list[str]] = defaultdict(list)
        self._aliases: dict[str, str] = {}
        for note in library.notes.values():
            self._slugs[note.slug].append(note.id)
            self._names[note.meta.title.casefold()].append(note.id)
            self._names[posixpath.basename(note.file).rpartition(".")[0].casefold()].append(note.id)
            for alias in note.meta.aliases:
                if _WIKI_ID.match(alias):
                    self._aliases.setdefault(alias, note.id)
        self._terms = {}
        for term in library.terms.values():
            for name in (term.id, *term.spellings("en"), *term.spellings("zh")):
                self._terms.setdefault(name.casefold(), term.id)

    def wiki(self, target: str, text: Text) -> tuple[Target, Problem | None]:
        """``[[target#anchor]]``."""
        name, _, anchor = target.partition("#")
        name, anchor = name.strip(), anchor.strip()
        if not name:
            return self._anchor(text, anchor) if anchor else (NONE, None)
        id = self._note_id(name, text)
        if isinstance(id, str):
            return self._with_anchor(Target("note", id, anchor), text.lang)
        if id:  # several
            choice = ", ".join(sorted(id))
            return NONE, ("PN302", f"[[{name}]] may be any of {choice}", "write the full id")
        term = self._terms.get(name.casefold())
        if term:
            return Target("term", term), None
        return NONE, self._unknown_wiki(name, target)

    def _note_id(self, name: str, text: Text) -> str | list[str] | None:
        notes = self.library.notes
        if name in notes:
            return name
        if name in self._aliases:
            return self._aliases[name]
        candidates = self._slugs.get(name, [])
        if not candidates and not self.library.own:
            wanted = name.removesuffix(".md").casefold()
            candidates = self._names.get(wanted, []) or self._names.get(
                posixpath.basename(wanted), []
            )
            candidates = sorted(set(candidates))
        if len(candidates) > 1:
            here = [c for c in candidates if notes[c].topic == text.topic]
            return here[0] if len(here) == 1 and not self.library.own else candidates
        return candidates[0] if candidates else None

    def _unknown_wiki(self, name: str, target: str) -> Problem | None:
        if not _WIKI_ID.match(name):
            return None  # [[ -f x ]] and the like
        if name in self.library.drafts:
            return "PN301", f"[[{name}]] is a draft, which the site leaves out", "publish it first"
        known = [*self.library.notes, *self._slugs, *self._terms, *self._aliases]
        guess = nearest(name, known)
        if guess:
            return "PN301", f"no note or term is called {name!r}", f"did you mean [[{guess}]]?"
        if "/" in name or "#" in target or "-" in name:
            hint = "put it in a code span if it is no link"
            return "PN305", f"[[{target}]] looks like a link, but no note or term is called so", hint
        return None  # [[nodiscard]]

    def link(self, dest: str, text: Text) -> tuple[Target, Problem | None]:
        """The destination of a Markdown link or image."""
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
        if scheme:
            hint = "links may be relative, https: or http:"
            return NONE, ("PN602", f"the address scheme {scheme[0]!r} is not allowed", hint)
        if raw.startswith(("//", "\\\\")):
            return NONE, ("PN602", "an address without its scheme", "write https://…")
        path, _, anchor = html.unescape(dest).strip().partition("#")
        path, anchor = unquote(path.partition("?")[0]), unquote(anchor)
        if not path:
            return self._anchor(text, anchor) if anchor else (Target("anchor"), None)
        return self._path(path, anchor, text)


    def _path(self, path: str, anchor: str, text: Text) -> tuple[Target, Problem | None]:
        if path.startswith("/"):
            if self.library.own:
                return NONE, ("PN304", f"{path!r} starts at the root", "write a relative link")
            joined = posixpath.normpath("notes" + path)
        else:
            joined = posixpath.normpath(posixpath.join(posixpath.dirname(text.path), path))
        if joined.startswith("..") or "\0" in joined:
            return NONE, ("PN306", f"{path!r} leads out of the tree", "copy what you need here")
        if text.kind == "page" and joined in SECTION_SOURCES:
            return Target("section", SECTION_SOURCES[joined]), None
        inside = joined == "." or joined.split("/")[0] in ("notes", "docs")
        if not inside:
            return NONE, ("PN306", f"{path!r} leads out of the notes", "link notes and their files")
        found = self._text_at(joined, path.endswith("/"))
        if found:
            return self._to_text(found, anchor, text)
        if joined in self._assets:
            suffix = joined.rpartition(".")[2].lower()
            if suffix in PUBLISHED:
                return Target("file", joined), None
            hint = "files that a browser would run are not published"
            return NONE, ("PN307", f"a file of type {suffix!r} cannot be linked", hint)
        topic = joined.removeprefix("notes").strip("/")
        if topic in self.library.topics or (not topic and not self.library.own):
            return Target("topic", topic), None
        return NONE, self._unknown_path(joined, path)

    def _text_at(self, joined: str, folder: bool) -> Text | None:
        names = [joined]
        if not self.library.own:
            stem = re.sub(r"\.(?:html?|markdown)$", "", joined)
            names += [f"{stem}.md", f"{joined}/index.md", f"{joined}/README.md", f"{stem}.markdown"]
        elif folder:
            names += [f"{joined}/index.md"]
        for name in names:
            if name in self.by_path:
                return self.by_path[name]
            if not self.library.own and name.casefold() in self._lower:
                return self.by_path[self._lower[name.casefold()]]
        return None

    def _to_text(self, found: Text, anchor: str, text: Text) -> tuple[Target, Problem | None]:
        if found.kind == "note":
            return self._with_anchor(Target("note", found.id, anchor), found.lang)
        if found.kind == "introduction":
            return Target("topic", found.id, anchor), None
        if found.kind == "page":
            return Target("page", found.id, anchor), None
        return NONE, ("PN304", "an annotation has no page of its own", "cite the reference")

    def _anchor(self, text: Text, anchor: str) -> tuple[Target, Problem | None]:
        anchor, problem = self._heading(text.body.anchors, anchor, "this page")
        return Target("anchor", "", anchor), problem

    def _with_anchor(self, target: Target, lang: str) -> tuple[Target, Problem | None]:
        if not target.anchor:
            return target, None
        note = self.library.notes[target.id]
        anchor, problem = self._heading(note.body.anchors, target.anchor, note.id)
        twin = self.library.translations.get(target.id)
        if problem and twin and lang == "zh" and target.anchor in twin.body.anchors:
            anchor, problem = target.anchor, None
        return Target("note", target.id, anchor), problem

    def _heading(
        self, anchors: frozenset[str], anchor: str, where: str
    ) -> tuple[str, Problem | None]:
        if anchor in anchors or anchor.startswith(("fn:", "fnref")):
            return anchor, None
        if not self.library.own:
            lowered = {a.casefold().strip("-"): a for a in anchors}
            for wanted in (anchor.casefold(), re.sub(r"-+", "-", anchor.casefold())):
                if wanted.strip("-") in lowered:
                    return lowered[wanted.strip("-")], None
        guess = nearest(anchor, anchors, 0.6)
        hint = f"did you mean #{guess}?" if guess else "its headings: " + _few(anchors)
        return "", ("PN303", f"{where} has no heading #{anchor}", hint)

    def _unknown_path(self, joined: str, path: str) -> Problem:
        if safe_id(joined.removeprefix("notes/").removesuffix(".md")) in self.library.drafts:
            return "PN304", f"{path!r} is a draft, which the site leaves out", "publish it first"
        known = [*self.by_path, *self._assets] if self.library.own else []
        guess = nearest(joined, known)
        hint = f"did you mean {guess}?" if guess else "check the path, it is relative to this file"
        return "PN304", f"no file at {path!r}", hint


def _is_broken(address: str) -> bool:
    """Whether no engine could take the address apart, such as ``http://[::1``."""
    try:
        urlsplit(address)
    except ValueError:
        return True
    return False


def _few(words: Iterable[str]) -> str:
    listed = sorted(words)
    return ", ".join(f"#{w}" for w in listed[:5]) + (" …" if len(listed) > 5 else "")
