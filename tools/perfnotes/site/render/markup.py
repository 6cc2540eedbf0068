"""Text made safe for the place where it goes: an HTML attribute, or words inside Markdown.

Character references survive every Markdown engine as what they are, so text from a note or a
bibliography can neither open a tag nor start emphasis, a link or a code span.
"""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#!|~^=$&\"'@]")
_SPACE = re.compile(r"\s+")


def words(text: str) -> str:
    """Text for a place where Markdown or HTML is read: shown as it is, never interpreted."""
    return _SPECIAL.sub(lambda m: f"&#{ord(m[0])};", _SPACE.sub(" ", text))


def attribute(text: str) -> str:
    """Text for a double-quoted HTML attribute, inside Markdown or not."""
    return words(text)


_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_HTML_SPECIAL = re.compile(r"[&<>\"']")


def escape(text: str) -> str:
    """Text for a raw HTML block, which no Markdown engine looks into."""
    return _HTML_SPECIAL.sub(lambda m: _HTML[m[0]], text)


_TICKS = re.compile(r"`{3,}")
_MD_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$])")


def fenced(text: str, language: str) -> str:
    """Text as a code block, whatever fences it holds itself."""
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}\n"


def markdown_words(text: str) -> str:
    """Text for a Markdown file that people read: escaped with backslashes."""
    return _MD_SPECIAL.sub(r"\\\1", _SPACE.sub(" ", text))


def anchor(href: str, label_html: str, **attributes: str) -> str:
    """``<a href=…>label</a>``; ``class_`` stands for ``class``, ``_`` within a name for ``-``."""
    extra = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{attribute(value)}"'
        for name, value in attributes.items()
        if value
    )
    return f'<a href="{attribute_url(href)}"{extra}>{label_html}</a>'


_URL_SPECIAL = re.compile(r"[\\`*{}\[\]<>\"'&|^\s]")


def attribute_url(url: str) -> str:
    """An address for an attribute: Markdown's and HTML's special characters as references."""
    return _URL_SPECIAL.sub(lambda m: f"&#{ord(m[0])};", url)
