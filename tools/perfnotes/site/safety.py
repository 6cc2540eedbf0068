"""Judges by an allow-list whether the HTML of a page may be published.

The HTML is parsed into an HTML5 tree, as a browser does it. So it does not matter which spelling of
Markdown or HTML produced an element. Every element and attribute that is not listed is refused.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from perfnotes.site.danger import Danger

_TEXT = (
    "a abbr b blockquote br caption cite code col colgroup dd del details dfn div dl dt em "
    "figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp section small "
    "span strong sub summary sup table tbody td tfoot th thead time tr ul var u input label nav"
).split()
_MATH = (
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover "
    "munderover mtable mtr mtd mlabeledtr mmultiscripts mprescripts mpadded mphantom "
    "mstyle menclose semantics"
).split()
# Elements of the pictures that the build draws: shapes and text, no links, no styles.
_PICTURE = "svg g rect line circle path polygon text tspan".split()
_NAMES = ("title", "desc")  # they name and describe a picture, in plain text
ELEMENTS = frozenset([*_TEXT, *_MATH, *_PICTURE, "html", "head", "body"])

_EVERYWHERE = frozenset("id class title lang dir role tabindex aria-label aria-current".split())
_BY_ELEMENT = {
    "a": "href rel hreflang name data-n",
    "img": "src alt width height loading",
    "td": "style colspan rowspan align data-sort",
    "th": "style colspan rowspan scope align",
    "ol": "start type reversed",
    "li": "value",
    "time": "datetime",
    "details": "open",
    "input": "type checked disabled name",
    "label": "for",
    "blockquote": "cite",
    "q": "cite",
    "col": "span",
    "code": "",
    "div": "data-tabs data-machine data-calc data-explore align",
    "tr": "data-of",
    "p": "align",
    "span": "",
    "pre": "",
}
_MATH_ATTRIBUTES = frozenset(
    "xmlns display alttext mathvariant stretchy fence form lspace rspace separator symmetric "
    "maxsize minsize movablelimits accent accentunder linethickness columnalign rowalign "
    "columnspacing rowspacing columnlines rowlines columnspan rowspan displaystyle scriptlevel "
    "width height depth voffset notation mathcolor mathbackground mathsize largeop bevelled "
    "align linebreak subscriptshift superscriptshift frame framespacing equalrows "
    "equalcolumns".split()
)
_PICTURE_ATTRIBUTES = frozenset(
    "viewBox width height x y x1 x2 y1 y2 cx cy r rx ry d points transform text-anchor "
    "preserveAspectRatio aria-labelledby aria-hidden".split()
)
ATTRIBUTES = {
    **dict.fromkeys(ELEMENTS, _EVERYWHERE),
    **dict.fromkeys(_PICTURE, _EVERYWHERE | _PICTURE_ATTRIBUTES),
    **dict.fromkeys(_MATH, _EVERYWHERE | _MATH_ATTRIBUTES),
    **{name: _EVERYWHERE | frozenset(extra.split()) for name, extra in _BY_ELEMENT.items()},
}
_STYLE = re.compile(r"text-align:\s*(?:left|right|center);?$")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):")
_SCHEMES = ("http", "https")
# The theme's scripts look up elements by these ids and classes. A note with such an element could
# control the scripts.
_RESERVED_ID = re.compile(r"__(?!tabbed_\d)|pn-config$")
_RESERVED_CLASS = re.compile(r"(?:md-|js-|mermaid$|glightbox)")
_REMOTE = "a picture from another host"
_PICTURE_HINT = "put the picture beside the note, best drawn as SVG"
_SPACE = re.compile(r"[\x00-\x20]+")
_INPUT_TYPES = ("checkbox", "radio")
# Tags and attributes as the parser writes its tree: always quoted, always in the same form.
_TAG = re.compile(r'</?[a-z][a-z0-9]*(?: [A-Za-z][A-Za-z0-9-]*="[^"]*")*>')
_PIECE = re.compile(r"<[^>]*>")
_ATTRIBUTE = re.compile(r' ([A-Za-z][A-Za-z0-9-]*)="([^"]*)"')
_SVG_TAG = re.compile(r"<svg[ >]")
_NAMING_TAG = re.compile(rf"<({'|'.join(_NAMES)})[ >]")


def judge(html: str) -> list[Danger]:
    """Return everything in the HTML that is not on the allow-list; empty if the HTML is safe."""
    if not html.strip():
        return []
    root = LexborHTMLParser(html).root
    if root is None or _plainly_safe(root.html or ""):
        return []
    dangers: list[Danger] = []
    for node in root.traverse(include_text=False):
        tag = node.tag
        if tag is None or not tag[:1].isalpha():
            continue
        if tag in _NAMES and _names_picture(node):
            continue
        if tag not in ELEMENTS:
            dangers.append(Danger(f"the element <{tag}>", f"<{tag}"))
            continue
        dangers += _attributes(tag, node.attributes)
    return dangers


def _plainly_safe(parsed: str) -> bool:
    """Return whether every tag of the HTML is plainly on the allow-list. False decides nothing.

    ``parsed`` is the parsed tree, written as HTML again. It holds every element with every
    attribute, and its text contains no ``<``. So if every ``<`` begins a piece that ends at the
    next ``>``, and ``_TAG`` matches all of each piece, no element is missed: quotation marks in a
    value are written as references, so a piece that ended inside of a value would have an odd
    number of them. Equal tags are judged once, which is faster than a walk over the tree; the walk
    decides whenever this function returns False.
    """
    tags = _PIECE.findall(parsed)
    if parsed.count("<") != len(tags):
        return False
    different = set(tags)
    naming = {tag for tag in different if _NAMING_TAG.match(tag)}
    if naming and not all(
        _plainly_names_picture(tags, at) for at, tag in enumerate(tags) if tag in naming
    ):
        return False
    return all(map(_tag_is_safe, different - naming))


def _plainly_names_picture(tags: list[str], at: int) -> bool:
    """Return whether the <title> or <desc> at this place of all tags only names a picture.

    It holds no element, and the tag before it opens an <svg> or closes a <title> or <desc> of which
    the same is true.
    """
    kind, *attributes = tags[at][1:-1].split(" ", 1)
    if at == 0 or tags[at + 1 : at + 2] != [f"</{kind}>"]:
        return False
    is_inside = _SVG_TAG.match(tags[at - 1]) or tags[at - 1] in ("</title>", "</desc>")
    return bool(is_inside) and _tag_is_safe(f"<{' '.join(['rect', *attributes])}>")


@lru_cache(maxsize=4096)
def _tag_is_safe(tag: str) -> bool:
    """Return whether ``_TAG`` matches a tag, and it is on the allow-list with all attributes."""
    if not _TAG.fullmatch(tag):
        return False
    if tag.startswith("</"):
        return True  # the start tag of the element is judged
    name, *_ = tag[1:-1].split(" ", 1)
    attributes: dict[str, str | None] = {k: unescape(v) for k, v in _ATTRIBUTE.findall(tag)}
    return name in ELEMENTS and not _attributes(name, attributes)


def _names_picture(node: LexborNode) -> bool:
    """Return whether a <title> or <desc> only names a picture.

    It must be directly inside of an <svg> and hold text alone, because a browser parses elements
    inside of it as HTML again.
    """
    inside = node.iter(include_text=False)
    plain = node.parent is not None and node.parent.tag == "svg" and not any(True for _ in inside)
    return plain and not _attributes("rect", node.attributes)


def _attributes(tag: str, attributes: dict[str, str | None]) -> list[Danger]:
    """Return the dangers in the attributes of an element that is on the allow-list."""
    dangers = []
    allowed = ATTRIBUTES[tag]
    for name, given in attributes.items():
        value = given or ""
        if name not in allowed:
            dangers.append(Danger(f"the attribute {name!r} of <{tag}>", name))
        elif name in ("href", "src", "cite"):
            problem = url_problem(value, picture=tag == "img")
            if problem:
                where, hint = ("", _PICTURE_HINT) if problem == _REMOTE else (f" in <{tag}>", "")
                dangers.append(Danger(f"{problem}{where}", value[:20], hint))
        elif name == "style" and not _STYLE.match(value.strip()):
            dangers.append(Danger(f"a style of <{tag}>", "style"))
        elif name in ("id", "name", "for") and is_reserved_id(value):
            if not (tag in ("input", "label") and value.startswith("__tabbed_")):
                dangers.append(Danger(f"the {name} {value!r}, which the theme uses", value))
        elif name == "class":
            reserved = filter(is_reserved_class, value.split())
            dangers += (
                Danger(f"the class {each!r}, which the theme uses", each) for each in reserved
            )
        elif tag == "input" and name == "type" and value not in _INPUT_TYPES:
            dangers.append(Danger(f"an <input> of type {value!r}", "<input"))
    return dangers


def is_reserved_id(name: str) -> bool:
    """Return whether the theme alone may give an element this id, so that a text may not."""
    return _RESERVED_ID.match(name) is not None


def is_reserved_class(name: str) -> bool:
    """Return whether the theme alone may give an element this class, so that a text may not."""
    return _RESERVED_CLASS.match(name) is not None


def url_problem(url: str, *, picture: bool = False) -> str:
    """Return what is wrong with an address, or an empty string.

    White space and case are ignored, as browsers do. ``picture`` forbids addresses of other hosts.
    """
    compact = _SPACE.sub("", url).lower()
    scheme = _SCHEME.match(compact)
    if scheme and scheme[1] not in _SCHEMES:
        return f"an address with {scheme[1]}:"
    if compact.startswith(("//", "\\", "/\\")):
        return "an address without its scheme"
    if picture and scheme:
        return _REMOTE
    return ""
