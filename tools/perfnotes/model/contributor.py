"""Contributors: who wrote what a commit changed, as names that may stand on a page.

Names come from strangers' commits: they are cut, cleaned and without addresses here, and escaped by
whoever writes a page. Programs are left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from perfnotes.model.note import Meta, names_only

MOST_NAMES = 30
_LONGEST_NAME = 60
_CONTACT = re.compile(r"\s*(?P<name>[^<>]*?)\s*<(?P<address>[^<>]*)>\s*$")
_PROGRAM = re.compile(r"(?:\[bot\]|-bot|^no-?reply)$", re.IGNORECASE)


def split(contact: str) -> tuple[str, str]:
    """``Ada Lovelace <ada@mail.example>`` as name and address; both may be empty."""
    found = _CONTACT.match(contact)
    return (found["name"], found["address"]) if found else (contact.strip(), "")


def shown_name(name: str, address: str) -> str:
    """The name as a page shows it; nothing for a program, or where only an address is there."""
    if name.rstrip().lower().endswith("[bot]") or _PROGRAM.search(address.partition("@")[0]):
        return ""
    plain = "".join(" " if c.isspace() else c for c in unicodedata.normalize("NFC", name))
    plain = " ".join("".join(c for c in plain if c.isprintable()).split())
    plain = " ".join(names_only((plain,)))
    return plain if len(plain) <= _LONGEST_NAME else f"{plain[: _LONGEST_NAME - 1].rstrip()}…"


def credits(metas: Iterable[Meta], first: Iterable[Mapping[str, int]], nobody: str) -> list[str]:
    """The authors of front matter, then everybody else by their first contribution.

    ``first`` leads for each file from a name to the number of its first commit; ``nobody`` is the
    name that stands for all contributors together.
    """
    since: dict[str, int] = {}
    for people in first:
        for name, at in people.items():
            since[name] = min(at, since.get(name, at))
    if not since:
        return []
    authors = [name for meta in metas for name in meta.authors]
    once: dict[str, str] = {}
    for name in (*authors, *sorted(since, key=lambda name: (since[name], name))):
        once.setdefault(name.casefold(), name)
    once.pop(nobody.casefold(), None)
    return list(once.values())
