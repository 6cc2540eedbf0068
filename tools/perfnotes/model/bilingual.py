"""A piece of text in English and, if there is a translation, in Chinese."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Bilingual(Struct, frozen=True):
    """A text in English; ``zh`` is its Chinese translation, or empty."""

    en: str
    zh: str = ""

    def __getitem__(self, lang: str) -> str:
        """Return the text in ``lang``, or in English if there is no translation."""
        return self.zh if lang == "zh" and self.zh else self.en


NO_WORDS = Bilingual("")


def bilingual(value: Any) -> Bilingual:
    """Make a Bilingual of a plain string or of ``{en: ..., zh: ...}``, which is validated already.

    Each run of white space becomes one blank.
    """
    if isinstance(value, dict):
        return Bilingual(_line(value.get("en", "")), _line(value.get("zh", "")))
    return Bilingual(_line(value))


def _line(value: Any) -> str:
    return " ".join(str(value).split())
