"""Notion's Markdown export: asides are callouts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.contribute.imports.imported_page import Change, ImportedPage

_ASIDE = re.compile(
    r"^<aside>[ \t]*\n?((?:(?!<aside>).)*?)\n?[ \t]*</aside>[ \t]*$", re.MULTILINE | re.DOTALL
)
_WARNING = ("⚠", "❗", "🚨", "🛑", "🔴")


def changes(page: ImportedPage) -> Iterator[Change]:
    for found in _ASIDE.finditer(page.text):
        inside = found[1].strip("\n")
        if page.is_verbatim(found.start()) or not inside.strip():
            continue
        kind = "WARNING" if inside.lstrip().startswith(_WARNING) else "NOTE"
        rows = [f"[!{kind}]", *inside.split("\n")]
        made = "\n".join(f"> {row}".rstrip() for row in rows)
        yield Change(found.start(), found.end(), made, f"<aside> became a [!{kind}] callout")
