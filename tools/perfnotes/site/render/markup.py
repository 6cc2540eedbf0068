"""Escaping of text for Markdown, for HTML and for attributes.

``escape`` is for HTML, ``escape_staged`` for staged Markdown, ``escape_markdown`` for Markdown
copies of pages.

Inside staged Markdown, special characters are written as character references. No Markdown engine
interprets these, so text from a note or a bibliography cannot open a tag or start emphasis, a link
or a code span.
"""

from __future__ import annotations

import json
import re
from typing import Any

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#!|~^=$&\"'@]")
_SPACE = re.compile(r"\s+")


def escape_staged(text: str) -> str:
    """Escape text for staged Markdown and HTML in it, so that it shows as it is, on one line."""
    return _SPECIAL.sub(lambda m: f"&#{ord(m[0])};", _SPACE.sub(" ", text))


def attribute(text: str) -> str:
    """Escape text for a double-quoted HTML attribute, also inside of Markdown."""
    return escape_staged(text)


_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_HTML_SPECIAL = re.compile(r"[&<>\"']")


def escape(text: str) -> str:
    """Escape text for HTML that no engine reads as Markdown: front matter and blocks."""
    return _HTML_SPECIAL.sub(lambda m: _HTML[m[0]], text)


def data_attribute(name: str, value: Any) -> str:
    """Return an attribute that holds a value as JSON.

    It stands between single quotes, so that the double ones of JSON need not be escaped.
    """
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"data-{name}='{escape(data).replace('&quot;', chr(34))}'"


_TICKS = re.compile(r"`{3,}")
_MD_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$])")


def fenced(text: str, language: str) -> str:
    """Return text as a fenced code block; the fence is longer than any row of backticks in it."""
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}\n"


def escape_markdown(text: str) -> str:
    """Escape text with backslashes, on one line, for the Markdown copy of a page."""
    return _MD_SPECIAL.sub(r"\\\1", _SPACE.sub(" ", text))


def anchor(href: str, label_html: str, **attributes: str) -> str:
    """Return ``<a href=…>label</a>`` with further attributes, without those that are empty.

    ``class_`` stands for ``class``, and ``_`` inside of a name for ``-``. ``label_html`` must be
    escaped already.
    """
    extra = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{attribute(value)}"'
        for name, value in attributes.items()
        if value
    )
    return f'<a href="{attribute_url(href)}"{extra}>{label_html}</a>'


_URL_SPECIAL = re.compile(r"[\\`*{}\[\]<>\"'&|^\s]")


def attribute_url(url: str) -> str:
    """Escape an address for an HTML attribute, also inside of Markdown."""
    return _URL_SPECIAL.sub(lambda m: f"&#{ord(m[0])};", url)
