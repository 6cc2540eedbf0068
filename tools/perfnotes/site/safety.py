"""Whether the HTML that the engine made of a page may be published, against an allow-list.

The judgement is on the parsed HTML5 tree, as a browser would see it, so it does not matter by which
spelling of Markdown something came about. Everything that is not listed is refused.
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
# Pictures of ours, made when the site is built: shapes and text, no links, no styles.
_PICTURE = "svg g rect line circle path polygon text tspan".split()
_NAMES = ("title", "desc")  # of a picture, in plain words
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
    "div": "data-tabs data-machine data-calc align",
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
# The theme's scripts look these up by id or class; a note that answers could steer them.
_STOLEN_ID = re.compile(r"__(?!tabbed_\d)|pn-config$")
_STOLEN_CLASS = re.compile(r"(?:md-|js-|mermaid$|glightbox)")
_SPACE = re.compile(r"[\x00-\x20]+")
_INPUT_TYPES = ("checkbox", "radio")
# Tags and attributes as a parsed tree is written: quoted, in one way only.
_TAG = re.compile(r'(</?[a-z][a-z0-9]*(?: [A-Za-z-]+="[^"]*")*>)')
_ATTRIBUTE = re.compile(r' ([A-Za-z-]+)="([^"]*)"')


def judge(html: str) -> list[Danger]:
    """Everything in the HTML that the allow-list does not have; empty where it is safe."""
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
    """Whether each tag of the parsed tree, written out again, is of the allow-list.

    The written tree holds every element with every attribute; text in it has no ``<``. So where
    nothing but plain tags has one, no element is missed, and each kind of tag is looked at once.
    Whatever is not that plain is left to the walk over the tree.
    """
    pieces = _TAG.split(parsed)
    return "<" not in "".join(pieces[::2]) and all(map(_tag_is_safe, set(pieces[1::2])))


@lru_cache(maxsize=4096)
def _tag_is_safe(tag: str) -> bool:
    """Of a plain tag as a parsed tree is written."""
    if tag.startswith("</"):
        return True  # it began before
    name, *_ = tag[1:-1].split(" ", 1)
    attributes: dict[str, str | None] = {k: unescape(v) for k, v in _ATTRIBUTE.findall(tag)}
    return name in ELEMENTS and not _attributes(name, attributes)


def _names_picture(node: LexborNode) -> bool:
    """Whether this is the plain name of a picture: HTML may begin again inside of it."""
    inside = node.iter(include_text=False)
    plain = node.parent is not None and node.parent.tag == "svg" and not any(True for _ in inside)
    return plain and not _attributes("rect", node.attributes)


def _attributes(tag: str, attributes: dict[str, str | None]) -> list[Danger]:
    dangers = []
    allowed = ATTRIBUTES[tag]
    for name, given in attributes.items():
        value = given or ""
        if name not in allowed:
            dangers.append(Danger(f"the attribute {name!r} of <{tag}>", name))
        elif name in ("href", "src", "cite"):
            problem = url_problem(value, picture=tag == "img")
            if problem:
                dangers.append(Danger(f"{problem} in <{tag}>", value[:20]))
        elif name == "style" and not _STYLE.match(value.strip()):
            dangers.append(Danger(f"a style of <{tag}>", "style"))
        elif name in ("id", "name", "for") and _STOLEN_ID.match(value):
            if not (tag in ("input", "label") and value.startswith("__tabbed_")):
                dangers.append(Danger(f"the {name} {value!r}, which the theme uses", value))
        elif name == "class" and any(_STOLEN_CLASS.match(c) for c in value.split()):
            dangers.append(Danger(f"the class {value!r}, which the theme uses", value.split()[0]))
        elif tag == "input" and name == "type" and value not in _INPUT_TYPES:
            dangers.append(Danger(f"an <input> of type {value!r}", "<input"))
    return dangers


def url_problem(url: str, *, picture: bool = False) -> str:
    """What is wrong with an address, as a browser reads it (white space and case do not count)."""
    compact = _SPACE.sub("", url).lower()
    scheme = _SCHEME.match(compact)
    if scheme and scheme[1] not in _SCHEMES:
        return f"an address with {scheme[1]}:"
    if compact.startswith(("//", "\\", "/\\")):
        return "an address without its scheme"
    if picture and scheme:
        return "a picture from another host"
    return ""
