"""A queue for the blocks of a text that Python-Markdown has not parsed yet.

Python-Markdown takes each block from the front of a list and often puts the rest of the block back.
Each time, the list moves all blocks behind it. For 80,000 paragraphs that is a quarter of the time.
"""

from __future__ import annotations

from collections import deque
from typing import Any, SupportsIndex


class BlockQueue(deque[str]):
    """A queue with the three operations of a list that block processors use, at its front.

    These are ``blocks[0]``, ``pop(0)`` and ``insert(0, block)``.
    """

    def pop(self, index: SupportsIndex = -1) -> str:
        return self.popleft() if index == 0 else super().pop()


def use_queues(parser: Any) -> None:
    """Make a block parser keep the blocks that it splits a text into in a queue.

    All block processors must be registered before: the parser would sort them again for each block,
    and here they are sorted once.
    """
    processors = tuple(parser.blockprocessors)

    def parse_blocks(parent: Any, blocks: BlockQueue | list[str]) -> None:
        while blocks:
            for processor in processors:
                if processor.test(parent, blocks[0]) and processor.run(parent, blocks) is not False:
                    break

    def parse_chunk(parent: Any, text: str) -> None:
        parse_blocks(parent, BlockQueue(text.split("\n\n")))

    parser.parseBlocks = parse_blocks
    parser.parseChunk = parse_chunk
