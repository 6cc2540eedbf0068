"""Which characters are Chinese or Japanese letters."""

from __future__ import annotations

import re

# Those outside of the Basic Multilingual Plane, 々 and 〇 are among them. The search also counts
# Hangul, which is Korean: a text in it is not in Chinese.
CJK = re.compile(
    "[\u3005\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]"
)


def has_cjk(text: str) -> bool:
    """Return whether the text has any Chinese or Japanese letter."""
    return CJK.search(text) is not None
