"""Edits YAML without changing any other byte: renames a scalar, adds or removes an item."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterator

import yaml
from msgspec import Struct

from perfnotes.source import yamlnodes
from perfnotes.text.tokens import TextEdit

Path = tuple[Hashable, ...]

_LIKE_A_NUMBER = re.compile(r"[\d.eE+-]+")

_IN_BRACES = (
    "a mapping in braces cannot be edited: write each of its keys on a line of its own first"
)


class YamlEditError(Exception):
    """The text is written in a way that cannot be edited in place."""


class _Node(Struct, frozen=True):
    start: int
    end: int
    value: str | None = None  # of a scalar
    flow: bool = False


class YamlText:
    """The YAML between two offsets of a text.

    A value is named by its path, a tuple of keys and indexes. Raises ``YamlError`` if the text is
    not valid YAML. The methods that return an edit, and ``block``, raise ``KeyError`` if there is
    no value at the path, and ``YamlEditError`` if it is written in a way that cannot be edited.
    """

    def __init__(self, text: str, start: int = 0, end: int | None = None) -> None:
        self.text = text
        self.start = start
        self.end = len(text) if end is None else end
        self._nodes: dict[Path, _Node] = {}
        root = yamlnodes.compose(text[start : self.end])
        if root is not None:
            self._walk(root, ())

    def _walk(self, node: yaml.Node, path: Path) -> None:
        a, b = (self.start + m.index for m in (node.start_mark, node.end_mark))
        flow = bool(getattr(node, "flow_style", False))
        value = node.value if isinstance(node, yaml.ScalarNode) else None
        self._nodes[path] = _Node(a, b, value, flow)
        if isinstance(node, yaml.SequenceNode):
            for i, each in enumerate(node.value):
                self._walk(each, (*path, i))
        elif isinstance(node, yaml.MappingNode):
            for key, each in node.value:
                self._walk(each, (*path, key.value))

    def scalars(self) -> Iterator[tuple[Path, str, int, int]]:
        """Yield every scalar: its path, its value, and the range it takes, including quotes."""
        for path, node in self._nodes.items():
            if node.value is not None:
                yield path, node.value, node.start, node.end

    def entry(self, id: str) -> int:
        """Return the index of the entry with this ``id`` in a table, or -1."""
        found = (p[0] for p, value, _, _ in self.scalars() if p[1:] == ("id",) and value == id)
        return next((i for i in found if isinstance(i, int)), -1)

    def items(self, path: Path) -> list[str]:
        """Return the scalars of the list at ``path``; empty if there is no list."""
        found: list[str] = []
        while (node := self._nodes.get((*path, len(found)))) is not None:
            found.append(node.value or "")
        return found

    def __contains__(self, path: Path) -> bool:
        return path in self._nodes

    def renamed(self, path: Path, new: str) -> TextEdit:
        """Return the edit that gives the scalar at ``path`` another value, with the same quotes.

        ``new`` holds no quote or backslash, as ids and hashes do not.
        """
        node = self._nodes[path]
        raw = self.text[node.start : node.end]
        if raw[:1] in "'\"" and raw[-1:] == raw[:1]:
            return TextEdit(node.start, node.end, f"{raw[0]}{new}{raw[0]}")
        if raw != node.value:
            raise YamlEditError(f"{raw!r} is written over several lines: write it on one first")
        return TextEdit(node.start, node.end, yaml_scalar(new))

    def appended(self, path: Path, new: str) -> TextEdit:
        """Return the edit that adds an item at the end of the list at ``path``."""
        node, count = self._nodes[path], len(self.items(path))
        if node.flow:
            close = node.end - 1
            inside = self.text[node.start + 1 : close].rstrip()
            gap = "" if not count else " " if inside.endswith(",") else ", "
            at = node.start + 1 + len(inside)
            return TextEdit(at, at, f"{gap}{yaml_scalar(new)}")
        if not count:
            raise YamlEditError("a list has no items yet: write its first one by hand")
        last = self._nodes[(*path, count - 1)]
        line = self.text.rfind("\n", 0, last.start) + 1
        end = self.text.find("\n", last.end)
        at = self.end if end < 0 else end
        return TextEdit(at, at, f"\n{self.text[line : last.start]}{yaml_scalar(new)}")

    def removed(self, path: Path, index: int) -> TextEdit:
        """Return the edit that removes the item ``index`` of the list at ``path``."""
        node, count = self._nodes[path], len(self.items(path))
        item = self._nodes[(*path, index)]
        if count == 1 and node.flow:
            return TextEdit(node.start, node.end, "[]")
        if count == 1:  # a list in brackets must not begin in the column of its key
            start = len(self.text[: node.start].rstrip())
            if self.text[start - 1] != ":":
                raise YamlEditError("a comment is above the first item: remove the list by hand")
            return TextEdit(start, item.end, " []")
        if not node.flow:
            line = self.text.rfind("\n", 0, item.start) + 1
            end = self.text.find("\n", item.end)
            return TextEdit(line, self.end if end < 0 else end + 1, "")
        if index:
            return TextEdit(self._nodes[(*path, index - 1)].end, item.end, "")
        return TextEdit(item.start, self._nodes[(*path, 1)].start, "")

    def block(self, path: Path) -> tuple[int, int]:
        """Return the column of the block mapping at ``path``, and the end of its last line."""
        top = self._nodes[path]
        if top.flow or top.value is not None:
            raise YamlEditError(_IN_BRACES)
        inside = [n for p, n in self._nodes.items() if p[: len(path)] == path]
        # A block node ends at the start of the next one, so only scalars and flow nodes count. A
        # scalar of several lines includes the blank lines after it, which are cut off here.
        last = max(n.end for n in inside if n.flow or n.value is not None)
        end = self.text.find("\n", len(self.text[:last].rstrip()))
        column = top.start - (self.text.rfind("\n", 0, top.start) + 1)
        return column, self.end if end < 0 else end

    def added_key(self, path: Path, line: str, after: tuple[str, ...]) -> TextEdit:
        """Return the edit that adds a ``key: value`` line to the block mapping at ``path``.

        The line follows the first key of ``after`` that the mapping has.
        """
        top = self._nodes[path]
        if top.flow:
            raise YamlEditError(_IN_BRACES)
        known = next((n for n in after if (*path, n) in self), None)
        if known is None:
            raise YamlEditError(
                f"none of the keys {', '.join(after)} is there: add one of them first"
            )
        last = self._nodes[(*path, known)]
        # What is indented below the key ends where the next key or entry begins.
        end = self.text.find("\n", len(self.text[: last.end].rstrip()))
        end = self.end if end < 0 else end
        column = top.start - (self.text.rfind("\n", 0, top.start) + 1)
        return TextEdit(end, end, f"\n{' ' * column}{line}")


def yaml_scalar(text: str, *, flow: bool = True) -> str:
    """Write a text as YAML, with quotes if YAML would read it as something else (``1e3``, ``no``).

    With ``flow`` the result can also stand in brackets or braces, where a comma ends a text.
    """
    shown, meant = (f"[{text}, x]", [text, "x"]) if flow else (text, text)
    try:
        same = yamlnodes.value(shown) == meant
    except yamlnodes.YamlError:
        same = False
    safe = same and not _LIKE_A_NUMBER.fullmatch(text)
    safe = safe and not (flow and "?" in text)  # YAML parsers disagree about "?"
    return text if safe else json.dumps(text, ensure_ascii=False)
