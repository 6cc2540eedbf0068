"""A Rule: one code of ``perfnotes check`` with its reason and its examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from perfnotes.text.findings import Severity


@dataclass(frozen=True, slots=True)
class Symlink:
    """In an example: a symbolic link in place of a file, and where it leads."""

    to: str


Files = Mapping[str, str | bytes | Symlink]


class Late(Mapping[str, "str | bytes | Symlink"]):
    """Files that take long to make, and are not made before somebody looks at them."""

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


@dataclass(frozen=True)
class Rule:
    """``why`` is Markdown, two or three sentences.

    ``wrong`` and ``right`` lead from a path below ``notes/`` to the file's text (bytes where it
    stands for the whole file, to the last byte); they lie over a small folder of notes that is
    right in everything else (see ``tests/example_notes.py``), and only ``wrong`` gives the code.
    ``in_words`` says both (wrong, right) where a page that shows the files would not show it.
    """

    code: str
    severity: Severity
    title: str
    why: str
    wrong: Files = field(default_factory=dict)
    right: Files = field(default_factory=dict)
    in_words: tuple[str, str] = ("", "")
