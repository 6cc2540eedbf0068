"""Formats that pandoc reads, converted by way of its HTML.

Pandoc gives a text as a tree of JSON. ``read`` replaces the nodes that pandoc would leave out of
HTML, lets pandoc write HTML, and converts that as the importer of HTML does. Pandoc does not report
source lines, so the source line of each line of HTML is found by its words.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from perfnotes.contribute.imports import pandoc
from perfnotes.contribute.imports.errors import FormatError
from perfnotes.contribute.imports.escape import destination, span
from perfnotes.contribute.imports.fields import Fields
from perfnotes.contribute.imports.htmltree import HtmlElement, HtmlText, invisible, parse
from perfnotes.contribute.imports.htmlwords import Block
from perfnotes.contribute.imports.htmlwriter import CALLOUTS, Writer, joined
from perfnotes.contribute.imports.imported_page import Guess, ImportedPage
from perfnotes.contribute.imports.words import words

Node = dict[str, Any]
Edit = Callable[[Node], list[Node] | None]

_TAG = re.compile(r"<[^<>]*>|&\w+;|&#\d+;")
_NEAR = 40  # words; an equal word that is further away is taken for another occurrence
_DEEPEST = 200  # levels of pandoc's tree


def read(path: str, text: str, reader: str, edit: Edit) -> tuple[Fields, ImportedPage]:
    """The front matter and the Markdown of a text in one of pandoc's formats.

    ``edit`` is called with every node of pandoc's tree, inner nodes first. It returns the nodes
    that replace this node, or None to keep it. Raises FormatError.
    """
    # In reStructuredText a link may lead to a heading's words, for which pandoc makes ids. Those
    # that no link uses are removed below.
    automatic = "" if reader == "rst" else "-auto_identifiers"
    first = pandoc.convert(text, f"{reader}{automatic}", "json")
    try:
        tree = json.loads(first.text)
        blocks = [new for node in tree["blocks"] for new in _edited(node, edit, 0)]
    except RecursionError:
        raise FormatError("it is nested too deeply") from None
    values = {name: _metadata(value) for name, value in tree["meta"].items()}
    whole = json.dumps({**tree, "meta": {}, "blocks": blocks})
    made = pandoc.convert(whole, "json", "html", "--katex", "--no-highlight").text
    lines = _source_lines(made, text)
    root, comments = parse(made)
    if not automatic:
        _remove_unused_ids(root)
    writer = _Writer(path, asides=[said.strip() for _, said in comments if said.strip()])
    body, rows = joined(writer.blocks(root.children))
    for hidden in invisible(root):
        writer.tell(hidden.line, f"<{hidden.tag}> was left out, as no reader sees it")
    guesses = [Guess(path, line, what, "pandoc says so") for line, what in first.warnings]
    guesses += [Guess(path, lines[g.line - 1], g.what, g.mend) for g in writer.guesses]
    page = ImportedPage(path, body, tuple(lines[row - 1] for row in rows), tuple(guesses),
                tuple(writer.asides))  # fmt: skip
    return Fields({name: value for name, value in values.items() if value}), page


def div(classes: Sequence[str], blocks: list[Node]) -> Node:
    """A ``Div`` of pandoc's tree with these classes."""
    return {"t": "Div", "c": [["", list(classes), []], blocks]}


def code(text: str) -> Node:
    """A code span of pandoc's tree."""
    return {"t": "Code", "c": [["", [], []], text]}


def wiki_link(inlines: list[Node], target: str) -> Node:
    """A link to a page by its name, which ``links`` resolves later."""
    return {"t": "Link", "c": [["", [], []], inlines, [f"wiki:{destination(target)}", ""]]}


