"""Contributors: the names of people who changed a file, as a page may show them.

Names come from strangers' commits. Here they are shortened and cleaned, and e-mail addresses are
removed. The code that writes a page escapes them for HTML. Programs are left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from perfnotes.model.note import Meta, without_mail_addresses

MOST_NAMES = 30
_LONGEST_NAME = 60
_CONTACT = re.compile(r"(?P<name>[^<>]*)<(?P<address>[^<>]*)>\s*$")
_PROGRAM = re.compile(r"(?:\[bot\]|-bot|^no-?reply)$", re.IGNORECASE)


def name_and_address(contact: str) -> tuple[str, str]:
    """Split ``Ada Lovelace <ada@mail.example>`` into name and address; both may be empty."""
    found = _CONTACT.match(contact)
    return (found["name"].strip(), found["address"]) if found else (contact.strip(), "")


def shown_name(name: str, address: str) -> str:
    """Return the name as a page shows it, or "" for a program or for an address without a name."""
    if name.rstrip().lower().endswith("[bot]") or _PROGRAM.search(address.partition("@")[0]):
        return ""
    plain = "".join(" " if c.isspace() else c for c in unicodedata.normalize("NFC", name))
    plain = " ".join("".join(c for c in plain if c.isprintable()).split())
    plain = " ".join(without_mail_addresses((plain,)))
    return plain if len(plain) <= _LONGEST_NAME else f"{plain[: _LONGEST_NAME - 1].rstrip()}…"


def contributor_names(
    metas: Iterable[Meta], first_commits: Iterable[Mapping[str, int]], collective: str
) -> list[str]:
    """Return the authors in the front matter, then the other people by their first commit.

    ``first_commits`` has one mapping for each file, from a name to the number of that person's
    first commit; later commits have larger numbers. ``collective`` is the name that stands for all
    contributors together; it is left out. The list is empty if ``first_commits`` has no names.
    """
    since: dict[str, int] = {}
    for people in first_commits:
        for name, commit in people.items():
            since[name] = min(commit, since.get(name, commit))
    if not since:
        return []
    authors = [name for meta in metas for name in meta.authors]
    unique: dict[str, str] = {}
    for name in (*authors, *sorted(since, key=lambda name: (since[name], name))):
        unique.setdefault(name.casefold(), name)
    unique.pop(collective.casefold(), None)
    return list(unique.values())
