"""The signs that join words in English and in Chinese.

Chinese has signs of full width, which need no space beside them.
"""

from __future__ import annotations

from typing import NamedTuple


class Joins(NamedTuple):
    """The signs of one language, each with the space that the language puts beside it.

    ``item`` stands between the items of a list, ``gap`` between two words or sentences.
    """

    comma: str
    item: str
    semicolon: str
    colon: str
    stop: str
    gap: str
    opening: str
    closing: str

    def bracketed(self, words: str) -> str:
        """Return words in brackets, with the gap before them: `` (since 2019)``."""
        return f"{self.gap}{self.opening}{words}{self.closing}"


_ENGLISH = Joins(", ", ", ", "; ", ": ", ". ", " ", "(", ")")
_CHINESE = Joins("，", "、", "；", "：", "。", "", "（", "）")


def joins(lang: str) -> Joins:
    """Return the signs of ``lang``."""
    return _CHINESE if lang.startswith("zh") else _ENGLISH
