"""Markdown, with the dialects of Obsidian, MkDocs, Hugo, Jekyll, Notion and GitHub."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from perfnotes.contribute.imports import fields
from perfnotes.contribute.imports.fields import Fields
from perfnotes.contribute.imports.imported_page import Change, ImportedPage

ENDINGS = ("md", "markdown", "mdown", "mkd", "mdx", "qmd", "rmd", "txt")

_SIGNS = re.compile(
    r"^(?:#{1,6} \S|```|~~~|[-*+] \S.*\n[-*+] |> \S|\|.*\|\n\|[ :|-]+\|)"
    r"|\]\((?:https?:|\.{0,2}/)|\*\*\S",
    re.MULTILINE,
)
_HEADING = re.compile(r"^#{1,6} \S", re.MULTILINE)
# Notion writes a page's properties as lines below its title.
PROPERTIES = re.compile(
    r"\n?(?P<title># [^\n]+\n)\n(?P<pairs>(?:(?:[^\W_][^:\n]{0,40}|#): [^\n]+\n){1,30})(?:\n|\Z)"
)
_VARIABLE = re.compile(
    r"\{\{-?\s*page\.(?P<key>\w+)\s*(?:\|\s*(?:relative|absolute)_url\s*)?-?\}\}"
)
_PAIR = re.compile(r"(?<![^:\n])([^:\n]+): ([^\n]+)")
_KNOWN = {"tags", "created", "created time", "last edited time", "author", "created by", "status",
          "type", "date", "topic", "category", "updated"}  # fmt: skip


def likely(text: str) -> bool:
    if re.match(r"\s*(?:---|\+\+\+)[ \t]*\n", text) and fields.split(text)[1]:
        return True
    return _HEADING.search(text) is not None and len(_SIGNS.findall(text[:100_000])) >= 2


def read(path: str, text: str) -> tuple[Fields, ImportedPage]:
    found, start = fields.split(text)
    page = ImportedPage.of(path, text[start:], text.count("\n", 0, start) + 1)
    if found.problem:
        what = f"{found.problem}: it was moved into comments"
        page = page.with_guess(what, "mend it there", found.problem_line)
    page = page.changed(_variables(page, found))
    properties = PROPERTIES.match(page.text)
    if properties:
        pairs = _PAIR.findall(properties["pairs"])
        if any(key.strip().lower() in _KNOWN for key, _ in pairs):
            values = {key.strip().lower(): value.strip() for key, value in pairs}
            for key in ("created time", "created"):
                if key in values:
                    values.setdefault("date", values.pop(key))
            if "last edited time" in values:
                values["updated"] = values.pop("last edited time")
            if "created by" in values:
                values.setdefault("author", values.pop("created by"))
            found = replace(found, values={**values, **found.values})
            cut = properties.end("title"), properties.end("pairs")
            rows = page.lines
            first = page.text.count("\n", 0, cut[0])
            last = page.text.count("\n", 0, cut[1])
            page = ImportedPage(path, page.text[: cut[0]] + page.text[cut[1] :],
                        rows[:first] + rows[last:], page.guesses)  # fmt: skip
    return found, page


def _variables(page: ImportedPage, found: Fields) -> Iterator[Change]:
    """Jekyll's ``{{ page.key }}``, where the front matter has the key as one line of text."""
    for use in _VARIABLE.finditer(page.text):
        value = found.values.get(use["key"].lower())
        if isinstance(value, (str, int, float)) and "\n" not in str(value):
            yield Change(use.start(), use.end(), str(value).rstrip("/"))
