"""Makes lists as pymdownx's fancylists does, in linear time for long items.

The extension appends each further line of an item to a copy of the item so far. An item of 250,000
lines makes it copy 130 GB. Here such lines are joined first and appended once.
"""

from __future__ import annotations

from typing import Any

_LONG = 1000  # lines; a shorter block costs too little to look at its lines here
# No text has these two characters side by side: Python-Markdown removes both from its input, and in
# its own placeholders something is between them.
_JOINED = "\x02\x03"


class QuickItems:
    """Replaces ``get_items`` of ``processor``, one of the extension's two block processors."""

    def __init__(self, processor: Any) -> None:
        self._child, self._indented = processor.child_re, processor.indent_re
        self._get_items = processor.get_items

    def __call__(self, sibling: Any, block: str, blocks: list[str]) -> tuple[list[str], str]:
        """Return the items of a block and their type; insert the rest of it before ``blocks``."""
        if block.count("\n") < _LONG:
            found: tuple[list[str], str] = self._get_items(sibling, block, blocks)
            return found
        rest: list[str] = []
        items, kind = self._get_items(sibling, self.joined(block), rest)
        for each in reversed(rest):
            blocks.insert(0, each.replace(_JOINED, "\n"))
        return [each.replace(_JOINED, "\n") for each in items], kind

    def joined(self, block: str) -> str:
        """Join each two neighbouring lines of which neither begins an item."""
        parts: list[str] = []
        plain = False
        for line in block.split("\n"):
            was, plain = plain, not (self._child.match(line) or self._indented.match(line))
            parts += (_JOINED if was and plain else "\n", line)
        return "".join(parts[1:])
