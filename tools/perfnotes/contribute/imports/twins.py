"""Pairs the drafts of one text in two languages, so that they become a note and its Chinese twin.

Hugo and mkdocs-static-i18n tell languages by a code before the ending (``page.zh.md`` beside
``page.md`` or ``page.en.md``) or by a folder (``zh/page.md`` beside ``en/page.md`` or
``page.md``); many repositories write ``page_zh.md``. A name alone pairs nothing: the texts must
differ in language as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from perfnotes.contribute.imports.draft import Draft
from perfnotes.text.chinese import CJK

# Codes of simplified Chinese, and of English with and without a region.
_CHINESE = r"(?:zh(?:[-_](?:cn|sg|hans(?:[-_](?:cn|sg))?))?|cn|chs)"
_ENGLISH = ("en", "en-us", "en_us", "en-gb")
_NAME = re.compile(rf"(?P<base>.+?)(?P<mark>[._-]){_CHINESE}", re.IGNORECASE)
_FOLDER = re.compile(_CHINESE, re.IGNORECASE)


def original(file: str, files: Mapping[str, str]) -> str:
    """The English file that belongs to a Chinese one, by their names, or an empty string.

    ``files`` maps each path in lower case to the path.
    """
    for wanted in _candidates(PurePosixPath(file)):
        found = files.get(wanted.lower())
        if found and found != file:
            return found
    return ""


def _candidates(file: PurePosixPath) -> Iterator[str]:
    named = _NAME.fullmatch(file.stem)
    if named:
        yield str(file.with_name(f"{named['base']}{file.suffix}"))
        for code in _ENGLISH:
            yield str(file.with_name(f"{named['base']}{named['mark']}{code}{file.suffix}"))
    parts = file.parts
    for i, part in enumerate(parts[:-1]):
        if _FOLDER.fullmatch(part):
            yield str(PurePosixPath(*parts[:i], *parts[i + 1 :]))
            for code in _ENGLISH:
                yield str(PurePosixPath(*parts[:i], code, *parts[i + 1 :]))


def pair(drafts: list[Draft]) -> None:
    """Set ``original`` of each Chinese draft; split files are paired part by part."""
    by_file: dict[str, list[Draft]] = {}
    for draft in drafts:
        by_file.setdefault(draft.file, []).append(draft)
    files = {file.lower(): file for file in by_file}
    taken: set[str] = set()
    for file, parts in by_file.items():
        english = original(file, files)
        if not english or english in taken:
            continue
        notes = by_file[english]
        if not _differ_in_language(_text(parts), _text(notes)):
            continue
        if len(parts) != len(notes):
            parts[0].tell(
                f"by its name the Chinese translation of {english}, but that was split into "
                f"{len(notes)} parts and this into {len(parts)}: they become notes of their own",
                "split both at the same headings, or neither",
            )
            continue
        taken.add(english)
        for draft, note in zip(parts, notes, strict=True):
            draft.original = note
            draft.assets = note.assets  # both lie in one folder
            draft.tell(f"taken for the Chinese translation of {english} because of its name, and "
                       "recorded as up to date",
                       "if it is behind, mend it before you take `draft: true` out")  # fmt: skip


def _differ_in_language(chinese: str, english: str) -> bool:
    """Whether the first text has several times as many Chinese characters as the second.

    Their share of a text says little, because a page of code has few words in any language.
    """
    count = len(CJK.findall(chinese))
    return count > 1 and count > 4 * len(CJK.findall(english))


def _text(parts: list[Draft]) -> str:
    return "\n".join(f"{d.title}\n{d.page.text}" for d in parts)
