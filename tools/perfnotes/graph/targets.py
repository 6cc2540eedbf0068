"""What a link in a note leads to."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct

from perfnotes.text.body import Body
from perfnotes.text.nearest import Guesses


@dataclass(frozen=True)
class LinkedText:
    """The body of a note, translation, topic introduction, page of ``docs/`` or annotation.

    ``path`` is its path in the repository (``notes/…`` or ``docs/…``); ``kind`` is note, page,
    introduction or annotation; ``id`` is unique among the texts of one kind and language.
    """

    path: str
    kind: str
    id: str
    lang: str
    topic: str
    body: Body
    guesses: Guesses = field(default_factory=Guesses, compare=False, repr=False)


class Target(Struct, frozen=True):
    """A resolved link.

    ``kind`` is ``note``, ``term``, ``page``, ``topic``, ``section``, ``file``, ``url``, ``anchor``
    (a place on the same page), ``evidence`` (a bound number), ``plot`` or ``none`` (plain text, no
    link).
    """

    kind: str
    id: str = ""
    anchor: str = ""


NONE = Target("none")
