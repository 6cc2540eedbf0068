"""Checks SVG files from strangers: they may hold shapes and text, but no scripts or links out."""

from __future__ import annotations

import re
from xml.parsers import expat

from perfnotes.text.svgcopies import Copies
from perfnotes.text.svgstyle import style_problem

_ELEMENTS = frozenset(
    "svg g defs symbol title desc metadata path rect circle ellipse line polyline polygon text "
    "tspan textPath marker linearGradient radialGradient stop clipPath mask pattern use style "
    "filter feGaussianBlur feOffset feMerge feMergeNode feFlood feComposite feColorMatrix feBlend "
    "switch view image".split()
)
_NAMESPACE = "http://www.w3.org/2000/svg"
# Namespaces of drawing programs, whose elements browsers ignore.
_EDITORS = (
    "http://www.inkscape.org/",
    "http://sodipodi.sourceforge.net/",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://purl.org/dc/",
    "http://creativecommons.org/ns#",
)
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,")
_ENCODINGS = ("utf-8", "utf-16", "us-ascii", "iso-8859-1", "windows-1252")
_XML = "http://www.w3.org/XML/1998/namespace"
# Attributes whose values no browser reads as CSS.
_NOT_CSS = frozenset("id class role lang name title alt systemLanguage d points".lower().split())


class _ProblemError(Exception):
    pass


class _Reader:
    """Walks the file with expat, which resolves no external entity."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.EntityDeclHandler = self.entity
        self.parser.ProcessingInstructionHandler = self.instruction
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.XmlDeclHandler = self.declaration
        self.open: list[str] = []
        self.style: list[str] = []
        self.copies = Copies()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        namespace, _, name = tag.rpartition(" ")
        if not self.open:
            if tag != f"{_NAMESPACE} svg":
                raise _ProblemError(
                    "the file is no SVG: its root is not <svg> in the SVG namespace"
                )
            if not {"viewBox", "width"} & attributes.keys():
                raise _ProblemError("the SVG has neither viewBox nor width")
        if self.open and self.open[-1] == "style":
            # A browser joins the texts before and after the element into one style sheet.
            raise _ProblemError(f"the element <{name}> inside <style>")
        self.open.append(name)
        if namespace.startswith(_EDITORS):
            self.copies.begin(name, {}, self.parser.CurrentLineNumber)
            return
        if namespace != _NAMESPACE or name not in _ELEMENTS:
            raise _ProblemError(f"the element <{name}> in an SVG file")
        for attribute, value in attributes.items():
            problem = _attribute_problem(name, attribute, value)
            if problem:
                raise _ProblemError(problem)
        self.copies.begin(name, attributes, self.parser.CurrentLineNumber)

    def end(self, _: str) -> None:
        name = self.open.pop()
        self.copies.end()
        if name == "style":
            style, self.style = "".join(self.style), []
            problem = style_problem(style)
            if problem:
                raise _ProblemError(f"{problem} in a style")
            self.copies.style(style)

    def text(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            self.style.append(data)

    def entity(self, *_: object) -> None:
        raise _ProblemError("an entity in an SVG file")

    def doctype(
        self, _name: str, _system: str | None, _public: str | None, has_subset: bool
    ) -> None:
        if has_subset:  # declarations can add attributes that do not appear in the elements
            raise _ProblemError("declarations of its own in the DOCTYPE of an SVG file")

    def declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if (encoding or "utf-8").lower() not in _ENCODINGS:
            raise _ProblemError(f"the encoding {encoding!r} of an SVG file; write it as UTF-8")

    def instruction(self, target: str, _: str) -> None:
        raise _ProblemError(f"the processing instruction <?{target}?> in an SVG file")


def svg_problem(data: bytes) -> tuple[int, str] | None:
    """Return the line and description of the first thing that is not allowed, or None."""
    reader = _Reader()
    try:
        reader.parser.Parse(data, True)
    except _ProblemError as problem:
        return reader.parser.CurrentLineNumber, str(problem)
    except expat.ExpatError as error:
        return error.lineno, f"the SVG file does not parse: {expat.ErrorString(error.code)}"
    except (ValueError, LookupError) as error:
        return 1, f"the SVG file cannot be read: {error}"
    return reader.copies.problem()


def _attribute_problem(element: str, full_name: str, value: str) -> str:
    namespace, _, attribute = full_name.rpartition(" ")
    attribute = attribute.lower()
    if attribute.startswith("on"):
        return f"the event handler {attribute!r} in an SVG file"
    compact = re.sub(r"[\x00-\x20]", "", value).lower()
    if attribute in ("href", "src"):
        picture = element == "image" and _PICTURE.match(compact)
        if not compact.startswith("#") and not picture:
            return f"a reference to {value[:60]!r}, outside the SVG file"
        return ""
    if "javascript:" in compact:
        return f"the attribute {attribute!r} holds a script"
    if namespace == _XML:
        return "the attribute 'xml:base' in an SVG file" if attribute == "base" else ""
    if namespace or attribute in _NOT_CSS or attribute.startswith(("aria-", "data-")):
        return ""
    # Most other attributes are CSS properties too, so a browser reads their values as CSS.
    if attribute == "style" or "(" in value or "\\" in value:
        problem = style_problem(value)
        return f"{problem} in the attribute {attribute!r}" if problem else ""
    return ""