def text_of_nodes(nodes: object) -> str:
    """The text of nodes of pandoc's tree, without emphasis and other markup."""
    if isinstance(nodes, list):
        return "".join(text_of_nodes(node) for node in nodes)
    if not isinstance(nodes, dict):
        return ""
    kind, inside = nodes.get("t"), nodes.get("c")
    if kind in ("Space", "SoftBreak", "LineBreak"):
        return " "
    if kind in ("Str", "MetaString"):
        return str(inside)
    if kind in ("Code", "CodeBlock", "RawInline", "RawBlock", "Math"):
        return str(inside[1]) if isinstance(inside, list) else ""
    return text_of_nodes(inside)


def _metadata(value: Node) -> Any:
    """A value of pandoc's metadata as text, or as a list or dict of such values."""
    kind, inside = value["t"], value.get("c")
    if kind == "MetaList":
        return [_metadata(each) for each in inside or ()]
    if kind == "MetaMap":
        return {name: _metadata(each) for name, each in (inside or {}).items()}
    return str(inside) if kind == "MetaBool" else " ".join(text_of_nodes(inside or value).split())


def _edited(node: Any, edit: Edit, depth: int) -> list[Any]:
    """The nodes that replace a node, after its inner nodes were replaced; see ``read``."""
    if depth > _DEEPEST:
        raise RecursionError
    if isinstance(node, list):
        return [[new for each in node for new in _edited(each, edit, depth + 1)]]
    if not isinstance(node, dict) or "t" not in node:
        return [node]
    inside = node.get("c")
    if isinstance(inside, list):
        node = {**node, "c": _edited(inside, edit, depth + 1)[0]}
    made = edit(node)
    if made is None:
        made = _without_loss(node)
    return [node] if made is None else made


def _without_loss(node: Node) -> list[Node] | None:
    """The replacement of nodes that pandoc's HTML would lose, or None for other nodes.

    Raw text of other formats becomes code. Callouts get the classes that the importer of HTML
    knows.
    """
    kind = node["t"]
    if kind in ("RawInline", "RawBlock") and node["c"][0] != "html":
        raw = node["c"][1].strip()
        if kind == "RawInline":
            return [code(raw)] if raw else []
        if "\n" in raw:
            return [{"t": "CodeBlock", "c": [["", ["text"], []], raw]}]
        return [{"t": "Para", "c": [code(raw)]}] if raw else []
    if kind == "Div":
        classes, blocks = node["c"][0][1], node["c"][1]
        known = [c for c in classes if c.lower() in CALLOUTS]
        head = blocks[0] if blocks and blocks[0]["t"] == "Div" else None
        if known and head and "title" in head["c"][0][1]:
            title = text_of_nodes(head["c"][1]).strip()
            own = [] if title.lower() in CALLOUTS else [{"t": "Para", "c": [
                {"t": "Strong", "c": [{"t": "Str", "c": title}]}]}]  # fmt: skip
            return [div(["admonition", known[0].lower()], [*own, *blocks[1:]])]
    return None


class _Writer(Writer):
    """Writes Markdown of pandoc's HTML, whose classes mark footnotes and formulas."""

    def _block(self, element: HtmlElement, out: list[Block]) -> None:
        if element.tag == "section" and "footnotes" in _classes(element):
            for item in _footnotes(element):
                out.append(self._footnote(item))
        elif element.tag == "figure" and (picture := _pictured(element)):
            self._paragraph([picture], out)
        elif element.tag == "p" and (formula := _formula(element)):
            out.append((element.line, f"$$\n{formula}\n$$"))
        else:
            if element.tag == "pre" and (named := _classes(element)):
                element.attributes.setdefault("lang", named[0])
            super()._block(element, out)

    def _footnote(self, item: HtmlElement) -> Block:
        parts = [text for _, text in self.blocks(item.children)]
        shifted = "\n\n".join(parts).replace("\n", "\n    ")
        rows = [row.rstrip() for row in f"[^{_number(item)}]: {shifted}".split("\n")]
        return item.line, "\n".join(rows)

    def _inline(self, child: HtmlElement | HtmlText) -> str:
        if isinstance(child, HtmlElement):
            classes = _classes(child)
            if "footnote-back" in classes:
                return ""
            if "footnote-ref" in classes:
                number = child.attributes.get("href", "").removeprefix("#fn")
                return f"[^{number}]"
            if "math" in classes:
                tex = " ".join(child.text.split())
                return span(child.text) if "$" in tex or not tex else f"${tex}$"
        return super()._inline(child)


