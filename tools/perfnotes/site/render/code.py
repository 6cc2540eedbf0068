"""Names the file above a block of code that is a part of one of the lab's files.

Nobody has to write the name, and it cannot be wrong: the lines of the block stand in that file, one
after the other. If a note gives a name itself, as ``title="…"``, that one is shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from perfnotes.graph.links import Links
from perfnotes.model.library import Library
from perfnotes.site.render.edits import Edits

_NO_FILE = ("console", "text")  # what a terminal shows
_LEAST_LINES = 2  # one line alone may stand in a file by chance
_NAMED = re.compile(r"\btitle=|\}")  # after attributes in braces no title may follow
_PLAIN_NAME = re.compile(r"[\w.+-]+")


def set_file_names(links: Links, library: Library, edits: Edits) -> None:
    """Give each fence that repeats a part of a file of the note's lab that file's name."""
    lab = library.labs.get(links.text.id) if links.text.kind == "note" else None
    if lab is None:
        return
    text = links.text.body.document.text
    for fence in links.text.body.document.blocks.fences:
        info = text[fence.info_start : fence.info_end]
        if not fence.language or fence.language in _NO_FILE or _NAMED.search(info):
            continue
        name = _file_with(text[fence.info_end : fence.end], lab.files)
        if name:
            edits.add(fence.info_end, fence.info_end, f' title="{name}"', None)


def _file_with(block: str, files: Mapping[str, bytes]) -> str:
    """Return the only file that holds the lines of a block, or an empty string."""
    code = _lines(block)
    if code and code[-1].strip("`~") == "":
        code.pop()
    if len(code) < _LEAST_LINES:
        return ""
    part = "\n".join(["", *code, ""])
    found = [
        name for name, data in files.items() if _PLAIN_NAME.fullmatch(name) and part in _text(data)
    ]
    return found[0] if len(found) == 1 else ""


def _text(data: bytes) -> str:
    return "\n".join(["", *_lines(data.decode("utf-8", "replace")), ""])


def _lines(text: str) -> list[str]:
    """Return the lines that are not blank, without the space around them."""
    return [line.strip() for line in text.splitlines() if line.strip()]
