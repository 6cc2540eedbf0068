"""Why a page is made again: which of its parts differ from the last build."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping

from perfnotes.build.messages import Staged
from perfnotes.storage.digests import content_digest
from perfnotes.storage.store import StoreSection

# The beginning of a section that the build adds to a text, such as backlinks.
_SECTION = re.compile(r"\n(?=## [^\n]* \{#pn-[a-z-]+\}\n)")
_NAME = re.compile(r"## [^\n]* \{#pn-([a-z-]+)\}\n")
# The keys of the front matter that are compared one by one, from the last to the first.
_FRONT = (
    "title", "styles", "search", "scripts", "previous", "preload", "next", "nav", "languages",
    "foot", "description", "data", "crumbs", "alternates",
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
    "toolchain": "the settings, the theme or the program",
}


class Reasons:
    """What each page of one site was made from in the last build, part by part."""

    def __init__(self, section: StoreSection, site: str, toolchain: str) -> None:
        self._section, self._site, self._toolchain = section, site, toolchain

    def of(self, url: str, key: str, source: bytes) -> str:
        """Return why the page has to be made again, or an empty string if its key is the same.

        Stores the key and the parts for the next build.
        """
        name = f"{self._site} {url}"
        known = self._section.get(name)
        if known and known[0] == key:
            return ""
        parts = {"toolchain": self._toolchain[:_SHORT], **_parts(source)}
        self._section.put(name, [key, parts])
        return reason(known[1] if known else None, parts)


def print_reason(url: str, why: str) -> None:
    """Print why the page at ``url`` is made again; ``why`` is what ``Reasons.of`` returned."""
    print(f"perfnotes: /{url} is made again: {why or 'it is not in the cache'}", file=sys.stderr)


def reason(before: Mapping[str, str] | None, now: Mapping[str, str]) -> str:
    """Return a clause that says which parts differ; ``before`` is None for a new page."""
    if before is None:
        return "it is new here"
    changed = [name for name in now if before.get(name) != now[name]]
    changed += [name for name in before if name not in now]
    if not changed:
        return "its Markdown copy changed"
    words = [_WORDS.get(name, f"its {name}") for name in changed]
    many = " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]
    return f"{many} changed"


def _parts(source: bytes) -> dict[str, str]:
    """Return a short hash of each part of a staged file.

    Its front matter is one line of JSON with sorted keys.
    """
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
