"""The Nu HTML checker on the pages of a built site, as they are sent and as scripts leave them.

    make valid                                  # one page of each kind, in both languages
    make valid ARGS="--every 1 --no-scripts"    # every page, as it is sent

It needs a Java runtime (Debian: default-jre-headless) and npm, which brings the checker. A finding
is an error or a warning of the checker, less those of ``_NOT_OURS``.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from benchmarks.page.every_page import addresses
from benchmarks.page.node import ROOT, nu_checker
from benchmarks.page.server import served
from tests.browser import started_browser

# Messages that say nothing of a page of ours:
_NOT_OURS = (
    # The checker reads files, for which 'self' means nothing, and counts JSON-LD as a script.
    "Content Security Policy",
    # Python-Markdown ends an <img> with a slash, which HTML ignores.
    "Trailing slash on void elements",
    # The checker guesses the language from all words, and code is English.
    "This document appears to be",
    # The policy allows no style of an element, and Markdown's tables know no classes.
    "attribute on the “td” element is obsolete",
    "attribute on the “th” element is obsolete",
)
_SETTLED = 400  # ms after the load in which scripts finish a page
_SPACE = re.compile(r"\s+")


def saved_with_scripts(site: Path, urls: list[str], folder: Path) -> dict[Path, str]:
    """Write what the scripts made of each page; return the address of each file."""
    found: dict[Path, str] = {}
    with served(site) as server, started_browser() as browser:
        tab = browser.new_context(service_workers="block").new_page()
        for number, url in enumerate(urls):
            tab.goto(server.address + url)
            tab.wait_for_timeout(_SETTLED)
            tab.eval_on_selector_all("details", "all => all.forEach((each) => each.open = true)")
            file = folder / f"{number}.html"
            html = tab.evaluate("document.documentElement.outerHTML")
            file.write_text(f"<!doctype html>\n{html}\n", "utf-8")
            found[file] = f"/{url} with scripts"
    return found


def findings(files: dict[Path, str]) -> dict[str, list[str]]:
    """Return the findings of the checker: the pages that each of them is on.

    Ends the program if the checker does not run.
    """
    java = shutil.which("java") or sys.exit("java is missing: apt-get install default-jre-headless")
    command = [java, "-Xss8m", "-jar", str(nu_checker()), "--format", "json", "--exit-zero-always"]
    done = subprocess.run([*command, *map(str, files)], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"the checker failed:\n{done.stderr[-2000:]}")
    names = {file.resolve().as_uri(): name for file, name in files.items()}
    found: dict[str, list[str]] = defaultdict(list)
    for each in json.loads(done.stderr)["messages"]:
        if not any(part in each["message"] for part in _NOT_OURS):
            extract = _SPACE.sub(" ", each.get("extract", ""))[:120]
            page = names.get(each["url"].replace("file:/", "file:///", 1), each["url"])
            found[each["message"]].append(f"{page}: {extract}")
    return found


def main() -> int:
    """Print the findings; return 1 if there is any."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--site", type=Path, default=ROOT / "site")
    parser.add_argument("--every", type=int, default=10_000, help="each n-th page of a folder")
    parser.add_argument("--no-scripts", action="store_true", help="only the pages as they are sent")
    options = parser.parse_args()
    urls = addresses(options.site, every=options.every)
    files = {options.site / url / "index.html": f"/{url}" for url in urls}
    files[options.site / "404.html"] = "/404.html"
    with tempfile.TemporaryDirectory() as folder:
        if not options.no_scripts:
            files |= saved_with_scripts(options.site, urls, Path(folder))
        found = findings(files)
    for message, places in sorted(found.items(), key=lambda each: -len(each[1])):
        print(f"{len(places)} times: {message}\n    first {places[0]}")
    print(f"{len(files)} pages: {sum(map(len, found.values()))} findings")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
