"""What each note costs its reader at a first visit, computed from the files of a built site.

    make weights                           # the heaviest notes, both languages
    make weights ARGS="--all --parts"      # every note, and what the bytes are

No browser is needed. Counted are the page, its style sheets, scripts and pictures, the service
worker, and the scripts of all its things to try, also where they load only when the reading comes
near. So a visit costs this or less; ``make visit`` measures it. Text is counted as gzip sends it,
with the headers of each answer.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from benchmarks.page.node import ROOT
from benchmarks.page.server import packed
from benchmarks.page.visit import NOTE_LIMIT
from selectolax.lexbor import LexborHTMLParser

_HEADERS = 140  # bytes of each answer
_ASSETS = "assets/perfnotes/"
_SHOWN = 12


@dataclass(frozen=True)
class Weight:
    """A note's address and the bytes of each file that it needs, by address."""

    url: str
    parts: dict[str, int]

    @property
    def size(self) -> int:
        return sum(self.parts.values())


def weights(site: Path) -> list[Weight]:
    """Returns the weights of a site's notes, the heaviest first."""
    found = [weight for file in site.rglob("index.html") if (weight := _weight(site, file))]
    return sorted(found, key=lambda weight: (-weight.size, weight.url))


def _weight(site: Path, file: Path) -> Weight | None:
    html = LexborHTMLParser(file.read_text("utf-8"))
    if not html.css_first(f"link[href$='{_ASSETS}note.css']"):
        return None
    url = f"{file.parent.relative_to(site).as_posix()}/"
    files = {url + "index.html", "sw.js", *_named(html, url), *_of_things_to_try(html)}
    parts = {path: _HEADERS + len(packed(site / path)[0]) for path in files}
    return Weight(url, parts)


def _named(html: LexborHTMLParser, url: str) -> Iterator[str]:
    for node in html.css("link[rel=stylesheet], script[src], article img"):
        address = node.attributes.get("href") or node.attributes.get("src") or ""
        if not address.startswith("data:"):
            yield urlsplit(urljoin(f"/{url}", address)).path.removeprefix("/")


def _of_things_to_try(html: LexborHTMLParser) -> Iterator[str]:
    for box in html.css(".pn-explore[data-explore]"):
        typed = "pn-explore-typed" in (box.attributes["class"] or "")
        name = (box.attributes["id"] or "").removeprefix("explore-")
        scripts = ("typed",) if typed else ("numbers", "explore")
        yield from (f"{_ASSETS}{script}.js" for script in (*scripts, f"explorables/{name}"))


def main() -> int:
    """Prints the notes; returns 1 if one is above the limit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--site", type=Path, default=ROOT / "site")
    parser.add_argument("--all", action="store_true", help="print every note")
    parser.add_argument("--parts", action="store_true", help="print each file of a note too")
    options = parser.parse_args()
    found = weights(options.site)
    for weight in found if options.all else found[:_SHOWN]:
        print(f"{weight.size:>8}  /{weight.url}")
        if options.parts:
            for path, size in sorted(weight.parts.items(), key=lambda part: -part[1]):
                print(f"{size:>16}  {path}")
    above = sum(weight.size > NOTE_LIMIT for weight in found)
    median = found[len(found) // 2].size if found else 0
    print(f"{len(found)} notes, median {median} bytes, {above} above {NOTE_LIMIT}")
    return 1 if above or not found else 0


if __name__ == "__main__":
    raise SystemExit(main())
