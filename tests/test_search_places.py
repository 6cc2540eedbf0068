"""Where the search works: on a slow line, without a network, from files, from the browser's bar."""

from __future__ import annotations

import json
import re
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab
from selectolax.lexbor import LexborHTMLParser

from perfnotes.site.page import PageAddress
from tests.browser import opened, served
from tests.opened_notes import PAGE
from tests.project import perfnotes, run
from tests.search_page import BELOW, field, hits, opens, page_ids, search

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(built_project: Path) -> Iterator[str]:
    """The site without an address, at a path of a server."""
    with served(built_project / "site", BELOW) as base:
        yield base


_PAINTED = """new MutationObserver((_, watcher) => {
  if (!document.querySelector("[data-page]")) return;
  window.painted = performance.now(); watcher.disconnect();
}).observe(document, {childList: true, subtree: true});"""


def kept(tab: Tab, much: str = "search") -> None:
    """Ask the worker for the index now instead of in four seconds; wait until the page says so."""
    tab.evaluate(
        "navigator.serviceWorker.ready.then(({active}) => active.postMessage({index: true}))"
    )
    expect(tab.locator("html")).to_have_attribute("data-offline", much, timeout=30_000)


def test_offline_after_a_visit(
    browser: Browser, built_project: Path, note_and_twin: tuple[PageAddress, PageAddress]
) -> None:
    english, chinese = note_and_twin
    context = browser.new_context()
    with served(built_project / "site", BELOW) as base:
        tab = context.new_page()
        tab.goto(base + english.url)
        kept(tab)
        tab.goto(base + chinese.url)
        expect(tab.locator("h1")).to_have_text(chinese.title)
        expect(tab.locator("html")).to_have_attribute("data-offline", "search", timeout=30_000)
    # The server is gone, and so is the network.
    context.set_offline(True)
    tab.goto(base + english.url)
    expect(tab.locator("h1")).to_have_text(english.title)
    position = "getComputedStyle(document.querySelector('.md-header')).position"
    assert tab.evaluate(position) == "sticky"  # it has its style sheets
    results = search(tab, "锁页内存")
    expect(tab.locator(".pn-search-body")).to_contain_text("pinned memory")
    assert results.count() > 3
    assert search(tab, "vectorizaton").count() > 0
    expect(tab.locator(".pn-search-missing")).to_have_count(0)
    expect(search(tab, english.title).first).to_have_attribute("href", base + english.url)
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    expect(tab.locator("h1")).to_have_text(english.title)
    for start in ("", "zh/"):  # neither page of results has been read
        tab.goto(f"{base}{start}{english.url}")
        before = search(tab, "coalescing").count()
        assert before
        tab.keyboard.press("Enter")
        expect(tab).to_have_url(f"{base}{start}search/?q=coalescing")
        expect(hits(tab).nth(3)).to_be_visible()
        assert tab.evaluate(position) == "sticky"
    tab.goto(f"{base}zh/never/seen/")
    expect(tab.locator("h1")).to_have_text("离线")
    context.close()


def test_offline_a_large_index_finds_what_was_used(
    browser: Browser, built_project: Path, tmp_path: Path
) -> None:
    site = shutil.copytree(built_project / "site", tmp_path / "site")
    worker = site / "sw.js"
    worker.write_text(worker.read_text("utf-8").replace('"index": true', '"index": false'), "utf-8")
    (site / "search" / "offline.json").unlink()
    context = browser.new_context()
    with served(site, BELOW) as base:
        tab = context.new_page()
        tab.goto(base)
        kept(tab, "used")
        search(tab, "allocator")
        before = page_ids(tab)
        tab.goto(f"{base}caches/")
        expect(tab.locator("html")).to_have_attribute("data-offline", "used", timeout=30_000)
    context.set_offline(True)
    tab.goto(base)
    search(tab, "allocator")
    assert page_ids(tab) == before
    expect(tab.locator(".pn-search-missing")).to_have_count(0)
    search(tab, "内存 bash pipeline")
    expect(tab.locator(".pn-search-missing")).to_contain_text("Without a network")
    expect(tab.locator(".pn-search-none")).not_to_have_text("No page has these words")
    context.close()


