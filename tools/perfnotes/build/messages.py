"""What the processes of a build hand to one another: staged pages, and what came of them.

Nothing here needs the engine, which takes long to load.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from perfnotes.site.danger import Danger

STEPS = ("Markdown", "judge", "templates", "write pages")
_FRONT_MATTER = re.compile(r"---\n(.*?\n)---\n+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Staged:
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


@dataclass(frozen=True, slots=True)
class ToPublish:
    """A staged page, as a process gets it that has nothing else; ``own`` notes are not mended."""

    url: str
    source: bytes
    twin: bytes
    own: bool


@dataclass(frozen=True, slots=True)
class Published:
    """What came out beside the files: dangers, a staged file that had to change, CPU seconds.

    ``content`` is the digest of the page's bytes.
    """

    dangers: list[Danger]
    staged: bytes
    seconds: tuple[float, ...]  # for each of STEPS
    content: str = ""
