"""Writes a tree of HTML as blocks of Markdown in our form."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field

from perfnotes.contribute.imports import codelang
from perfnotes.contribute.imports.escape import destination, escape, fence, line_start, span
from perfnotes.contribute.imports.htmlblocks import definitions_of, list_of, table_of
from perfnotes.contribute.imports.htmltree import BLOCKS, HtmlElement, HtmlText
from perfnotes.contribute.imports.htmlwords import SILENT, Block, around, trimmed
from perfnotes.contribute.imports.imported_page import Guess

_MARKS = {
    **dict.fromkeys(("b", "strong", "mark"), "**"),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), "*"),
    **dict.fromkeys(("del", "s", "strike"), "~~"),
}
# What becomes of elements whose content is not looked at.
_WITHOUT_CONTENT = {**dict.fromkeys(SILENT, ""), "br": "<br>", "hr": " "}
_CODE = {"code", "tt", "samp"}
# Blocks whose content becomes one line, and the mark of this line.
_ONE_LINE = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "#"),
    **dict.fromkeys(("figcaption", "caption", "legend"), "*"),
    "summary": "**",
}
_KEPT = {"kbd", "sub", "sup"}  # elements that notes may contain
_MEDIA = {"iframe", "video", "audio", "embed", "object", "source", "track"}
CALLOUTS = {"note": "NOTE", "info": "NOTE", "tip": "TIP", "hint": "TIP", "warning": "WARNING",
             "important": "IMPORTANT", "caution": "CAUTION", "danger": "CAUTION"}  # fmt: skip
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:lang(?:uage)?-|highlight-source-|brush:\s*|sourceCode\s+|src-)([\w+#-]+)"
)
_SPACE = re.compile(r"[ \t\n\r]+")
_MATH = re.compile(r"\\\(((?:(?!\\\().)+?)\\\)|\\\[((?:(?!\\\[).)+?)\\\]", re.DOTALL)


class Writer(Struct):
    """Writes Markdown of HTML, and collects guesses and texts to keep aside.

    ``escaped`` says that text is escaped. It is False for HTML inside of Markdown, whose text is
    Markdown already.
    """

    path: str
    escaped: bool = True
    guesses: list[Guess] = field(default_factory=list)
    asides: list[str] = field(default_factory=list)

    def tell(self, line: int, what: str, mend: str = "") -> None:
        self.guesses.append(Guess(self.path, line, what, mend))

    def blocks(self, children: Sequence[HtmlElement | HtmlText]) -> list[Block]:
        """The blocks of these children; text between block elements becomes paragraphs."""
        out: list[Block] = []
        run: list[HtmlElement | HtmlText] = []
        for child in children:
            if isinstance(child, HtmlElement) and (child.tag in BLOCKS or _holds_block(child)):
                self._paragraph(run, out)
                run = []
                self._block(child, out)
            else:
                run.append(child)
        self._paragraph(run, out)
        return out

    def _paragraph(self, run: list[HtmlElement | HtmlText], out: list[Block]) -> None:
        words = self.inline(run).strip()
        if not words:
            return
        line = next(
            (_first_line(c) for c in run if isinstance(c, HtmlElement) or c.data.strip()), 1
        )
        out.append((line, line_start(words) if self.escaped else words))

    def _block(self, element: HtmlElement, out: list[Block]) -> None:
        tag = element.tag
        if tag in SILENT:
            return
        if tag in _ONE_LINE:
            words = self.inline(element.children).strip()
            if words and tag[1].isdigit():
                out.append((element.line, f"{'#' * int(tag[1])} {words}{_id(element)}"))
            elif words:
                out.append((element.line, around(_ONE_LINE[tag], words)))
        elif tag in ("ul", "ol", "menu", "dir"):
            out.extend(list_of(self, element))
        elif tag == "dl":
            out.extend(definitions_of(self, element))
        elif tag == "pre":
            out.append((element.line, self._pre(element)))
        elif tag == "blockquote":
            out.extend(_quoted(self.blocks(element.children), element.line))
        elif tag == "table":
            out.extend(table_of(self, element))
        elif tag == "hr":
            out.append((element.line, "---"))
        elif tag in _MEDIA:
            self._media(element, out)
        elif tag in ("aside", "div", "section") and (kind := _callout(element)):
            self.tell(element.line, f"<{tag}> became a [!{kind}] callout, by its class")
            inside = [(element.line, f"[!{kind}]"), *self.blocks(element.children)]
            out.extend(_quoted(inside, element.line, tight=True))
        else:
            if element.tag == "details":
                self.tell(element.line, "<details> is shown open: notes have no folded text")
            out.extend(self.blocks(element.children))

    def _media(self, element: HtmlElement, out: list[Block]) -> None:
        inside = self.blocks([c for c in element.children if not _is_source(c)])
        sources = [element, *(c for c in element.children if _is_source(c))]
        for each in sources:
            if not isinstance(each, HtmlElement):
                continue
            address = each.attributes.get("src") or each.attributes.get("data")
            if address:
                words = element.attributes.get("title") or address
                if "]" in words:  # `[words]: ` at the start of a line would define a link
                    words = element.tag
                link = f"[{escape(words, links=False)}]({destination(address)})"
                self.tell(element.line, f"<{element.tag}> became a link to {address}")
                out.append((element.line, link))
        out.extend(inside)

    def _pre(self, element: HtmlElement) -> str:
        code = element.text.strip("\n").rstrip()
        classes = " ".join(
            e.attributes.get("class", "") for e in (element, element.find("code")) if e
        )
        lang = element.attributes.get("lang") or element.attributes.get("data-lang") or ""
        found = _LANGUAGE.search(classes)
        language = codelang.our_name(found[1] if found else lang)
        if not language:
            language, why = codelang.guess(code)
            mend = "name it after the opening marks"
            self.tell(element.line, f"code without a language: {language}, as {why}", mend)
        return fence(code, language)

    def inline(self, children: Sequence[HtmlElement | HtmlText]) -> str:
        """The Markdown of these children on one line."""
        return "".join(self._inline(child) for child in children)

    def _inline(self, child: HtmlElement | HtmlText) -> str:
        if isinstance(child, HtmlText):
            return self._words(child.data)
        tag = child.tag
        if tag in _WITHOUT_CONTENT:
            return _WITHOUT_CONTENT[tag]
        if tag in _CODE:
            return (
                span(child.text) if child.find("a", "img") is None else self.inline(child.children)
            )
        if tag in _MEDIA or tag in ("table", "pre"):
            inside: list[Block] = []
            self._block(child, inside)
            return " ".join(t.replace("\n", " ") for _, t in inside)
        if tag == "img":
            return self._image(child)
        if tag == "input":
            return self._input(child)
        words = self.inline(child.children)
        if tag in _MARKS:
            return around(_MARKS[tag], words)
        if tag == "a":
            return self._link(child, words)
        lead = tail = '"' if tag == "q" else " " if tag in BLOCKS else ""
        if tag in _KEPT and words.strip():
            lead, tail = f"<{tag}>", f"</{tag}>"
        return f"{lead}{words}{tail}"

    def _words(self, data: str) -> str:
        if not self.escaped:
            return _SPACE.sub(" ", data)
        parts: list[str] = []
        at = 0
        for found in _MATH.finditer(data):
            tex = " ".join((found[1] or found[2]).split())
            parts.append(escape(_SPACE.sub(" ", data[at : found.start()])))
            parts.append(f"${tex}$" if tex and "$" not in tex else escape(found[0]))
            at = found.end()
        parts.append(escape(_SPACE.sub(" ", data[at:])))
        return "".join(parts)

    def _link(self, element: HtmlElement, words: str) -> str:
        address = element.attributes.get("href", "").strip()
        if not address:
            return words
        if not words.strip():
            return f"[{escape(address, links=False)}]({destination(address)})"
        if "](" in words and "![" not in words:
            return words  # links in a link
        words = re.sub(r"<(https?://[^<>\s]*)>", lambda m: escape(m[1], links=False), words)
        lead, words, tail = trimmed(words)
        return f"{lead}[{words}]({destination(address)}){tail}"

    def _image(self, element: HtmlElement) -> str:
        given = element.attributes
        several = given.get("srcset", "").split()  # addresses, each with a size or a comma after it
        address = given.get("src") or given.get("data-src") or "".join(several[:1]).rstrip(",")
        words = " ".join((given.get("alt") or given.get("title") or "").split())
        if not address:
            return escape(words)
        return f"![{escape(words, links=False)}]({destination(address)})"

    def _input(self, element: HtmlElement) -> str:
        if element.attributes.get("type", "").lower() == "checkbox":
            return "[x] " if "checked" in element.attributes else "[ ] "
        shown = element.attributes.get("value") or element.attributes.get("placeholder") or ""
        return escape(shown) if element.attributes.get("type", "").lower() != "hidden" else ""


def joined(blocks: Sequence[Block]) -> tuple[str, tuple[int, ...]]:
    """The text of all blocks, and the source line of each of its lines."""
    texts: list[str] = []
    lines: list[int] = []
    for line, text in blocks:
        texts.append(text)
        lines.extend([line] * (text.count("\n") + 2))
    return "\n\n".join(texts) + "\n" if texts else "", tuple(lines) or (1,)


def _quoted(blocks: list[Block], line: int, *, tight: bool = False) -> list[Block]:
    if not blocks:
        return []
    texts = [text for _, text in blocks]
    joint = "\n" if tight and len(texts) > 1 else "\n\n"
    whole = texts[0] + joint + "\n\n".join(texts[1:]) if tight else "\n\n".join(texts)
    return [(line, "\n".join(f"> {row}".rstrip() for row in whole.rstrip().split("\n")))]


def _id(element: HtmlElement) -> str:
    given = element.attributes.get("id", "")
    good = re.fullmatch(r"[A-Za-z][\w.-]{0,60}", given)
    return f" {{#{given}}}" if good and not given.startswith(("pn-", "__")) else ""


def _callout(element: HtmlElement) -> str:
    words = element.attributes.get("class", "").lower().split()
    marked = any(
        w in ("admonition", "alert", "callout", "notice", "admonitionblock") for w in words
    )
    kinds = [w.removeprefix("alert-").removeprefix("callout-") for w in words]
    return next((CALLOUTS[k] for k in kinds if k in CALLOUTS), "") if marked else ""


def _holds_block(element: HtmlElement) -> bool:
    """Whether an inline element has a block inside, such as ``<a><div>``."""
    if element.tag in SILENT or element.tag in _CODE:
        return False
    return element.find(*BLOCKS) is not None


def _is_source(child: HtmlElement | HtmlText) -> bool:
    return isinstance(child, HtmlElement) and child.tag in ("source", "track", "embed")


def _first_line(child: HtmlElement | HtmlText) -> int:
    if isinstance(child, HtmlElement):
        return child.line
    return child.line + child.data[: len(child.data) - len(child.data.lstrip())].count("\n")
