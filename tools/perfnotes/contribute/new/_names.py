"""Ids that are valid file names on every system: made from a title, or checked."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from perfnotes.contribute.cite.key import folded

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_DEVICE = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")  # names of devices on Windows
_LONGEST = 60


def slug_of(title: str) -> str:
    """Return a slug of the title's words, at most 60 characters long.

    Returns "" if a letter of the title has no Latin form, as in Chinese, or no slug is left.
    """
    plain = unicodedata.normalize("NFKC", title)
    if any(c.isalpha() and not folded(c) for c in plain):
        return ""
    slug = ""
    for word in filter(None, map(folded, _WORD.findall(plain))):
        longer = f"{slug}-{word}" if slug else word[:_LONGEST]
        if len(longer) > _LONGEST:
            break
        slug = longer
    return "" if why_not(slug) else slug


def why_not(slug: str) -> str:
    """Return why a note, term or entity cannot have this id, or "" if it can."""
    if not _SLUG.fullmatch(slug):
        guess = slug_of(slug.replace("_", " ")) if slug and _SLUG.search(slug) else ""
        hint = f"; did you mean {guess}?" if guess else ""
        return f"{slug!r} is no id: lower case letters, digits and hyphens{hint}"
    if _DEVICE.fullmatch(slug):
        return f"no file can be called {slug!r} on Windows: choose another name"
    if slug == "index":
        return "'index' is the name of a note's file in its folder: choose another name"
    if len(slug) > 100:
        return "more than 100 characters: choose a shorter name"
    return ""


def taken(folder: Path, slug: str) -> str:
    """Return the name of an existing file or folder that the new note would replace, or "".

    Names that differ only in case count, because some file systems take them for one.
    """
    wanted = {slug, f"{slug}.md", f"{slug}.zh.md"}
    if not folder.is_dir():
        return ""
    return next((n for f in sorted(folder.iterdir()) if (n := f.name).casefold() in wanted), "")
