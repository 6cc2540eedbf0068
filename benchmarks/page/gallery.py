"""Pictures of twelve views of a site as it was and as it is, for the gallery of the docs.

    python -m benchmarks.page.gallery OLD NEW docs/assets/gallery

OLD and NEW are built sites. Each view is an address, a window, a colour scheme and what is done
before the picture is taken. A page that OLD lacks gets a picture of NEW alone.
"""

from __future__ import annotations

import argparse
import base64
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.page.server import served
from playwright.sync_api import Browser, Page
from tests.browser import started_browser

_QUALITY = 45  # of WebP: the words of a page can still be read
_DESKTOP, _PHONE = (1120, 760), (390, 760)


def _nothing(tab: Page) -> None:
    del tab


def _open_number(tab: Page) -> None:
    """Points at the third number of a text, which opens its card."""
    number = tab.locator("article a.pn-n").nth(2)
    if number.count():
        number.hover()
        tab.wait_for_timeout(1500)


def _to(selector: str) -> Callable[[Page], None]:
    """Return what scrolls to the first element that a selector finds."""

    def scroll(tab: Page) -> None:
        found = tab.locator(selector).first
        if found.count():
            found.evaluate("(e) => scrollTo(0, e.getBoundingClientRect().top + scrollY - 90)")
            tab.wait_for_timeout(400)

    return scroll


@dataclass(frozen=True)
class View:
    """What a picture shows. ``before`` is the address in the old site, if it had another."""

    name: str
    address: str
    window: tuple[int, int] = _DESKTOP
    scheme: str = "light"
    prepare: Callable[[Page], None] = _nothing
    before: str | None = None


VIEWS = (
    View("home", ""),
    View("symptoms", "symptoms/"),
    View("number", "caches/false-sharing/", prepare=_open_number),
    View("plot", "caches/latency-ladder/", prepare=_to("article figure")),
    View("dark", "caches/row-order/", scheme="dark", prepare=_to("article img")),
    View("phone", "caches/false-sharing/", _PHONE),
    View("tail", "caches/false-sharing/", prepare=_to("#pn-references")),
    View("facts", "facts/gpus/", before="facts/"),
    View("latency", "latency-numbers/"),
    View("search", "search/?q=multithreaded+program+slower+than+single+threaded"),
    View("papers", "references/drepper2007memory/"),
    View(
        "chinese", "zh/caches/dram-bursts-and-rows/", prepare=_to("article figure, article table")
    ),
)


def shoot(browser: Browser, address: str, view: View, file: Path) -> bool:
    """Write the picture of a view. Return False, writing nothing, if there is no such page."""
    width, height = view.window
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if view.scheme == "dark" else "light",
    )
    try:
        tab = context.new_page()
        answer = tab.goto(address, wait_until="load")
        if answer is None or not answer.ok:
            return False
        tab.wait_for_timeout(900)  # scripts: search results arrive, plots are drawn
        view.prepare(tab)
        shot = context.new_cdp_session(tab).send(
            "Page.captureScreenshot", {"format": "webp", "quality": _QUALITY}
        )
        file.write_bytes(base64.b64decode(shot["data"]))
    finally:
        context.close()
    return True


def main() -> None:
    """Take the pictures of both sites."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with started_browser() as browser:
        for when, site in (("before", options.old), ("after", options.new)):
            with served(site) as server:
                for view in VIEWS:
                    address = view.address
                    if when == "before" and view.before is not None:
                        address = view.before
                    file = options.out / f"{view.name}-{when}.webp"
                    if not shoot(browser, server.address + address, view, file):
                        print(f"{site}: no page {address}")


if __name__ == "__main__":
    main()
