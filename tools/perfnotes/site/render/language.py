"""The language of a title or a sentence that stands on a page of another language.

Screen readers choose a voice, and browsers a typeface, by the attribute ``lang`` that is nearest.
"""

from __future__ import annotations

from perfnotes.text.chinese import has_cjk


def _language_of(text: str) -> str:
    """Return ``zh`` if any letter of the text is Chinese, else ``en`` if it has letters.

    Empty for a text without letters, which any voice can read.
    """
    if has_cjk(text):
        return "zh"
    return "en" if any(map(str.isalpha, text)) else ""


def lang_attribute(text: str, lang: str) -> str:
    """Return an attribute ``lang``, with a space before it; empty if ``text`` is in ``lang``.

    A Chinese text with Latin names is Chinese, so a page in Chinese marks only texts that have no
    Chinese letter at all.
    """
    own = _language_of(text)
    return f' lang="{own}"' if own and own != lang else ""
