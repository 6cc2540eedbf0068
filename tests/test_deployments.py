"""Search while a new site takes the place of the one that a reader has opened.

In the second site notes are inserted, so that every page of the index has another number.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.search.server import Files, served
from playwright.sync_api import Browser, BrowserContext, Route, expect
from playwright.sync_api import Page as Tab

from perfnotes.search.constants import FORMAT
from tests.project import ROOT, perfnotes, run
from tests.search_index import write_folder
from tests.search_page import hits, page_ids, search

pytestmark = pytest.mark.slow

SUBJECTS = "warp kernel prefetcher allocator mutex vector".split()
NOTES = {
    "index.md": "# Home\n\nWhere everything begins.\n",
    **{
        f"notes/{subject}.md": f"# About the {subject}\n\nThe {subject} is told about here alone.\n"
        for subject in SUBJECTS
    },
}
INSERTED = {
    f"notes/a{number}.md": f"# Inserted {number}\n\nNumber {number} of those that were inserted.\n"
    for number in range(7)
}


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two builds of one site, the second with notes inserted."""
    folder = tmp_path_factory.mktemp("deployments")
    notes, sites = folder / "notes", (folder / "old", folder / "new")
    for site, texts in zip(sites, (NOTES, INSERTED), strict=True):
        write_folder(notes, texts)
        run(ROOT, perfnotes("build", "--quiet", "--notes", str(notes), "--site", str(site)))
    return sites


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that keeps what servers let it keep, without the site's worker."""
    context = browser.new_context(service_workers="block")
    yield context
    context.close()


def found(tab: Tab, subject: str) -> None:
    """Search a subject: its own note is the only result."""
    search(tab, subject)
    expect(tab.locator(".pn-search-missing")).to_have_count(0)
    assert page_ids(tab) == [f"notes/{subject}"]
    expect(hits(tab).first).to_contain_text(f"About the {subject}")
    assert f"/notes/{subject}/" in (hits(tab).first.get_attribute("href") or "")


def leads_on(tab: Tab, subject: str) -> None:
    """The only result of a subject leads to its page."""
    found(tab, subject)
    with tab.context.expect_page() as opened:
        hits(tab).first.click(modifiers=["Control"])
    expect(opened.value.locator("h1")).to_have_text(f"About the {subject}")
    opened.value.close()


@pytest.mark.parametrize(("caching", "used"), [("no-cache", True), ("max-age=600", False)])
def test_a_tab_that_stays_open(
    context: BrowserContext, sites: tuple[Path, Path], caching: str, used: bool
) -> None:
    files = Files(sites[0], caching)
    with served(files) as base:
        tab = context.new_page()
        tab.goto(base)
        search(tab, "kernel" if used else "")
        files.deploy(sites[1])
        for subject in SUBJECTS:
            found(tab, subject)
        leads_on(tab, "warp")
        search(tab, "inserted")
        assert len(page_ids(tab)) == len(INSERTED)


def test_a_visit_with_a_warm_cache(context: BrowserContext, sites: tuple[Path, Path]) -> None:
    files = Files(sites[0], "max-age=600")
    with served(files) as base:
        tab = context.new_page()
        tab.goto(base)
        search(tab, "kernel")
        tab.close()
        files.deploy(sites[1])
        files.asked.clear()
        for subject in ("warp", "kernel", "vector"):
            tab = context.new_page()
            tab.goto(base)
            leads_on(tab, subject)
            tab.close()
        # The browser had the old root; the new one was fetched past it, once.
        roots = [path for path in files.asked if path.startswith("/search/root.js")]
        assert len([path for path in roots if "again" in path]) == 1, roots


def test_the_offline_worker(browser: Browser, sites: tuple[Path, Path]) -> None:
    context = browser.new_context()
    files = Files(sites[0], "max-age=600")
    with served(files) as base:
        old = context.new_page()
        old.goto(base)
        keep_index(old)
        search(old, "kernel")
        files.deploy(sites[1])
        new = context.new_page()
        new.goto(base)
        new.evaluate("navigator.serviceWorker.ready.then((it) => it.update())")
        version = (sites[1] / "sw.js").read_text("utf-8").split('"version": "')[1].split('"')[0]
        new.wait_for_function(
            "async (version) => (await caches.keys()).every((name) => name.endsWith(version))",
            arg=version,
        )
        new.goto(f"{base}notes/warp/")  # so that the page can be opened
        keep_index(new)
    context.set_offline(True)
    for tab in (old, new):
        for subject in SUBJECTS:
            found(tab, subject)
        leads_on(tab, "warp")
    context.close()


def keep_index(tab: Tab) -> None:
    """Have the worker keep the whole index; returns when it does."""
    tab.evaluate("delete document.documentElement.dataset.offline")
    tab.evaluate(
        "navigator.serviceWorker.ready.then(({active}) => active.postMessage({index: true}))"
    )
    expect(tab.locator("html")).to_have_attribute("data-offline", "search", timeout=30_000)


def test_an_index_that_the_script_cannot_read(
    context: BrowserContext, sites: tuple[Path, Path]
) -> None:
    """The page says that it must be loaded again, and shows no results."""

    def other(route: Route) -> None:
        answer = route.fetch()
        text = answer.text()
        body = text.replace(f'"format":{FORMAT}', '"format":99')
        assert body != text
        route.fulfill(response=answer, body=body)

    files = Files(sites[0], "no-cache")
    with served(files) as base:
        tab = context.new_page()
        tab.goto(base)
        search(tab, "kernel")
        files.deploy(sites[1])
        tab.route("**/search/root.js*", other)
        search(tab, "warp")
        body = tab.locator(".pn-search-body")
        expect(body).to_contain_text("The site has changed since this page was opened.")
        expect(hits(tab)).to_have_count(0)
        tab.unroute("**/search/root.js*")
        with tab.expect_navigation():  # else the search would be typed into the page that goes
            body.get_by_role("button", name="Load the page again").click()
        found(tab, "warp")