def _classes(element: HtmlElement) -> list[str]:
    return element.attributes.get("class", "").split()


def _elements(element: HtmlElement) -> Iterator[HtmlElement]:
    for child in element.children:
        if isinstance(child, HtmlElement):
            yield child
            yield from _elements(child)


def _footnotes(element: HtmlElement) -> Iterator[HtmlElement]:
    """The footnotes below an element."""
    for each in _elements(element):
        if each.tag == "li" and re.fullmatch(r"fn\d+", each.attributes.get("id", "")):
            yield each


def _number(footnote: HtmlElement) -> str:
    return footnote.attributes["id"].removeprefix("fn")


def _remove_unused_ids(root: HtmlElement) -> None:
    used = {each.attributes.get("href", "") for each in _elements(root)}
    for each in _elements(root):
        if f"#{each.attributes.get('id', '')}" not in used and re.fullmatch("h[1-6]", each.tag):
            each.attributes.pop("id", None)


def _formula(paragraph: HtmlElement) -> str:
    """The TeX of a paragraph that is one displayed formula, or an empty string."""
    inside = [c for c in paragraph.children if isinstance(c, HtmlElement) or c.data.strip()]
    only = inside[0] if len(inside) == 1 else None
    if not isinstance(only, HtmlElement) or not {"math", "display"} <= {*_classes(only)}:
        return ""
    rows = [row.strip() for row in only.text.split("\n") if row.strip()]
    return "" if "$" in only.text else "\n".join(rows)


def _pictured(figure: HtmlElement) -> HtmlElement | None:
    """The image of a figure whose caption is plain text and adds nothing to the image's ``alt``."""
    picture, caption = figure.find("img"), figure.find("figcaption")
    if not picture or not caption or caption.find("a", "code", "img", "em", "strong", "span"):
        return None
    said = " ".join(caption.text.split())
    inside = [c for c in figure.children if isinstance(c, HtmlElement) or c.data.strip()]
    if len(inside) != 2 or picture.attributes.get("alt", said) != said:
        return None
    return HtmlElement("img", {**picture.attributes, "alt": said}, picture.line)


def _source_lines(made: str, text: str) -> list[int]:
    """The source line of each line of the HTML, found by its words, in their order.

    A pair of words is searched in the whole rest of the source, a single word only nearby.
    """
    source = [(word, number) for number, line in enumerate(text.split("\n"), 1)
              for word in words(line)]  # fmt: skip
    pairs: dict[tuple[str, str], list[int]] = {}
    single: dict[str, list[int]] = {}
    for at, (word, _) in enumerate(source):
        single.setdefault(word, []).append(at)
        if at + 1 < len(source):
            pairs.setdefault((word, source[at + 1][0]), []).append(at)
    lines: list[int] = []
    pointer = waiting = 0
    for row in made.split("\n"):
        said = words(_TAG.sub(" ", row))
        found = -1
        for i, word in enumerate(said):
            near = pointer + i + _NEAR
            after = said[i + 1] if i + 1 < len(said) else ""
            found = _next(pairs.get((word, after), []), pointer, len(source)) if after else -1
            found = _next(single.get(word, []), pointer, near) if found < 0 else found
            if found >= 0:
                pointer = found + len(said) - i
                # Rows without words, such as <table>, belong to those that follow.
                lines += [source[found][1]] * (waiting + 1)
                waiting = 0
                break
        else:
            waiting += 1
    return lines + [lines[-1] if lines else 1] * waiting


def _next(places: Sequence[int], start: int, end: int) -> int:
    """The first of the sorted ``places`` that is at least ``start`` and below ``end``, or -1."""
    i = bisect_left(places, start)
    return places[i] if i < len(places) and places[i] < end else -1