def test_offline_without_the_search_it_stays_on_the_page(
    browser: Browser, built_project: Path
) -> None:
    context = browser.new_context(service_workers="block")
    with served(built_project / "site", BELOW) as base:
        tab = context.new_page()
        tab.goto(f"{base}caches/")
        context.set_offline(True)
        tab.keyboard.press("/")
        expect(tab.get_by_role("status")).to_contain_text("There is no network")
        expect(tab).to_have_url(f"{base}caches/")
        context.set_offline(False)
        tab.keyboard.press("/")
        expect(field(tab)).to_be_focused()
    context.close()


def test_a_new_version_drops_what_was_kept(
    browser: Browser, built_project: Path, tmp_path: Path
) -> None:
    site = shutil.copytree(built_project / "site", tmp_path / "site")
    worker = site / "sw.js"
    version = json.loads(worker.read_text("utf-8").partition(" = ")[2].partition(";")[0])["version"]
    context = browser.new_context()
    with served(site, BELOW) as base:
        tab = context.new_page()
        tab.goto(base)
        kept(tab)
        tab.evaluate("caches.open('somebody else')")
        worker.write_text(worker.read_text("utf-8").replace(version, "0" * 12), "utf-8")
        (site / "index.html").write_text("<!doctype html><title>New</title>", "utf-8")
        tab.reload()
        expect(tab).to_have_title("New")  # the network comes first
        tab.goto(f"{base}caches/")
        tab.evaluate("navigator.serviceWorker.ready.then((it) => it.update())")
        tab.wait_for_function(
            "async () => (await caches.keys()).join() === 'somebody else,perfnotes "
            f"{base} {'0' * 12}'"
        )
    context.close()


