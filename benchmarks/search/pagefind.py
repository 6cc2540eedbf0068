"""Measuring Pagefind, over the HTML pages of our site, with both languages in one search.

Pagefind makes an index for each language, and a page searches the one of its own language. To
search the other one too, it is merged from a copy of the bundle at another address: Pagefind cannot
merge a bundle into itself.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from benchmarks.search.interface import started_browser
from benchmarks.search.measured import Cost, Engine, EngineError, kept, outcome, run
from benchmarks.search.node import install, node
from benchmarks.search.ours import Page as Known
from benchmarks.search.server import Files, served
from playwright.sync_api import Error, Page

from perfnotes.search.evaluate import DEPTH, JudgedQuery, QueryOutcome

_OWN, _OTHER = "en", "zh"

# A visit ends with the text of the first result. The addresses of the others are asked for later.
_FIRST = """
async ([query, other]) => {
  const pagefind = await import("/pagefind/pagefind.js");
  if (other) await pagefind.mergeIndex("/other/", { language: other });
  window.found = (await pagefind.search(query)).results;
  return found.length ? [(await found[0].data()).url] : [];
}
"""
_OTHERS = """
async (most) => Promise.all(found.slice(1, most).map(async (each) => (await each.data()).url))
"""


def measure(
    site: Path, pages: Sequence[Known], work: Path, judged: Sequence[JudgedQuery], keep: bool
) -> Engine:
    """Build the index and ask each query on a new page with an empty cache."""
    modules = install()

    def make(folder: Path) -> Cost:
        html = folder / "html"
        for page in pages:
            file = html / page.url / "index.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            os.link(site / page.url / "index.html", file)
        command = [node(), modules / "node_modules" / ".bin" / "pagefind", "--site", html,
                   "--root-selector", "article", "--output-path", folder / "pagefind"]  # fmt: skip
        cost = run(command, folder / "log.txt", cwd=modules)
        shutil.copytree(folder / "pagefind", folder / "other")
        start = f'<!doctype html>\n<html lang="{_OWN}"><title>Pagefind</title>\n'
        (folder / "index.html").write_text(start, encoding="utf-8")
        return cost

    cost = kept(work, keep, make)
    languages = {page.lang for page in pages}
    other = _OTHER if _OTHER in languages else ""
    ids = {page.url: page.id for page in pages}
    files = Files(work)
    outcomes = []
    with served(files) as base, started_browser() as browser:
        page = browser.new_page()
        devtools = page.context.new_cdp_session(page)
        for each in judged:
            devtools.send("Network.clearBrowserCache")
            try:
                outcomes.append(_ask(page, base, files, each, other, ids))
            except Error as error:
                reason = error.message.splitlines()[0]
                raise EngineError(f"Pagefind failed on {each.query!r}: {reason}") from None
    return Engine("Pagefind", len(pages), tuple(outcomes), cost)


def _ask(
    page: Page, base: str, files: Files, judged: JudgedQuery, other: str, ids: dict[str, str]
) -> QueryOutcome:
    page.goto(base)
    files.asked.clear()
    urls = page.evaluate(_FIRST, [judged.query, other])
    visit = [address for address in files.asked if "/favicon" not in address]
    urls += page.evaluate(_OTHERS, DEPTH)
    found = [ids[unquote(url).strip("/") + "/"] for url in urls]
    size = sum(files.size(address) for address in visit)
    return outcome(judged, found, size, len(visit))
