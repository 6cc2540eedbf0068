"""Removes from a page's HTML what may not be published, for notes that were never written for us.

The Markdown was cleaned before; this removes what cleaning could not see in it. Readers still see
the words: an element that is not allowed is replaced by its name and its content, a script by its
source.
"""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from perfnotes.site.render.markup import escape
from perfnotes.site.safety import ELEMENTS, judge

_ROUNDS = 4  # removing an element may change how a browser reads the rest
_SOURCE = ("script", "style", "template", "textarea", "iframe", "noscript", "xmp", "noembed")


def harmless(html: str) -> str:
    """Return the HTML with only what :func:`judge` allows, or "" if ``_ROUNDS`` are too few."""
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
    """Return an element with one attribute, inside the parents that HTML demands for it."""
    opening = f"<{tag}{attribute}>"
    if tag in ("td", "th"):
        return f"<table><tbody><tr>{opening}"
    if tag in ("tr", "tbody", "thead", "tfoot", "caption", "colgroup", "col"):
        return f"<table>{opening}"
    return opening