@pytest.fixture(scope="module")
def example(built_example: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example, built. Tests must not change its notes."""
    folder = tmp_path_factory.mktemp("example") / "project"
    return shutil.copytree(built_example, folder, symlinks=True)


@pytest.mark.parametrize("kind", [".tar.gz", ".zip"])
def test_the_site_as_one_file(browser: Browser, example: Path, tmp_path: Path, kind: str) -> None:
    files = [tmp_path / name / f"notes{kind}" for name in "ab"]
    for file in files:
        run(example, perfnotes("build", "--quiet", "--archive", str(file)))
    assert files[0].read_bytes() == files[1].read_bytes()
    if kind == ".zip":
        with zipfile.ZipFile(files[0]) as packed:
            packed.extractall(tmp_path)
    else:
        with tarfile.open(files[0]) as packed_tar:
            # An argument for this came with Python 3.11.4.
            packed_tar.extraction_filter = getattr(tarfile, "data_filter", None)
            packed_tar.extractall(tmp_path)
    folder = tmp_path / "notes"
    with opened(browser, f"{folder.as_uri()}/") as (tab, _):
        tab.goto("index.html")
        results = search(tab, "rows")
        target = results.first.get_attribute("href") or ""
        assert "/index.html" in target
        results.first.click()
        opens(tab, target)
        tab.locator(".md-nav--primary a:visible").first.click()
        expect(tab).to_have_url(re.compile(r"/index\.html(#|$)"))
    # Also without a script, every link and every page that leads on names a file.
    for page in folder.rglob("*.html"):
        text = page.read_text("utf-8")
        links = [
            node.attributes.get("href") or ""
            for node in LexborHTMLParser(text).css("a[href], link[href]")
        ]
        links += re.findall(r'http-equiv="refresh" content="0; url=([^"]*)', text)
        for link in links:
            path = link.partition("#")[0].partition("?")[0]
            if path and ":" not in path and page.name != "404.html":
                assert (page.parent / unquote(path)).is_file(), (page, link)


def test_a_site_becomes_no_other_file(example: Path) -> None:
    """Another kind of file, one without a name, or one in the site that it would hold."""
    for wrong in ("notes.rar", ".zip", "site/x.zip"):
        run(example, perfnotes("build", "--archive", wrong), status=2)


def test_as_files_every_link_opens_a_page(
    browser: Browser, built_project: Path, note_and_twin: tuple[PageAddress, PageAddress]
) -> None:
    english, chinese = note_and_twin
    base = f"{(built_project / 'site').as_uri()}/"
    with opened(browser, base) as (tab, _):
        for start, page in (("index.html", english), ("zh/index.html", chinese)):
            tab.goto(start)
            words = page.title
            result = search(tab, words).filter(has_text=words).first
            result.click()
            expect(tab).to_have_url(re.compile(rf"{re.escape(page.url)}index\.html"))
            expect(tab.locator("h1")).to_have_text(page.title)
            switch = tab.locator("[data-pn-select]")
            switch.locator("button").focus()
            switch.locator("a:not([aria-current])").click()
            expect(tab).to_have_url(re.compile(r"/index\.html(#|$)"))
        tab.goto("index.html")
        search(tab, "memory")
        tab.keyboard.press("Enter")
        expect(tab).to_have_url(re.compile(r"search/index\.html\?q=memory"))
        expect(hits(tab).first).to_be_visible()
        tab.goto(f"{english.url}index.html")
        link = tab.locator("article a[href$='/']:visible").first
        link.focus()
        tab.keyboard.press("Enter")
        expect(tab).to_have_url(re.compile(r"/index\.html(#|$)"))
        expect(tab.locator("h1")).to_be_visible()


def test_old_addresses_lead_on_with_their_section(
    browser: Browser, built_for_browsers: Path
) -> None:
    site = built_for_browsers
    with served(site, BELOW) as base:
        with opened(browser, base) as (tab, _):
            tab.goto("caches/old-page/?from=here#pn-notes")
            expect(tab).to_have_url(f"{base}{PAGE}?from=here#pn-notes")
        with opened(browser, base, script=False) as (tab, _):
            tab.goto("caches/old-page/")
            expect(tab).to_have_url(f"{base}{PAGE}")
    with opened(browser, f"{site.as_uri()}/") as (tab, _):
        for start in ("", "zh/"):
            tab.goto(f"{start}caches/old-page/index.html")
            expect(tab).to_have_url(re.compile(rf"/{PAGE}index\.html$"))
            expect(tab.locator("h1")).to_be_visible()


def test_browsers_can_add_the_search(addressed_sample: Path, built_project: Path) -> None:
    site = addressed_sample / "site"
    for start in ("", "zh/"):
        page = (site / start / "caches" / "index.html").read_text("utf-8")
        assert 'type="application/opensearchdescription+xml"' in page
        root = ET.parse(site / start / "opensearch.xml").getroot()
        urls = [node.get("template") for node in root.iter() if node.tag.endswith("}Url")]
        assert urls == [f"https://example.org{BELOW}{start}search/?q={{searchTerms}}"]
        names = [node.text for node in root.iter() if node.tag.endswith("}ShortName")]
        assert names == ["perfnotes"]
        languages = [node.text for node in root.iter() if node.tag.endswith("}Language")]
        assert languages == ["zh" if start else "en"]
        assert root.tag == "{http://a9.com/-/spec/opensearch/1.1/}OpenSearchDescription"
        (image,) = (node.text or "" for node in root.iter() if node.tag.endswith("}Image"))
        assert (site / image.removeprefix(f"https://example.org{BELOW}")).is_file()
    assert not list((built_project / "site").rglob("opensearch.xml"))
    assert "opensearch" not in (built_project / "site" / "index.html").read_text("utf-8")


def test_nothing_of_the_old_search_is_left(built_project: Path) -> None:
    names = [f.as_posix() for f in (built_project / "site").rglob("*") if f.is_file()]
    assert not [n for n in names if "lunr" in n or "/workers/" in n or "search_index" in n]
