"""Renders a sentence of a table or of front matter, in which only code spans are marked up."""

from __future__ import annotations

from perfnotes.model.symptom import code_and_words
from perfnotes.site.render.markup import escape, escape_markdown


def sentence_html(text: str) -> str:
    """Return the sentence as HTML."""
    return "".join(
        f"<code>{escape(part)}</code>" if is_code else escape(part)
        for is_code, part in code_and_words(text)
    )


def sentence_markdown(text: str) -> str:
    """Return the sentence as Markdown that people read."""
    return "".join(
        f"`{part}`" if is_code else escape_markdown(part) for is_code, part in code_and_words(text)
    )
