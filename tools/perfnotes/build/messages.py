"""What the processes of a build send each other: staged pages, and what came of them.

Nothing here imports the Markdown engine, which takes long to load.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from perfnotes.site.danger import Danger

STEPS = ("Markdown", "judge", "templates", "write pages")
_MARK = "---\n"  # the line before and after the front matter


class Staged(Struct, frozen=True):
    """A staged page: its front matter, which is JSON, and its Markdown."""

    front: str
    text: str

    @classmethod
    def read(cls, data: bytes) -> Staged:
        """Split a staged file; a file without front matter has ``{}`` for it."""
        source = data.decode()
        end = source.find(f"\n{_MARK}", len(_MARK)) + 1 if source.startswith(_MARK) else 0
        if not end:
            return cls("{}", source)
        return cls(source[len(_MARK) : end], source[end + len(_MARK) :].lstrip("\n"))

    def with_text(self, text: str) -> bytes:
        """Return a staged file with the same front matter and another text."""
        return f"---\n{self.front}---\n\n{text}".encode()


class Article(Struct, frozen=True):
    """The HTML of a page's Markdown, in which ``site.safety`` found nothing dangerous.

    ``toc`` has the headings as Python-Markdown's toc extension nests them.
    """

    html: str
    toc: list[Any]


class ArticlePlace(Struct, frozen=True):
    """Where the article is in the bytes of its page, and the headings of the article.

    Each of ``pieces`` is the start and end of some whole lines. The template may put something
    between two pieces, such as a box around a table.
    """

    pieces: list[tuple[int, int]]
    toc: list[Any]

    def read(self, page: bytes) -> Article:
        """Return the article that is in the bytes ``page``."""
        html = b"\n".join(page[start:end] for start, end in self.pieces)
        return Article(html.decode(), self.toc)


class ToPublish(Struct, frozen=True):
    """A staged page, with everything that a process needs to make it."""

    url: str
    source: bytes  # the staged file
    markdown: bytes  # the page as Markdown, which readers can fetch
    mend: bool  # whether an unsafe page is made harmless; otherwise it is not made
    # The article of an earlier page with the same Markdown.
    article: Article | None = None


class Published(Struct, frozen=True):
    """What came of a page beside its files."""

    dangers: list[Danger]
    staged: bytes  # another staged file, if the page's own had to be made harmless
    seconds: tuple[float, ...]  # CPU time of each of STEPS
    content: str = ""  # digest of the page's bytes
    article: ArticlePlace | None = None  # where the article is in these bytes
