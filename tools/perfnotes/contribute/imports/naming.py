"""Makes slugs of file names and titles."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

from perfnotes.model.term import Term

_NOTION_ID = re.compile(r"[ -][0-9a-f]{32}$")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")  # the whole name of a daily note
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})[-_ ]*(?=\S)")
# The language of a page before its ending, as Hugo and mkdocs-static-i18n write it.
_LANGUAGE = re.compile(r"\.(?:en(?:[-_]\w{2})?|zh(?:[-_]\w{2,7}){0,2})$", re.IGNORECASE)
_NOT_NAMES = {"index", "_index", "readme", "home", "main", "start", "content"}
_PARTS = re.compile(r"[a-z0-9]+")
_LONGEST = 60  # characters of a slug


def stem(path: str) -> str:
    """A file's name without ending, language, date and Notion's id; of an index, the folder's."""
    pure = PurePosixPath(path)
    name = without_language(pure.stem)
    if name.lower() in _NOT_NAMES and pure.parent.name:
        name = pure.parent.name
    name = _NOTION_ID.sub("", name)
    return _DATED.sub("", name, count=1) if _DATED.match(name) else name


def without_language(name: str) -> str:
    """A name or path, which has no ending, without the code of its language."""
    return _LANGUAGE.sub("", name)


def title(path: str) -> str:
    """A title from a file's name. A day keeps its hyphens; others stand for spaces."""
    name = stem(path).replace("_", " ")
    if "-" in name and " " not in name and not _DAY.fullmatch(name):
        name = name.replace("-", " ")
    return " ".join(name.split()) or "Untitled"


def date_in(path: str) -> str:
    """The date with which a file's name begins, as in Jekyll, or an empty string."""
    name = PurePosixPath(path).stem
    if _DAY.fullmatch(name):
        return name
    found = _DATED.match(name)
    return found[1] if found else ""


def slug(words: str) -> str:
    """A slug of the words, at most 60 characters; empty if their letters are mostly not Latin.

    A day, such as the name of a daily note, is a slug as it is.
    """
    if _DAY.fullmatch(words):
        return words
    plain = unicodedata.normalize("NFKD", words).casefold()
    letters = [c for c in plain if c.isalpha()]
    if not letters or sum(c.isascii() for c in letters) < 0.6 * len(letters):
        return ""
    return _shortened(plain)


def _shortened(words: str) -> str:
    kept = ""
    plain = "".join(c for c in words if not unicodedata.combining(c)).replace("'", "")
    for part in _PARTS.findall(plain):
        longer = f"{kept}-{part[:_LONGEST]}" if kept else part[:_LONGEST]
        if len(longer) > _LONGEST:
            break
        kept = longer
    return kept


def slug_from_terms(words: str, terms: Iterable[Term]) -> str:
    """A slug of a Chinese title, from the ids of the glossary's terms in it; empty if too short."""
    names = {n.casefold(): t.id for t in terms for n in t.spellings("zh") if len(n) > 1}
    text = words.casefold()
    for name in sorted(names, key=lambda n: (-len(n), n)):
        text = text.replace(name, f" {names[name]} ")
    made = _shortened(text)
    return made if len(made) >= 4 and not made.replace("-", "").isdecimal() else ""


def hashed(path: str) -> str:
    """A slug made of a digest of the path, for a note that gets no name from its words."""
    return f"note-{hashlib.sha256(path.encode('utf-8', 'replace')).hexdigest()[:8]}"


def free_name(wanted: str, taken: Collection[str]) -> str:
    """The wanted name; if it is taken, with the first number from 2 on that makes it free."""
    name, n = wanted, 1
    while name in taken:
        n += 1
        name = f"{wanted}-{n}"
    return name
