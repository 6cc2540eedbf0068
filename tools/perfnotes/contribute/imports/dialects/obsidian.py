"""Obsidian: callouts, comments, highlights and block ids; ``links`` resolves its links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.contribute.imports.imported_page import Change, ImportedPage
from perfnotes.text.callouts import CALLOUTS

_KINDS = {
    "NOTE": "note abstract summary tldr info todo example quote cite",
    "TIP": "tip hint success check done question help faq",
    "WARNING": "warning attention bug",
    "IMPORTANT": "important",
    "CAUTION": "caution danger error failure fail missing",
}
_KIND = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_CALLOUT = re.compile(
    r"^(?P<lead>[ \t]*(?:>[ \t]*)+)\[!(?P<kind>[\w-]+)(?:\|[^\]\n]*)?\](?P<fold>[-+]?)"
    r"[ \t]*(?P<title>[^\n]*)$",
    re.MULTILINE,
)
_COMMENT = re.compile(r"%%(.*?)%%", re.DOTALL)
_MARKED = re.compile(r"==(?=[^\s=])([^=\n]*[^\s=])==(?!=)")
_BLOCK_ID = re.compile(r"[ \t]\^[A-Za-z0-9][A-Za-z0-9-]*[ \t]*$", re.MULTILINE)


def kind_of(word: str) -> str:
    """Return which callout of ours a word such as ``abstract`` names; empty if it names none."""
    return _KIND.get(word.lower(), "")


def changes(page: ImportedPage) -> Iterator[Change]:
    text = page.text
    for found in _CALLOUT.finditer(text):
        if page.is_verbatim(found.start("kind")):
            continue
        given = found["kind"]
        kind = _KIND.get(given.lower(), "NOTE")
        if given in CALLOUTS and not found["title"] and not found["fold"]:
            continue
        title = found["title"].strip()
        lead = found["lead"].rstrip()
        new = f"{found['lead']}[!{kind}]"
        if title:
            new += (
                f"\n{lead} **{title}**\n{lead}" if "*" not in title else f"\n{lead} {title}\n{lead}"
            )
        unknown = given.lower() not in _KIND
        said = f"the callout {given!r} became [!{kind}]" if unknown or kind != given.upper() else ""
        if found["fold"]:
            said = said or f"the callout {given!r} cannot be folded in a note"
        # An unknown kind may be a word that the author chose for readers, so it is kept aside.
        yield Change(found.start(), found.end(), new, said, "", given if unknown else "")
    for found in _COMMENT.finditer(text):
        if page.is_verbatim(found.start()) or not found[1].strip():
            continue
        said = "a %% comment was moved into the front matter"
        yield Change(found.start(), found.end(), "", said, "", found[1].strip())
    for found in _MARKED.finditer(text):
        if page.is_verbatim(found.start()) or page.is_verbatim(found.end() - 1):
            continue
        inner = found[1]
        mark = "" if "*" in inner else "**"
        yield Change(found.start(), found.end(), f"{mark}{inner}{mark}")
    for found in _BLOCK_ID.finditer(text):
        if not page.is_verbatim(found.start() + 1):
            said = f"the block id {found[0].strip()} was moved into the front matter"
            yield Change(found.start(), found.end(), "", said, "", found[0].strip())
