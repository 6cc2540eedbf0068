"""A Rule: one code of ``perfnotes check``, with the reason for it and examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct, field

from perfnotes.text.findings import Severity

SHOWN_LAB = "shown lab"
"""Stands in a check's ``LOOKS_AT`` if what the check finds in a text depends on no labs but those
of which the text shows a run or a plot."""


class Symlink(Struct, frozen=True):
    """A symbolic link among the files of an example; ``to`` is the path that it leads to."""

    to: str


Files = Mapping[str, str | bytes | Symlink]


class LazyFiles(Mapping[str, "str | bytes | Symlink"]):
    """Example files that take long to make. The first access makes them."""

    def __init__(self, make: Callable[[], Files]) -> None:
        self._make = make

    @cached_property
    def _files(self) -> Files:
        return self._make()

    def __getitem__(self, path: str) -> str | bytes | Symlink:
        return self._files[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


class Rule(Struct, frozen=True):
    """A code with its severity and title, why it exists, and an example of wrong and right notes.

    ``why`` is Markdown, two or three sentences. ``wrong`` and ``right`` map paths below ``notes/``
    to file contents. Bytes are the exact contents of the file. The files are added to a small
    folder of notes without faults (see ``tests/example_notes.py``); there, ``wrong`` gives the code
    and ``right`` does not. ``in_words`` describes both examples, wrong and right, if the files
    would not show the difference.
    """

    code: str
    severity: Severity
    title: str
    why: str
    wrong: Files = field(default_factory=dict)
    right: Files = field(default_factory=dict)
    in_words: tuple[str, str] = ("", "")
