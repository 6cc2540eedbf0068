"""Why a page is made again: which of its parts is not as it was in the last build."""

from __future__ import annotations

import re
from collections.abc import Mapping

from perfnotes.build.messages import Staged
from perfnotes.storage.digests import content_digest
from perfnotes.storage.store import StoreSection

# Where a staged text goes over to what others say of the page.
_SECTION = re.compile(r"\n(?=## [^\n]* \{#pn-[a-z-]+\}\n)")
_NAME = re.compile(r"## [^\n]* \{#pn-([a-z-]+)\}\n")
# The keys of the front matter that are told apart, from the last to the first.
_FRONT = (
    "title", "styles", "search", "scripts", "previous", "preload", "next", "nav", "languages",
    "icon", "foot", "description", "data", "crumbs", "alternates",
)  # fmt: skip
_SHORT = 12  # digits of a part's hash

_WORDS = {
    "text": "its text",
    "nav": "the navigation",
    "previous": "the note before it",
    "next": "the note after it",
    "references": "its references",
    "read-next": "the notes that require it",
    "backlinks": "its backlinks",
    "related": "its related notes",
    "numbers": "its numbers",
    "data": "its description for machines",
    "foot": "what stands below it",
    "maker": "the settings, the theme or the program",
}


class Reasons:
    """What each page of one site was made from in the last build, part by part."""

    def __init__(self, section: StoreSection, site: str, maker: str) -> None:
        self._section, self._site, self._maker = section, site, maker

    def of(self, url: str, key: str, source: bytes) -> str:
        """Why the page is not as it was, and from now on it is; nothing where it is."""
        name = f"{self._site} {url}"
        known = self._section.get(name)
        if known and known[0] == key:
            return ""
        parts = {"maker": self._maker[:_SHORT], **_parts(source)}
        self._section.put(name, [key, parts])
        return reason(known[1] if known else None, parts)


def reason(before: Mapping[str, str] | None, now: Mapping[str, str]) -> str:
    """In words what is different."""
    if before is None:
        return "it is new here"
    changed = [name for name in now if before.get(name) != now[name]]
    changed += [name for name in before if name not in now]
    if not changed:
        return "its Markdown twin changed"
    words = [_WORDS.get(name, f"its {name}") for name in changed]
    many = " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]
    return f"{many} changed"


def _parts(source: bytes) -> dict[str, str]:
    """A short hash of each part; the front matter is one line of JSON, its keys in order."""
    staged = Staged.read(source)
    found: dict[str, str] = {}
    front = staged.front
    end = len(front)
    for name in _FRONT:
        at = front.rfind(f'"{name}": ', 0, end)
        if at >= 0:
            found[name] = front[at:end]
            end = at
    text, *sections = _SECTION.split(staged.text)
    found["text"] = text
    for section in sections:
        named = _NAME.match(section)
        found[named[1] if named else "text"] = section
    return {name: content_digest(value.encode())[:_SHORT] for name, value in found.items()}
