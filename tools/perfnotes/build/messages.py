"""What the processes of a build hand to one another: staged pages, and what came of them.

Nothing here needs the engine, which takes long to load.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from perfnotes.site.danger import Danger

STEPS = ("Markdown", "judge", "templates", "write pages")
_FRONT_MATTER = re.compile(r"---\n(.*?\n)---\n+", re.DOTALL)


class Staged(Struct, frozen=True):
    """A staged page: its front matter, which is JSON, and its Markdown."""

    front: str
    text: str

    @classmethod
    def read(cls, data: bytes) -> Staged:
        source = data.decode()
        head = _FRONT_MATTER.match(source)
        return cls(head[1], source[head.end() :]) if head else cls("{}", source)

    def with_text(self, text: str) -> bytes:
        return f"---\n{self.front}---\n\n{text}".encode()


class Article(Struct, frozen=True):
    """The HTML of a page's Markdown, and its headings as Python-Markdown's toc extension has them.

    It was judged, and nothing dangerous was found in it.
    """

    html: str
    toc: list[Any]


class ArticlePlace(Struct, frozen=True):
    """Where in the bytes of a page its article stands, and the headings of the article.

    ``pieces`` are the start and end of whole lines that follow each other in the article. A
    template may put something between them, such as a box around a table.
    """

    pieces: list[tuple[int, int]]
    toc: list[Any]

    def read(self, page: bytes) -> Article:
        """Return the article of a page."""
        html = b"\n".join(page[start:end] for start, end in self.pieces)
        return Article(html.decode(), self.toc)


class ToPublish(Struct, frozen=True):
    """A staged page, as a process gets it that has nothing else; ``own`` notes are not mended.

    ``article`` is that of an earlier page with the same Markdown, if there is one.
    """

    url: str
    source: bytes
    twin: bytes
    own: bool
    article: Article | None = None


class Published(Struct, frozen=True):
    """What came out beside the files: dangers, a staged file that had to change, CPU seconds.

    ``content`` is the digest of the page's bytes, ``article`` the place of its article in them.
    """

    dangers: list[Danger]
    staged: bytes
    seconds: tuple[float, ...]  # for each of STEPS
    content: str = ""
    article: ArticlePlace | None = None
