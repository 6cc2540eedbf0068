"""Citations in Pandoc's syntax."""

from __future__ import annotations

import re

from msgspec.structs import replace

from perfnotes.text.masked import Masked
from perfnotes.text.tokens import Citation, CiteItem

KEY = r"[A-Za-z0-9_](?:[A-Za-z0-9_]|[:.#$%&+?<>~/-](?=[A-Za-z0-9_]))*"
_CITE_ITEM = re.compile(rf"(?P<suppress>-?)@(?:\{{(?P<braced>[^{{}}\s]+)\}}|(?P<key>{KEY}))")
_BARE = re.compile(rf"@(?P<key>{KEY})")
_BARE_LOCATOR = re.compile(r"[ \n]\[(?P<locator>[^\[\]@\n]{1,60})\](?![(\[:])")


class Citations(Masked):
    """Finds ``@key`` and ``[@key, sec. 4; @other]``."""

    def bare(self, at: int, end: int, in_link: int) -> int:
        """Read a citation that begins with the ``@`` at ``at``; return the offset to go on from.

        ``in_link`` is the number of link labels around it, in which nothing is cited.
        """
        found = _BARE.match(self.masked, at, end)
        if not found:
            return at + 1
        before = self.masked[at - 1] if at else " "
        word = before.isalnum() and before.isascii()
        if in_link or word or before in "_./@-+=:&%":
            return found.end()
        key = found["key"]
        stop = found.end()
        locator = ""
        extra = _BARE_LOCATOR.match(self.masked, stop, end)
        if extra and extra["locator"].strip().lower() not in self.labels:
            locator = " ".join(extra["locator"].split())
        item = CiteItem(key, found.start("key"), "", locator, False)
        stop_all = extra.end() if extra and locator else stop
        self.doc.citations.append(Citation(at, stop_all, (item,), True))
        return stop_all

    def citation(self, opening: int, close: int) -> Citation | None:
        """Return the citation between two brackets, or None if they hold something else.

        A part without a key goes on with the locator before it: ``[@key, sec. 4; app. B]``.
        """
        items: list[CiteItem] = []
        at = opening + 1
        for part in self.masked[at:close].split(";"):
            found = _CITE_ITEM.search(part)
            if not found:
                words = " ".join(part.split())
                if not items or not items[-1].locator or not words:
                    return None
                items[-1] = replace(items[-1], locator=f"{items[-1].locator}; {words}")
                at += len(part) + 1
                continue
            before = part[: found.start()]
            if before and not before[-1].isspace():
                return None  # me@host
            key = found["key"] or found["braced"]
            offset = at + (found.start("key") if found["key"] else found.start("braced"))
            locator = " ".join(part[found.end() :].lstrip(" ,\n").split())
            prefix = " ".join(before.split())
            items.append(CiteItem(key, offset, prefix, locator, bool(found["suppress"])))
            at += len(part) + 1
        return Citation(opening, close + 1, tuple(items), False)
