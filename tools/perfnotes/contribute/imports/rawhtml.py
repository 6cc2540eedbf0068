"""Steps for HTML in Markdown: it becomes Markdown, or text if it is no HTML (``vector<int>``)."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator

from perfnotes.contribute.imports.escape import destination, escape, fence, span
from perfnotes.contribute.imports.htmltree import BLOCKS, VOID, invisible, parse
from perfnotes.contribute.imports.htmlwriter import Writer, joined
from perfnotes.contribute.imports.imported_page import Change, ImportedPage
from perfnotes.text.elements import RawElement, attributes_of, elements_of
from perfnotes.text.svg import svg_problem

# Elements that contain no Markdown, or cannot be converted tag by tag.
_WHOLE = frozenset(
    "table ul ol dl pre figure iframe video audio object select picture blockquote".split()
)
_AS_CODE = frozenset("script style svg form canvas textarea noscript math button template".split())
_KEPT = frozenset("kbd sub sup".split())  # elements that notes may contain
_MARKS = {"b": "**", "strong": "**", "mark": "**", "i": "*", "em": "*", "cite": "*", "var": "*",
          "del": "~~", "s": "~~", "strike": "~~", "summary": "**"}  # fmt: skip
# The names of HTML's elements. A tag with another name is text, such as ``<int>``.
_HTML_NAMES = frozenset(
    "div span p center font u ins big small section article header footer main nav details abbr "
    "acronym aside body html head label time wbr nobr dfn q tt samp address figcaption li td th tr "
    "tbody thead tfoot dt dd caption colgroup col table ul ol dl figure blockquote source picture "
    "a img hr h1 h2 h3 h4 h5 h6 input code pre br b i em strong del s strike mark summary kbd sub "
    "sup iframe video audio object embed param meta link base option select fieldset legend hgroup "
    "cite var ruby rt rp rb bdo bdi data output progress meter area map track dialog menu title "
    "o:p".split()
)
_DECLARATION = re.compile(r"<(?=\?|!doctype\b|!\[cdata\[)", re.IGNORECASE)


def comments(page: ImportedPage) -> Iterator[Change]:
    """Keep comments aside: readers did not see them, and notes may not contain any."""
    for start, end in page.document.code:
        if page.text.startswith("<!--", start):
            inside = page.text[start + 4 : end - 3].strip()
            said = "a comment was moved into the front matter" if inside else ""
            yield Change(start, end, "", said, "", inside)


def blocks(page: ImportedPage) -> Iterator[Change]:
    """Convert whole elements: tables, lists, code, and others that contain no Markdown."""
    text = page.text
    done = 0
    for element in elements_of(text, page.document.tags):
        start = element.tag.start
        if start < done or element.tag.name.startswith("/"):
            continue
        name = element.tag.name
        end = element.end.end if element.end else -1
        if name in VOID or end < 0:
            continue
        if name == "svg" and (picture := _drawing(text[start:end])):
            said = "<svg> became a file beside the note"
            yield Change(start, end, picture, said, "say between the brackets what it shows")
            done = end
        elif name in _AS_CODE:
            said = f"<{name}> is kept as code: notes hold no such element"
            code = fence(text[start:end], "html")
            lead = _lead(page, start)
            code = code.replace("\n", f"\n{lead}") if lead is not None else span(text[start:end])
            yield Change(start, end, code, said, "remove it, or write what it means")
            done = end
        elif name in _WHOLE or (name in BLOCKS and _is_html_block(page, start, end)):
            change = _converted(page, element, start, end)
            if change:
                yield from change
                done = end
    for start, end in page.document.blocks.code:
        opened = re.match(r"<(script|style|textarea|pre)\b", text[start:end], re.IGNORECASE)
        if opened and start >= done and opened[1].lower() != "pre":
            name = opened[1].lower()
            said = f"<{name}> is kept as code: notes hold no such element"
            yield Change(start, end, fence(text[start:end], "html"), said, "remove it")
        elif opened and start >= done:
            yield from _fragment(page, start, end, escaped=True)


def _drawing(source: str) -> str:
    """An image with the SVG in its address, of which ``links`` makes a file; "" if it is unsafe."""
    if "xmlns" not in source[: source.find(">")]:
        source = source.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    data = source.encode()
    if svg_problem(data):
        return ""
    words = re.search(r"<title[^>]*>([^<]+)</title>", source)
    label = escape(" ".join(html.unescape(words[1]).split()), links=False) if words else "drawing"
    return f"![{label}](data:image/svg+xml;base64,{base64.b64encode(data).decode()})"


def _lead(page: ImportedPage, start: int) -> str | None:
    """The spaces and quote marks before an element in its line; None if text is before it."""
    lead = page.text[page.line_start(start) : start]
    return lead if not lead.strip(" \t>") else None


def _is_html_block(page: ImportedPage, start: int, end: int) -> bool:
    """Whether an element has its lines to itself and no blank line, so that it has no Markdown."""
    lead = _lead(page, start)
    if lead is None or len(lead) > 3 or ">" in lead:
        return False
    inside = page.text[start:end]
    rest = page.text[end : page.text.find("\n", end) % (len(page.text) + 1)]
    return "\n" in inside and "\n\n" not in inside and not rest.strip()


def _converted(
    page: ImportedPage, element: RawElement, start: int, end: int
) -> Iterator[Change] | None:
    """The Change for a whole element, or None if it is in a cell of a Markdown table."""
    lead = _lead(page, start)
    if lead is None and element.tag.name not in ("iframe", "picture", "object", "video", "audio"):
        row = page.text[page.line_start(start) : start].lstrip()
        if row.startswith("|"):
            return None
    return _fragment(page, start, end, escaped=False)


def _fragment(page: ImportedPage, start: int, end: int, *, escaped: bool) -> Iterator[Change]:
    """The Change that makes Markdown of the HTML from ``start`` to ``end``.

    ``escaped`` is that of ``Writer``.
    """
    tree, comments = parse(page.text[start:end], 1)
    writer = Writer(page.path, escaped=escaped)
    made, _ = joined(writer.blocks(tree.children))
    made = made.rstrip("\n")
    lead = page.text[page.line_start(start) : start]
    alone = not lead.strip(" \t>")
    if alone:
        made = made.replace("\n", f"\n{lead}")
    elif "\n" in made:
        pad = " " * (len(lead) - len(lead.lstrip()))
        made = "\n\n" + pad + made.replace("\n", f"\n{pad}") + f"\n\n{pad}"
    if alone and lead == "":
        before = page.text[:start].endswith("\n\n") or not start
        after = page.text.startswith("\n\n", end) or end == len(page.text)
        made = ("" if before else "\n") + made + ("" if after else "\n")
        if not page.text.startswith("\n", end) and end < len(page.text):
            made += "\n"
    name = re.match(r"<([\w:-]+)", page.text[start:])
    said = f"<{name[1].lower()}> became Markdown" if name else "HTML became Markdown"
    extra = "; ".join(g.what for g in writer.guesses if "became" not in g.what)
    for each in invisible(tree):
        line = page.line(start) + each.line - 1
        extra += f"; <{each.tag}> of line {line} was left out, as no reader sees it"
    aside = "\n".join(c.strip() for _, c in comments if c.strip())
    yield Change(
        start, end, made, said + (f"; {extra.removeprefix('; ')}" if extra else ""), "", aside
    )


def tags(page: ImportedPage) -> Iterator[Change]:
    """Convert the remaining tags, which have Markdown around them or between them."""
    text = page.text
    for element in elements_of(text, page.document.tags):
        tag, name = element.tag, element.tag.name.removeprefix("/")
        source = text[tag.start : tag.end]
        if name not in _HTML_NAMES:
            said = f"{source[:60]!r} is no HTML element: kept as words"
            yield Change(tag.start, tag.start + 1, "\\<", said, "put it in a code span")
            continue
        opening = not tag.name.startswith("/")
        if name == "br":
            if source != "<br>":
                yield Change(tag.start, tag.end, "<br>")
        elif name == "img" and opening:
            yield _image(tag.start, tag.end, source)
        elif name == "hr" and opening:
            yield Change(tag.start, tag.end, _thematic_break(page, tag.start, tag.end))
        elif name == "input" and opening:
            box = "[x]" if re.search(r"\bchecked\b", source) else "[ ]"
            yield Change(tag.start, tag.end, box if "checkbox" in source else "")
        elif element.end is None or not opening:
            yield Change(tag.start, tag.end, _gap(page, tag.start, tag.end, name))
        else:
            yield from _paired(page, element, name)


def _paired(page: ImportedPage, element: RawElement, name: str) -> Iterator[Change]:
    """The Changes for an element called ``name`` that has a closing tag."""
    assert element.end
    tag, end = element.tag, element.end
    inside = page.text[tag.end : end.start]
    if name in _KEPT:
        if inside.strip():
            if page.text[tag.start : tag.end] != f"<{name}>":
                yield Change(tag.start, tag.end, f"<{name}>")
            if page.text[end.start : end.end] != f"</{name}>":
                yield Change(end.start, end.end, f"</{name}>")
            return
    elif name in ("code", "tt", "samp") and "<" not in inside and inside.strip():
        tree, _ = parse(inside)
        yield Change(tag.start, end.end, span(tree.text))
        return
    elif name == "a":
        address = dict(attributes_of(page.text[tag.start : tag.end])).get("href", "").strip()
        if address and "\n\n" not in inside and "](" not in inside.replace("![", ""):
            words = inside.strip() or address
            yield Change(tag.start, tag.end, "[")
            new = "" if inside.strip() else words
            yield Change(end.start, end.end, f"{new}]({destination(address)})")
            return
        if address:
            yield Change(tag.start, tag.end, "")
            yield Change(end.start, end.end, f" ({span(address)})")
            return
    elif re.fullmatch(r"h[1-6]", name) and "\n\n" not in inside.strip():
        lead = page.text[page.line_start(tag.start) : tag.start]
        if not lead.strip() and inside.strip():
            words = " ".join(inside.split())
            pre = "" if page.text[: tag.start].rstrip(" ").endswith("\n\n") else "\n"
            yield Change(tag.start, end.end, f"{pre}{'#' * int(name[1])} {words}\n")
            return
    elif name in _MARKS and _can_mark(inside):
        mark = _MARKS[name]
        yield Change(tag.start, tag.end, mark)
        tail = "\n" if name == "summary" else ""
        yield Change(end.start, end.end, mark + tail)
        return
    yield Change(tag.start, tag.end, _gap(page, tag.start, tag.end, name))
    yield Change(end.start, end.end, _gap(page, end.start, end.end, name))


def _can_mark(inside: str) -> bool:
    """Whether emphasis works if its marks are put around this Markdown."""
    return (
        bool(inside.strip())
        and inside == inside.strip()
        and "*" not in inside
        and "~" not in inside
        and "\n\n" not in inside
        and not inside.endswith("\\")
    )


def _image(start: int, end: int, source: str) -> Change:
    given = dict(attributes_of(source))
    words = " ".join((given.get("alt") or given.get("title") or "").split())
    words = re.sub(r"([\\\[\]`*_<])", r"\\\1", words)
    address = given.get("src") or given.get("data-src") or ""
    new = f"![{words}]({destination(address)})" if address.strip() else words
    lost = [k for k in given if k not in ("src", "alt", "title", "data-src")]
    said = f"<img> became a Markdown image; left out: {', '.join(lost)}" if lost else ""
    return Change(start, end, new, said)


def _gap(page: ImportedPage, start: int, end: int, name: str) -> str:
    """The replacement of a removed tag: a space if a block would touch other text, else nothing."""
    if name not in BLOCKS:
        return ""
    before, after = page.text[start - 1 : start], page.text[end : end + 1]
    return " " if before.strip() and after.strip() else ""


def _thematic_break(page: ImportedPage, start: int, end: int) -> str:
    """What replaces ``<hr>``: ``---`` between blank lines, or a space in the middle of a line."""
    lead = page.text[page.line_start(start) : start]
    if lead.strip():
        return " "
    before = "" if page.text[:start].endswith("\n\n") or not start else "\n"
    after = "" if page.text.startswith("\n", end) or end == len(page.text) else "\n\n"
    return f"{before}---{after}"


def declarations(page: ImportedPage) -> Iterator[Change]:
    """Escape ``<?xml``, ``<!DOCTYPE`` and ``<![CDATA[`` in running text."""
    escaped = {offset + 1 for offset in page.document.escapes}
    for found in _DECLARATION.finditer(page.text):
        at = found.start()
        if at in escaped or page.is_verbatim(at):
            continue
        in_address = any(k.dest_start <= at < k.dest_end for k in page.document.links)
        new = "%3C" if in_address else "\\<"
        yield Change(at, at + 1, new, "an HTML declaration: kept as words")
