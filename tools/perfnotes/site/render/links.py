"""Renders links: where each leads, as a page and its Markdown copy write it, and in which words."""

from __future__ import annotations

import re
from urllib.parse import quote

from perfnotes.graph.address import Addresses, markdown_file, relative
from perfnotes.graph.links import Links
from perfnotes.graph.published import PICTURES
from perfnotes.graph.targets import Target
from perfnotes.model.library import Library
from perfnotes.site.render import markup
from perfnotes.site.render.edits import Edits, without_link
from perfnotes.site.render.pictures import PictureSizes
from perfnotes.site.strings import string
from perfnotes.text.joining import joins
from perfnotes.text.tokens import Definition, Link, Wiki

_RENDERED = ("evidence", "plot")  # other modules write links to these
_SIZED = re.compile(r"(?:(?P<words>.*)\|)?(?P<width>\d{1,4})(?:x\d{1,4})?")
_NO_PAGE = ("none", *_RENDERED)


def file_address(path: str) -> str:
    """Return the address on the site of a file, whose path begins with ``notes/`` or ``docs/``."""
    return path.partition("/")[2]


class LinkRenderer:
    """Renders the links of one text in language ``lang`` for the page at ``url``.

    ``files`` collects the paths of the files to which the links lead.
    """

    def __init__(
        self, library: Library, addresses: Addresses, pictures: PictureSizes, lang: str, url: str
    ) -> None:
        self._library, self._addresses, self._pictures = library, addresses, pictures
        self._lang, self._url = lang, url
        self.files: set[str] = set()

    def edit_wikis(self, links: Links, edits: Edits) -> None:
        """Write links such as ``[[caches/row-order]]`` with their titles and destinations."""
        for wiki, target in links.wikis:
            self._wiki(wiki, target, links, edits)

    def edit(self, links: Links, edits: Edits) -> None:
        """Write the destinations of all other links."""
        for link, target in links.links:
            self._link(link, target, edits)
        self._definitions(links, edits)

    def destination(self, target: Target) -> tuple[str, str] | None:
        """Return the destination on the page and in its Markdown copy; None keeps the source's."""
        anchor = f"#{quote(target.anchor)}" if target.anchor else ""
        if target.kind == "anchor":
            return (anchor, anchor) if anchor else None
        if target.kind == "file":
            self.files.add(target.id)
            address = relative(self._url, file_address(target.id))
            return address, address
        if target.kind == "none":
            return "#", "#"
        page = self._page(target)
        if page is None:
            return None
        there, markdown = relative(self._url, page), relative(self._url, markdown_file(page))
        return there + anchor, markdown + anchor

    def _page(self, target: Target) -> str | None:
        if target.kind == "note":
            return self._addresses.note(self._library.notes[target.id], self._lang)
        if target.kind == "term":
            return self._addresses.term(target.id, self._lang)
        if target.kind == "page":
            return self._addresses.page(target.id, self._lang)
        if target.kind == "section":
            lang = "en" if target.id == "checks" else self._lang
            return self._addresses.section(target.id, lang)
        if target.kind == "topic":
            lang = self._lang if self._lang in self._library.languages else "en"
            return self._addresses.topic(target.id, lang)
        return None

    def _wiki(self, wiki: Wiki, target: Target, links: Links, edits: Edits) -> None:
        if target.kind == "none":
            raw = links.text.body.document.text[wiki.start : wiki.end]
            edits.add(wiki.start, wiki.end, markup.escape_staged(raw), None)
            return
        picture = target.kind == "file" and target.id.lower().endswith(PICTURES)
        label, size = wiki.label, ""
        if wiki.embed and picture and (sized := _SIZED.fullmatch(label)):  # as Obsidian writes it
            label, size = sized["words"] or "", f'{{width="{sized["width"]}"}}'
        title = label or self._title(target, links)
        dest = self.destination(target)
        staged, markdown = dest or ("#", "#")
        mark = self._english_remark(target)
        if mark and not label:  # then the words of the link are the English title
            size = '{lang="en"}'
        shown = markup.escape_staged(title)
        sign = "!" if wiki.embed and picture else ""
        edits.add(
            wiki.start,
            wiki.end,
            f"{sign}[{shown}]({staged}){size}{mark}",
            f"{sign}[{markup.escape_markdown(title)}]({markdown}){mark}",
        )

    def _title(self, target: Target, links: Links) -> str:
        if target.kind == "note":
            twin = self._library.translations.get(target.id) if self._lang == "zh" else None
            note = self._library.notes[target.id]
            title = (twin or note).meta.title
            if target.anchor:
                body = (twin or note).body
                heading = next((s.title for s in body.sections if s.id == target.anchor), "")
                return f"{title}: {heading}" if heading and self._lang == "en" else heading or title
            return title
        if target.kind == "term":
            return self._library.terms[target.id].name[self._lang]
        if target.kind == "file":
            return target.id.rpartition("/")[2]
        if target.kind == "anchor":
            sections = links.text.body.sections
            return next((s.title for s in sections if s.id == target.anchor), target.anchor)
        return target.id

    def _link(self, link: Link, target: Target, edits: Edits) -> None:
        if target.kind == "url" or (link.kind == "auto" and target.kind not in _NO_PAGE):
            return
        if link.kind == "html":
            return  # our own notes hold no HTML; ``Foreign`` treats that of others
        if link.kind == "auto":
            # An address that is not allowed is shown, not linked.
            edits.add(
                link.start, link.end, markup.escape_staged(link.dest.removeprefix("mailto:")), None
            )
            return
        if target.kind in _RENDERED or _remove_broken(link, target, edits):
            return
        dest = self.destination(target)
        if dest:
            edits.add(link.dest_start, link.dest_end, *dest)
            if link.kind == "image" and target.kind == "file":
                edits.add(link.end, link.end, self._pictures.attributes(target.id), None)
        mark = self._english_remark(target)
        if mark and link.kind == "inline":
            edits.add(link.end, link.end, mark, mark)

    def _definitions(self, links: Links, edits: Edits) -> None:
        """Write the destinations of reference links into the links and remove the definitions.

        The Markdown copy keeps the definitions, with resolved destinations.
        """
        document = links.text.body.document
        by_label = {d.label: d for d in reversed(document.blocks.definitions)}
        for link in document.links:
            if link.kind in ("reference", "image-reference"):
                target = links.by_label[link.dest]
                if target.kind not in _RENDERED and not _remove_broken(link, target, edits):
                    # Python-Markdown does not find labels that contain markup.
                    dest = self._defined(by_label[link.dest], target, document.text)
                    edits.add(link.label_end, link.end, f"]({dest})", None)
        for definition in document.blocks.definitions:
            target = links.definitions[definition.start]
            forms = self.destination(target)
            if forms:
                edits.add(definition.dest_start, definition.dest_end, None, forms[1])
            edits.add(definition.start, definition.end, "", None)

    def _defined(self, definition: Definition, target: Target, text: str) -> str:
        """Return the destination and title of a definition as an inline link writes them."""
        found = self.destination(target)
        dest = found[0] if found else text[definition.dest_start : definition.dest_end]
        title = text[definition.dest_end : definition.end].strip()
        return f"{dest} {title}" if title[:1] in ("'", '"') else dest

    def _english_remark(self, target: Target) -> str:
        """Return a remark for a link that leads to an English page, or an empty string."""
        if self._lang != "zh" or "zh" not in self._library.languages:
            return ""
        if target.kind == "note":
            there = self._addresses.has(self._library.notes[target.id], "zh")
        elif target.kind == "page":
            there = (target.id, "zh") in self._library.pages
        else:
            there = (target.kind, target.id) != ("section", "checks")
        return "" if there else joins("zh").bracketed(string("english_only", "zh"))


def _remove_broken(link: Link, target: Target, edits: Edits) -> bool:
    """Replace a link by its words if it leads nowhere. Returns whether it leads nowhere."""
    if target.kind != "none":
        return False
    without_link(link, edits)
    return True
