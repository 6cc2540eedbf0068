"""What each note costs its reader at a first visit, computed from the files of a built site.

    make weights                           # the heaviest notes, both languages
    make weights ARGS="--all --parts"      # every note, and what the bytes are

No browser is needed. A first visit loads the page, its style sheets, scripts and icon, and the
service worker. That is what the limit is for, and what ``make visit`` measures. What loads when the
reading comes near is counted beside it: pictures, and the scripts of calculators and of things to
try. Where such a thing stands near the beginning, a first visit loads it too. Text is counted as
gzip sends it, with the headers of each answer.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
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
_AT_ONCE = "link:is([rel=stylesheet], [rel=icon]), script[src], article img:not([loading=lazy])"


@dataclass(frozen=True)
class Weight:
    """A note's address and the bytes of each file that it needs, by address.

    ``parts`` are needed at once, those of ``later`` when the reading comes near.
    """

    url: str
    parts: dict[str, int]
    later: dict[str, int]

    @property
    def size(self) -> int:
        return sum(self.parts.values())

    @property
    def whole(self) -> int:
        return self.size + sum(self.later.values())


def weights(site: Path) -> list[Weight]:
    """Return the weights of a site's notes, the heaviest first."""
    found = [weight for file in site.rglob("index.html") if (weight := _weight(site, file))]
    return sorted(found, key=lambda weight: (-weight.size, weight.url))


def _weight(site: Path, file: Path) -> Weight | None:
    html = LexborHTMLParser(file.read_text("utf-8"))
    if not html.css_first(f"link[href$='{_ASSETS}note.css']"):
        return None
    url = f"{file.parent.relative_to(site).as_posix()}/"
    first = {url + "index.html", "sw.js", *_named(html, url, _AT_ONCE)}
    later = {*_named(html, url, "article img[loading=lazy]"), *_of_what_is_tried(html)}
    return Weight(url, _sizes(site, first), _sizes(site, later - first))


def _sizes(site: Path, files: Iterable[str]) -> dict[str, int]:
    return {path: _HEADERS + len(packed(site / path)[0]) for path in files}


def _named(html: LexborHTMLParser, url: str, selector: str) -> Iterator[str]:
    for node in html.css(selector):
        address = node.attributes.get("href") or node.attributes.get("src") or ""
        if not address.startswith("data:"):
            yield urlsplit(urljoin(f"/{url}", address)).path.removeprefix("/")


def _of_what_is_tried(html: LexborHTMLParser) -> Iterator[str]:
    if html.css_first(".pn-calc[data-calc]"):
        yield from (f"{_ASSETS}{script}.js" for script in ("numbers", "calc"))
    for box in html.css(".pn-explore[data-explore]"):
        typed = "pn-explore-typed" in (box.attributes["class"] or "")
        name = (box.attributes["id"] or "").removeprefix("explore-")
        scripts = ("typed",) if typed else ("numbers", "explore")
        yield from (f"{_ASSETS}{script}.js" for script in (*scripts, f"explorables/{name}"))


def main() -> int:
    """Print the notes; return 1 if one is above the limit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--site", type=Path, default=ROOT / "site")
    parser.add_argument("--all", action="store_true", help="print every note")
    parser.add_argument("--parts", action="store_true", help="print each file of a note too")
    options = parser.parse_args()
    found = weights(options.site)
    print(f"{'first visit':>11}{'all of it':>11}")
    for weight in found if options.all else found[:_SHOWN]:
        print(f"{weight.size:>11}{weight.whole:>11}  /{weight.url}")
        if options.parts:
            for parts, mark in ((weight.parts, ""), (weight.later, ", later")):
                for path, size in sorted(parts.items(), key=lambda part: -part[1]):
                    print(f"{size:>25}  {path}{mark}")
    above = sum(weight.size > NOTE_LIMIT for weight in found)
    median = found[len(found) // 2].size if found else 0
    heavy = sum(weight.whole > NOTE_LIMIT for weight in found)
    print(f"{len(found)} notes, median {median} bytes, {above} above {NOTE_LIMIT}")
    print(f"with what loads when the reading comes near: {heavy} above {NOTE_LIMIT}")
    return 1 if above or not found else 0


if __name__ == "__main__":
    raise SystemExit(main())
