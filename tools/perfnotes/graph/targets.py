"""What a link in a note leads to."""

from __future__ import annotations

from dataclasses import dataclass

from perfnotes.storage.packed import packed
from perfnotes.text.body import Body


@dataclass(frozen=True)
class Text:
    """A body that may link and be linked: of a note, a twin, a site page or an annotation.

    ``path`` is where it lies in the repository's own tree (``notes/…`` or ``docs/…``);
    ``kind`` is note, page, introduction or annotation; ``id`` names it among its kind.
    """

    path: str
    kind: str
    id: str
    lang: str
    topic: str
    body: Body


@packed
@dataclass(frozen=True, slots=True)
class Target:
    """A resolved link.

    kind: ``note``, ``term``, ``page``, ``topic``, ``section``, ``file``, ``url``, ``anchor`` (this
    page),
    ``evidence`` (a number's binding) or ``none`` (stays the text that it is).
    """

    kind: str
    id: str = ""
    anchor: str = ""


NONE = Target("none")
