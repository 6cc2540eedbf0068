"""Screenshots of twelve pages in three widths and two colour schemes, with a page that shows all.

make screenshots                              # into build/screenshots/, all on index.html
make screenshots ARGS="--pages home,note --full"
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.page.node import ROOT
from benchmarks.page.pages import pages_of
from benchmarks.page.server import served
from playwright.sync_api import Browser
from tests.browser import started_browser

PAGES = ("home", "note", "topic", "papers", "paper", "graph", "search", "lab")
CHINESE = ("home zh", "note zh", "topic zh", "papers zh")
# Width and height of the window.
WINDOWS = ((390, 844), (768, 1024), (1440, 1000))
SCHEMES = ("light", "dark")
_QUERY = {"search": "?q=false+sharing", "search zh": "?q=伪共享"}


def shoot(browser: Browser, address: str, kind: str, folder: Path, is_full: bool) -> list[str]:
    """Take a picture of the page in every window size and colour scheme; return their names."""
    names = []
    for scheme in SCHEMES:
        for width, height in WINDOWS:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if scheme == "dark" else "light",
            )
            tab = context.new_page()
            tab.goto(address, wait_until="load")
            # Time for the scripts: the graph settles, search results arrive.
            tab.wait_for_timeout(600)
            name = f"{kind.replace(' ', '-')}-{width}-{scheme}.png"
            tab.screenshot(path=folder / name, full_page=is_full)
            names.append(name)
            context.close()
    return names


def sheet(rows: dict[str, list[str]]) -> str:
    """Return an HTML page with all pictures, a row for each page of the site."""
    parts = [
        "<!doctype html><meta charset=utf-8><title>Screenshots</title><style>",
        "body{font:14px sans-serif;margin:1rem;background:#888}div{display:flex;gap:.5rem}",
        "img{height:420px;width:auto;object-fit:cover;object-position:top}</style>",
    ]
    for kind, names in rows.items():
        pictures = "".join(f'<a href="{n}"><img src="{n}" alt="{n}"></a>' for n in names)
        parts.append(f"<h2>{kind}</h2><div>{pictures}</div>")
    return "\n".join(parts) + "\n"


def main() -> None:
    """Take the pictures and write the page that shows them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--site", type=Path, default=ROOT / "site")
    parser.add_argument(
        "--pages", default=",".join(PAGES + CHINESE), help="kinds of pages, with commas"
    )
    parser.add_argument(
        "--full", action="store_true", help="take whole pages, not only what the window shows"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "screenshots")
    options = parser.parse_args()
    pages = pages_of(options.site)
    options.out.mkdir(parents=True, exist_ok=True)
    rows = {}
    with served(options.site) as server, started_browser() as browser:
        for kind in options.pages.split(","):
            if kind not in pages:
                print(f"{kind}: the site has no such page")
                continue
            address = server.address + pages[kind] + _QUERY.get(kind, "")
            rows[kind] = shoot(browser, address, kind, options.out, options.full)
    (options.out / "index.html").write_text(sheet(rows), "utf-8")
    print(f"{sum(map(len, rows.values()))} pictures: {options.out / 'index.html'}")


if __name__ == "__main__":
    main()
