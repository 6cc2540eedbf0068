"""Every page of a built site in a browser, in both lights, wide and on a phone.

    make pages                                  # the built site; an hour or more of processor time
    make pages ARGS="--every 20"                # each twentieth page of each kind
    make pages ARGS="--kinds caches/ --no-axe"  # addresses that begin so, without axe

A page is at fault if it asks another host, has a script error, scrolls sideways, has a text whose
contrast is below 7:1, moves after it was painted, or if axe finds a barrier. The tests look at one
page of each kind of a small sample; this looks at all pages that readers get.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from benchmarks.page.node import ROOT
from benchmarks.page.server import served
from playwright.sync_api import Browser
from playwright.sync_api import Page as Tab
from tests.browser import Watch, started_browser
from tests.page_faults import (
    EXTRA_WIDTH,
    LATE_SHIFTS,
    LOW_CONTRAST,
    WATCH_SHIFTS,
    violations,
)

VIEWS = (("light", 1440), ("dark", 1440), ("light", 390), ("dark", 390))
_LATE = 0.15  # seconds that files other than pages and style sheets come later
_PAINTED = 250  # ms after which what comes late has come


def addresses(site: Path, beginning: str = "", every: int = 1) -> list[str]:
    """Return the addresses of the site's pages, without those that only lead on.

    Of pages below the same first folder, only each ``every``-th is returned, the first included.
    """
    found: dict[str, list[str]] = {}
    for file in sorted(site.rglob("index.html")):
        url = file.parent.relative_to(site).as_posix() + "/"
        url = "" if url == "./" else url
        if url.startswith(beginning) and 'http-equiv="refresh"' not in file.read_text("utf-8"):
            found.setdefault("/".join(url.removeprefix("zh/").split("/")[:-2]), []).append(url)
    return [url for urls in found.values() for url in urls[::every]]


def faults(tab: Tab, url: str, *, with_axe: bool) -> Iterator[str]:
    """Open a page and yield what is wrong with it."""
    tab.goto(url)
    tab.wait_for_function("() => whole < Infinity")
    tab.wait_for_timeout(_PAINTED)
    yield from (f"moved: {each}" for each in tab.evaluate(LATE_SHIFTS))
    tab.eval_on_selector_all("details", "all => all.forEach((each) => each.open = true)")
    if tab.evaluate(EXTRA_WIDTH) > 0:
        yield "scrolls sideways"
    yield from (f"contrast {each}" for each in tab.evaluate(LOW_CONTRAST))
    if with_axe:
        yield from violations(tab)


def look(browser: Browser, base: str, urls: list[str], *, with_axe: bool) -> list[str]:
    """Open the pages in every view, print each fault at once and return all of them."""
    found = []
    for scheme, width in VIEWS:
        context = browser.new_context(
            viewport={"width": width, "height": 844},
            color_scheme="dark" if scheme == "dark" else "light",
            base_url=base,
        )
        watch = Watch(base).on(context)
        tab = context.new_page()
        tab.add_init_script(WATCH_SHIFTS)
        for url in urls:
            wrong = [*faults(tab, url, with_axe=with_axe), *watch.problems]
            watch.problems.clear()
            for each in wrong:
                print(f"/{url} ({scheme}, {width} wide): {each}", flush=True)
            found += wrong
        context.close()
    return found


def main() -> int:
    """Print the faults and their number; return 1 if there is any."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--site", type=Path, default=ROOT / "site")
    parser.add_argument("--kinds", default="", help="only addresses that begin so, such as zh/tags")
    parser.add_argument("--every", type=int, default=1, help="each n-th page of a folder")
    parser.add_argument("--no-axe", action="store_true", help="leave out axe, the longest part")
    options = parser.parse_args()
    urls = addresses(options.site, options.kinds, options.every)
    with served(options.site, late=_LATE) as server, started_browser() as browser:
        found = look(browser, server.address, urls, with_axe=not options.no_axe)
    print(f"{len(urls)} pages in {len(VIEWS)} views: {len(found)} faults")
    return 1 if found or not urls else 0


if __name__ == "__main__":
    raise SystemExit(main())
