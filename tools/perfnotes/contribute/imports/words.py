"""The words of a text, by which ``proof`` compares a source with its drafts."""

from __future__ import annotations

import re

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")


def words(text: str) -> list[str]:
    """Runs of letters and digits, and each Chinese character by itself."""
    return _WORD.findall(text)
