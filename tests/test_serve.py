"""Serving follows edits: each shows at once, and as a build makes it; a wrong one says so at its
line and stops nothing."""

from __future__ import annotations

import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.project import mkdocs, perfnotes, run, tree
from tests.served import PAGE, ROWS, Server, Shared, begun

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def shared(built_example: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    shared = Shared(built_example, tmp_path_factory.mktemp("served"))
    yield shared
    shared.end()


@pytest.fixture
def server(shared: Shared) -> Iterator[Server]:
    """To begin one for each test took twenty times as long as what it is tested for."""
    yield shared.server()
    shared.put_back()


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A new page; it is closed after the test, and all others that the test has opened."""
    yield context.new_page()
    for page in context.pages:
        page.close()


def edit(server: Server, old: str, new: str, file: str = ROWS) -> None:
    note = server.project / file
    text = note.read_text("utf-8")
    assert old in text
    note.write_text(text.replace(old, new), "utf-8")


def test_plain_mkdocs_serves_as_well(built_example: Path, tmp_path: Path) -> None:
    def command(port: str) -> list[str]:
        return mkdocs("serve", "--dev-addr", f"127.0.0.1:{port}")

    with begun(built_example, tmp_path, command) as server:
        edit(server, "A C array", "An edited C array")
        server.wait_for(lambda: server.shows("An edited C array"))
        edit(server, "[[lines|line]]", "[[linse]]")
        server.wait_for(lambda: server.says(f"{ROWS}:10:78: PN301 "))
        assert server.shows("An edited C array"), "the last good page"
        assert not server.says("Traceback")


def test_an_edit_shows_where_it_is_seen(server: Server) -> None:
    edit(server, "A C array", "An edited C array")
    server.wait_for(lambda: server.shows("An edited C array"))
    first = server.page()
    edit(server, "title: Rows before columns", "title: Rows first")
    server.wait_for(lambda: "Rows first" in server.page("caches/"))
    assert "Rows first" in server.page("caches/lines/"), "where the note is linked"
    # Markdown copies come with the whole site, after the pages that are made from memory.
    server.wait_for(lambda: "An edited C array" in server.page("caches/rows/index.md"))
    assert first != server.page()
    assert not server.says("Traceback")


def test_what_is_shown_at_once_is_what_a_build_makes(server: Server) -> None:
    """The page from memory, then the one that the worker made: the same bytes."""
    edit(server, "A C array", "A cited [@drepper2007memory] and [[lines|linked]] C array")
    server.wait_for(lambda: server.shows("and <a"))
    first = server.page()
    server.wait_for(lambda: "linked" in server.page("caches/lines/"))  # its backlink
    assert server.page() == first


def test_notes_come_and_go(server: Server) -> None:
    new = server.project / "notes" / "caches" / "ways.md"
    new.write_text(
        "---\ntitle: Ways of a cache\ndescription: How many.\ntags: [cache]\n"
        "level: introductory\n---\n\nA set has several ways.\n",
        "utf-8",
    )
    server.wait_for(lambda: "A set has several ways." in server.page("caches/ways/"))
    server.wait_for(lambda: "Ways of a cache" in server.page("caches/"))
    new.unlink()
    server.wait_for(lambda: "Ways of a cache" not in server.page("caches/"))
    server.wait_for(lambda: "A set has several ways." not in server.page("caches/ways/"))


def test_a_wrong_edit_is_named_at_its_line_until_it_is_mended(server: Server) -> None:
    edit(server, "[[lines|line]]", "[[linse]]")
    server.wait_for(lambda: server.says(f"{ROWS}:10:70: PN301 "))
    server.wait_for(lambda: bool(server.wrong()))
    finding = server.wrong()[0]
    assert (finding["code"], finding["line"], finding["error"]) == ("PN301", 10, True)
    assert finding["near"].startswith("A C array lies in memory")
    assert server.shows("linse"), "what is there, as it is"
    edit(server, "[[linse]]", "[[lines|mended line]]")
    server.wait_for(lambda: server.shows("mended line") and not server.wrong())
    server.wait_for(lambda: server.says("no longer found"))
    assert not server.says("Traceback")


def test_a_broken_note_shows_why_on_its_own_page(server: Server) -> None:
    edit(server, "title: Rows before columns", "title: [Rows before columns")
    server.wait_for(lambda: any(finding["code"] == "PN104" for finding in server.wrong()))
    note = server.project / ROWS
    text = note.read_bytes()
    note.write_bytes(text + b"\xff")
    broken = "cannot be shown until these errors are mended"
    server.wait_for(lambda: server.shows(broken) and server.shows("PN101"))
    edit(server, "An object", "An edited object", "notes/caches/lines.md")
    server.wait_for(lambda: "An edited object" in server.page("caches/lines/"))
    edit(server, "title: Cache lines", "title: Lines", "notes/caches/lines.md")
    server.wait_for(lambda: ">Lines<" in server.page("caches/"))  # everything was made anew
    assert server.shows(broken)
    note.write_bytes(text.replace(b"title: [", b"title: "))
    server.wait_for(lambda: server.shows("A C array lies in memory") and not server.wrong())


def test_an_unsafe_edit_is_named_and_made_harmless(server: Server) -> None:
    edit(server, "A C array", "A *C*{onclick=x} array")
    server.wait_for(lambda: server.says(f"{ROWS}:10:7: PN601 "))
    assert "onclick" not in server.page()
    assert any(finding["code"] == "PN601" for finding in server.wrong())
    edit(server, "A *C*{onclick=x} array", "A safe C array")
    server.wait_for(lambda: server.shows("A safe C array") and not server.wrong())


def test_a_broken_and_mended_configuration(server: Server, page: Page) -> None:
    page.goto(server.url + PAGE)
    title = page.title()
    settings = server.project / "mkdocs.yml"
    text = settings.read_text("utf-8")
    settings.write_text(text + "\nsite_url: [\n", "utf-8")
    edit(server, "A C array", "An edited C array")  # in the same moment
    server.wait_for(lambda: server.says("still serving as before"))
    server.wait_for(lambda: server.shows("An edited C array lies in memory"))
    settings.write_text(text.replace("site_name: perfnotes", "site_name: renamed"), "utf-8")
    server.wait_for(lambda: server.shows("renamed"))
    assert server.says("the settings are mended")
    page.wait_for_function("() => document.title.endsWith('renamed')")
    # The pages of the former settings are in the cache, and the build makes none.
    settings.write_text(text, "utf-8")
    page.wait_for_function("title => document.title === title", arg=title)


def test_only_this_machine_and_only_the_site(server: Server) -> None:
    assert server.status("/caches/rows/") == 200
    assert server.status("/caches/rows") == 301
    assert server.status("/nowhere/") == 404
    assert "registration.unregister()" in server.page("sw.js"), "not the site's own"
    assert server.status("/caches/rows/", Host="evil.example") == 403
    # Another site in the same browser: its scripts and frames get nothing, a link of it works.
    page = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    script = {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}
    frame = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
    for site in ("cross-site", "same-site"):  # another port of this machine is of the same site
        assert server.status("/caches/rows/", **{"Sec-Fetch-Site": site}, **page) == 200
        assert server.status("/search/root.js", **{"Sec-Fetch-Site": site}, **script) == 403
        assert server.status("/caches/rows/", **{"Sec-Fetch-Site": site}, **frame) == 403
    assert server.status("/search/root.js", **{"Sec-Fetch-Site": "same-origin"}, **script) == 200
    for path in ("/../mkdocs.yml", "/%2e%2e/%2e%2e/mkdocs.yml", "/..%2fmkdocs.yml", "/a%00b/"):
        assert server.status(path) == 404, path


def test_a_port_that_is_taken_is_named_in_one_line(built_example: Path, tmp_path: Path) -> None:
    project = shutil.copytree(built_example, tmp_path / "project", symlinks=True)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run(project, perfnotes("serve", "--port", port), status=2)
    assert done.stderr.startswith(f"perfnotes: port {port} cannot be served: another program uses")
    assert "choose another port" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_the_browser_stays_where_the_reader_is(server: Server, page: Page) -> None:
    edit(server, "A C array", "\n\n".join(["Words before."] * 60) + "\n\nA C array")
    server.wait_for(lambda: server.shows("Words before."))
    page.goto(server.url + PAGE)
    page.evaluate("scrollTo(0, 600)")
    page.evaluate("document.body.dataset.seen = 'yes'")
    edit(server, "A C array", "A seen C array")
    page.get_by_text("A seen C array").wait_for()
    assert page.evaluate("scrollY") == 600
    assert page.evaluate("document.body.dataset.seen") == "yes", "not loaded again"
    # What other scripts adorn, such as code, wants the page anew; the reader stays there as well.
    edit(server, "A seen C array", "```c\nint fresh;\n```\n\nA seen C array")
    page.locator(".pn-code-bar").first.wait_for()
    page.wait_for_function("() => document.body.dataset.seen !== 'yes'")
    page.wait_for_function("() => scrollY === 600")


# Timers of a second or more wait in ``held``.
HELD = """
  const set = setTimeout;
  window.held = [];
  window.setTimeout = (work, ms, ...more) => ms >= 1000 ? held.push(work) : set(work, ms, ...more);
"""


def test_new_words_are_shown_before_the_page_is_loaded_again(server: Server, page: Page) -> None:
    page.add_init_script(HELD)
    page.goto(server.url + PAGE)
    page.evaluate("held.length = 0; document.body.dataset.seen = 'yes'")
    edit(server, "A C array", "```c\nint fresh;\n```\n\nA C array")
    page.get_by_text("int fresh;").wait_for()
    page.wait_for_function("() => held.length === 1")
    assert page.evaluate("document.body.dataset.seen") == "yes"
    page.evaluate("held[0]()")
    page.wait_for_function("() => document.body.dataset.seen !== 'yes'")
    page.locator(".pn-code-bar").first.wait_for()


# The page is hidden while ``away`` is true; ``open`` counts the connections on which it listens.
AWAY = """
  window.away = true;
  window.open = 0;
  Object.defineProperty(document, "hidden", { get: () => away });
  window.EventSource = class extends EventSource {
    constructor(address) { super(address); open++; }
    close() { super.close(); open--; }
  };
"""


def test_a_hidden_page_keeps_no_connection(server: Server, page: Page) -> None:
    """A browser opens six connections to one host: six open pages would keep all of them."""
    page.add_init_script(AWAY)
    page.goto(server.url + PAGE)
    assert page.evaluate("open") == 0
    edit(server, "A C array", "A new C array")
    server.wait_for(lambda: server.shows("A new C array"))
    turn = "away = !away; document.dispatchEvent(new Event('visibilitychange')); open"
    assert page.evaluate(turn) == 1
    page.get_by_text("A new C array").wait_for()
    assert page.evaluate(turn) == 0


def test_any_number_of_pages_may_be_seen_at_once(server: Server, context: BrowserContext) -> None:
    """As in many windows: a headless browser hides no page."""
    pages = [context.new_page() for _ in range(20)]
    for page in pages:
        page.goto(server.url + PAGE)
    edit(server, "A C array", "A C array that all see")
    for page in pages:
        page.get_by_text("A C array that all see").wait_for()
        page.close()


def test_findings_stand_below_their_line_and_vanish(server: Server, page: Page) -> None:
    page.goto(server.url + PAGE)
    edit(server, "[[lines|line]]", "[[linse]]")
    box = page.locator("article .pn-finding")
    box.wait_for()
    assert "line 10" in box.inner_text()
    # The finding may come before the text that it stands below.
    page.wait_for_function(
        """() => document.querySelector("article .pn-finding")
          ?.previousElementSibling.textContent.startsWith("A C array lies in memory")"""
    )
    edit(server, "[[linse]]", "[[lines|line]]")
    box.wait_for(state="detached")


def test_open_pages_follow_what_other_files_say(server: Server, page: Page) -> None:
    """A term's page and the list of a topic are loaded again where they are open."""
    glossary = server.project / "notes" / "glossary.yml"
    text = glossary.read_text("utf-8")
    page.goto(f"{server.url}glossary/")
    first = page.locator(".pn-glossary dd").first.inner_text()
    words = first.split(" (")[0].rstrip(".")
    assert words in text
    glossary.write_text(text.replace(words, f"{words} as everybody knows"), "utf-8")
    page.get_by_text("as everybody knows").first.wait_for()
    glossary.write_text(text, "utf-8")  # the page is in the cache then
    page.get_by_text("as everybody knows").first.wait_for(state="detached")
    topic = page.context.new_page()
    topic.goto(f"{server.url}caches/")
    note = server.project / "notes" / "caches" / "ways.md"
    front = "title: Ways of a cache\ndescription: How many.\ntags: [cache]\nlevel: introductory"
    note.write_text(f"---\n{front}\n---\n\nA set has several ways.\n", "utf-8")
    topic.get_by_role("link", name="Ways of a cache").first.wait_for()
    note.unlink()
    topic.get_by_role("link", name="Ways of a cache").first.wait_for(state="detached")


def test_ctrl_c_ends_it_and_leaves_nothing(server: Server, built_example: Path) -> None:
    assert tree(server.project / "site") == tree(built_example / "site"), "serving builds elsewhere"
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(timeout=30) == 0
    assert not server.says("Traceback")
    assert list((server.project.parent / "temporary").iterdir()) == []
    assert list((server.project / ".perfnotes-cache" / "served").iterdir()) == []
