"""A local server for a site, and a browser that records everything that goes wrong in it."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

# Milliseconds. The limit is long for busy machines; a condition that holds at once costs no wait.
expect.set_options(timeout=30_000)

# With these options Chromium makes no requests of its own.
_QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str:
    """Return the path of Chromium. Without one the test fails and says how to get it."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium")
    assert found, "no Chromium: set CHROMIUM to its path, or run 'make test', which provides one"
    return found


@contextmanager
def started_browser() -> Iterator[Browser]:
    """Start a headless Chromium and close it at the end."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=_QUIET)
        yield browser
        browser.close()


class _Handler(SimpleHTTPRequestHandler):
    """Serves a folder below a path; answers for missing files with the site's own 404 page."""

    protocol_version = "HTTP/1.1"
    # Head and body are two writes. With Nagle's algorithm the body would wait until the browser
    # acknowledges the head, which browsers delay by 40 ms.
    disable_nagle_algorithm = True

    def __init__(self, *arguments: object, folder: Path, below: str) -> None:
        self.folder, self.below = folder, below
        super().__init__(*arguments, directory=str(folder))  # type: ignore[arg-type]

    def translate_path(self, path: str) -> str:
        if not path.startswith(self.below):
            return str(self.folder / "no such file")
        return super().translate_path("/" + path.removeprefix(self.below))

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        if code != HTTPStatus.NOT_FOUND:
            super().send_error(code, message, explain)
            return
        page = (self.folder / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def served(folder: Path, below: str = "/") -> Iterator[str]:
    """Serve a site on a free port; yield its address, which ends in ``below``."""
    handler = partial(_Handler, folder=folder, below=below)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{below}"
    finally:
        server.shutdown()
        server.server_close()


@dataclass
class Watch:
    """Records requests to other hosts, failed requests and script errors of a browser context."""

    base: str
    expected: str = ""  # an address that may be missing, with the tries of its page
    problems: list[str] = field(default_factory=list)
    requests: int = 0
    script: bool = True  # whether the browser runs scripts

    def on(self, context: BrowserContext) -> Watch:
        context.on("request", self._request)
        context.on("response", self._response)
        context.on("requestfailed", self._failed)
        context.on("console", lambda m: self._console(m.type, m.text, m.page))
        context.on("weberror", lambda e: self._note(e.page, f"script error: {e.error}"))
        return self

    def _request(self, request: Request) -> None:
        self.requests += 1
        if not request.url.startswith((self.base, "data:", "blob:")):
            self.problems.append(f"a request leaves the site: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= HTTPStatus.BAD_REQUEST and not self._is_expected(response.url):
            self.problems.append(f"{response.status} {response.url}")

    def _is_expected(self, url: str) -> bool:
        """A missing page of a site without an address looks for its script in folders above it."""
        folder, name, _ = url.partition("assets/perfnotes/missing.js")
        is_try = bool(name) and folder != self.base and self.expected.startswith(folder)
        return url == self.expected or is_try

    def _failed(self, request: Request) -> None:
        # If a page is left before its search has loaded, the browser aborts that request.
        # Without scripts it refuses those that a page announces.
        refused = request.failure == "csp" and request.resource_type == "script"
        if request.failure != "net::ERR_ABORTED" and not (refused and not self.script):
            self.problems.append(f"{request.failure} {request.url}")

    def _console(self, kind: str, text: str, page: Page | None) -> None:
        # The console repeats each failed response. Breaches of the page's policy appear only here.
        if kind in ("error", "warning") and not text.startswith("Failed to load resource"):
            self._note(page, f"console: {text}")

    def _note(self, page: Page | None, text: str) -> None:
        self.problems.append(f"{page.url if page else '?'}: {text}")


@contextmanager
def opened(
    browser: Browser,
    base: str,
    *,
    expected: str = "",
    width: int = 1280,
    scheme: str = "light",
    script: bool = True,
    calm: bool = False,
) -> Iterator[tuple[Page, Watch]]:
    """Open a new page with an empty cache; fail at the end if anything went wrong on it."""
    context = browser.new_context(
        viewport={"width": width, "height": 844},
        color_scheme="dark" if scheme == "dark" else "light",
        java_script_enabled=script,
        reduced_motion="reduce" if calm else "no-preference",
        base_url=base,
    )
    watch = Watch(base, base + expected if expected else "", script=script).on(context)
    yield context.new_page(), watch
    context.close()
    assert not watch.problems, "\n".join(watch.problems)
