"""A page's HTML without what may not be published, for notes that were never written for us.

The source has been cleaned before; this is for what it could not see. What goes stays readable: an
element that is not listed is replaced by its name and what it holds, a script by its source.
"""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from perfnotes.site.render.markup import escape
from perfnotes.site.safety import ELEMENTS, judge

_ROUNDS = 4  # taking an element away may change how a browser reads the rest
_SOURCE = ("script", "style", "template", "textarea", "iframe", "noscript", "xmp", "noembed")


def harmless(html: str) -> str:
    """The HTML with only what :func:`judge` allows; empty where that cannot be reached."""
    for _ in range(_ROUNDS):
        tree = LexborHTMLParser(html)
        if tree.body is None:
            return ""
        for node in list(tree.body.traverse(include_text=False)):
            if node.tag and node.tag[:1].isalpha():
                _clean(node)
        html = tree.body.inner_html or ""
        if not judge(html):
            return html
    return ""


def _clean(node: LexborNode) -> None:
    if node.tag in _SOURCE:
        node.replace_with(node.html or "")
    elif node.tag not in ELEMENTS:
        node.insert_before(f"<{node.tag}>")
        node.unwrap(delete_empty=True)
    else:
        for name, value in list(node.attributes.items()):
            written = f' {name}="{escape(value or "")}"'
            if judge(_alone(node.tag or "", written)):
                del node.attrs[name]


def _alone(tag: str, attribute: str) -> str:
    """The element with one attribute, where HTML lets it stand."""
    opening = f"<{tag}{attribute}>"
    if tag in ("td", "th"):
        return f"<table><tbody><tr>{opening}"
    if tag in ("tr", "tbody", "thead", "tfoot", "caption", "colgroup", "col"):
        return f"<table>{opening}"
    return opening
