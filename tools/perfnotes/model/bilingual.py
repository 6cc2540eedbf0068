"""A piece of text in English and, where somebody wrote it, in Chinese."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Bilingual:
    """``zh`` is empty where only English is there."""

    en: str
    zh: str = ""

    def __getitem__(self, lang: str) -> str:
        """The text in ``lang``; English where there is no other."""
        return self.zh if lang == "zh" and self.zh else self.en


def bilingual(value: Any) -> Bilingual:
    """From YAML's ``{en: ..., zh: ...}`` (validated before) or from a plain string."""
    if isinstance(value, dict):
        return Bilingual(_line(value.get("en", "")), _line(value.get("zh", "")))
    return Bilingual(_line(value))


def _line(value: Any) -> str:
    return " ".join(str(value).split())
