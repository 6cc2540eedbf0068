"""The server: it serves the files of a site, newer previews of pages, and news of both.

It answers this machine alone. It adds a style sheet and a script that listens for news to each
page, and changes nothing else.
"""

from __future__ import annotations

import errno
import json
import mimetypes
import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from msgspec import Struct, field

from perfnotes.source.project import UsageError
from perfnotes.storage.digests import content_digest

OWN = "/_perfnotes/"
_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_ASSETS = Path(__file__).parent / "assets"
_PULSE = 15.0  # seconds without news, after which a line shows that the connection is alive
_OFFLINE = "/sw.js"  # another one is served, since the site's service worker would show old pages
# Pages that listen at the same time. Each keeps a connection, and a browser opens six to one host:
# two are left for loading pages.
_MOST_LISTENERS = 4


class News(Struct):
    """Sends messages to the pages that are open in a browser and listen.

    When more pages want to listen than may, the one that has listened longest is told to ask again
    later. Each page then has its turn, and learns in the first message what it has missed.
    """

    _listeners: list[tuple[str, queue.SimpleQueue[str]]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, kind: str, data: object) -> None:
        message = as_event(kind, data)
        with self._lock:
            for _, listener in self._listeners:
                listener.put(message)

    def listen(self, url: str) -> queue.SimpleQueue[str]:
        """Return a queue that gets each message from now on, for the open page at ``url``.

        No message follows ``LATER``.
        """
        listener: queue.SimpleQueue[str] = queue.SimpleQueue()
        with self._lock:
            self._listeners.append((url, listener))
            if len(self._listeners) > _MOST_LISTENERS:
                _, longest = self._listeners.pop(0)
                longest.put(LATER)
        return listener

    def leave(self, url: str, listener: queue.SimpleQueue[str]) -> None:
        with self._lock, suppress(ValueError):  # it may have been told to ask later
            self._listeners.remove((url, listener))

    def open_pages(self) -> set[str]:
        """Return the addresses of the pages that listen."""
        with self._lock:
            return {url for url, _ in self._listeners}


def as_event(kind: str, data: object) -> str:
    """Return a message in the format of server-sent events."""
    return f"event: {kind}\ndata: {json.dumps(data)}\n\n"


LATER = as_event("later", {})  # the last message for a page: others listen now


class ServedSite(Struct):
    """What is served: the folder ``site``, and previews of pages that are newer than the site."""

    site: Path
    previews: dict[str, bytes] = field(default_factory=dict)  # pages by address
    # Returns the findings of the page at an address, as ``live.js`` shows them.
    findings_at: Callable[[str], list[dict[str, object]]] = lambda _: []
    news: News = field(default_factory=News)
    # Called with the address of each page that a browser asks for. It may add a preview.
    before_showing: Callable[[str], object] = lambda _: None

    def page(self, url: str) -> bytes:
        """Return the bytes of the newest page at ``url``, or none if there is no page."""
        preview = self.previews.get(url)
        if preview is not None:
            return preview
        if not _is_inside(url):
            return b""
        try:
            return (self.site / url / "index.html").read_bytes()
        except OSError:
            return b""

    def digest(self, url: str) -> str:
        return content_digest(self.page(url))


class Server(ThreadingHTTPServer):
    """Serves ``served`` at ``port`` of this machine. Raises OSError if the port is taken."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, served: ServedSite, port: int) -> None:
        self.served = served
        super().__init__(("127.0.0.1", port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print what went wrong, unless the browser closed the connection."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def server_at(port: int, served: ServedSite) -> Server:
    """Return a server of ``served``. Raises UsageError if ``port`` cannot be served."""
    try:
        return Server(served, port)
    except OSError as error:
        why = error.strerror or str(error)
        if error.errno == errno.EADDRINUSE:
            why = "another program uses it, perhaps `perfnotes serve` in another terminal"
        hint = "end that one or choose another port, such as --port 8123"
        if error.errno == errno.EACCES:
            hint = "choose one from 1024 on, such as --port 8123"
        raise UsageError(f"port {port} cannot be served: {why} ({hint})") from None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two packets; the body must not wait
    server: Server

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing for each request."""

    def _answer(self, *, body: bool) -> None:
        host = self.headers.get("Host", "").rpartition(":")[0] or self.headers.get("Host", "")
        if host not in _HOSTS:  # a name that leads here would let another web site read the pages
            self._send(403, "text/plain", b"only this machine is served\n", body=body)
            return
        if self._is_of_another_site():
            self._send(403, "text/plain", b"only pages of this server are served\n", body=body)
            return
        address = urlsplit(self.path)
        path = unquote(address.path)
        if path.startswith(OWN):
            self._own(path.removeprefix(OWN), unquote(address.query), body=body)
        elif path.endswith(("/", "/index.html")):
            url = path.removesuffix("index.html").lstrip("/")
            self.server.served.before_showing(url)
            self._page(self.server.served.page(url), body=body)
        elif path == _OFFLINE:
            self._asset("no-worker.js", body=body)
        elif not _is_inside(path.lstrip("/")):
            self._page(b"", body=body)
        else:
            self._file(path, body=body)

    def _is_of_another_site(self) -> bool:
        """Whether a page from elsewhere asks in the same browser, and not the reader by a link.

        The search index is scripts, and any page may run a script of another site. So it could
        read notes that are not published yet.
        """
        if self.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin"):
            return False
        by_link = self.headers.get("Sec-Fetch-Mode") == "navigate"
        return not (by_link and self.headers.get("Sec-Fetch-Dest") == "document")

    def end_headers(self) -> None:
        """Add what keeps pages from elsewhere from using an answer or showing it in a frame."""
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        super().end_headers()

    def _file(self, path: str, *, body: bool) -> None:
        file = self.server.served.site / path.lstrip("/")
        if file.is_dir():
            self.send_response(301)
            self.send_header("Location", f"{urlsplit(self.path).path}/")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        try:
            data = file.read_bytes()
        except OSError:
            self._page(b"", body=body)
            return
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        if kind.startswith("text/") or kind == "application/javascript":
            kind += "; charset=utf-8"
        self._send(200, kind, data, body=body)

    def _page(self, data: bytes, *, body: bool) -> None:
        status = 200
        if not data:
            status = 404
            missing = self.server.served.site / "404.html"
            data = missing.read_bytes() if missing.is_file() else b"not here\n"
        version = content_digest(data)
        tags = (
            f'<link rel="stylesheet" href="{OWN}live.css">'
            f'<script src="{OWN}live.js" data-version="{version}" defer></script>'
        )
        head, end, rest = data.partition(b"</head>")
        whole = head + tags.encode() + end + rest if end else data
        self._send(status, "text/html; charset=utf-8", whole, body=body)

    def _send(self, status: int, kind: str, data: bytes, *, body: bool) -> None:
        tag = f'"{content_digest(data)}"'
        if status == 200 and self.headers.get("If-None-Match") == tag:
            status, data, body = 304, b"", False
        self.send_response(status)
        self.send_header("ETag", tag)
        self.send_header("Cache-Control", "no-cache")
        if status != 304:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if body:
            self.wfile.write(data)

    def _own(self, name: str, query: str, *, body: bool) -> None:
        if name == "news":
            self._news(query.lstrip("/"))
        elif name == "wrong":
            data = json.dumps(self.server.served.findings_at(query.lstrip("/"))).encode()
            self._send(200, "application/json", data, body=body)
        elif name in ("live.js", "live.css"):
            self._asset(name, body=body)
        else:
            self._page(b"", body=body)

    def _asset(self, name: str, *, body: bool) -> None:
        kind = "text/javascript" if name.endswith("js") else "text/css"
        self._send(200, f"{kind}; charset=utf-8", (_ASSETS / name).read_bytes(), body=body)

    def _news(self, url: str) -> None:
        """Keep the connection open and send news on it as they happen.

        The first message has the newest version of the page itself, which may have changed while it
        was loading or did not listen.
        """
        news = self.server.served.news
        listener = news.listen(url)
        try:
            self.server.served.before_showing(url)
            listener.put(as_event("pages", {url: self.server.served.digest(url)}))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Cache-Control", "no-store")
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(b"retry: 500\n\n")
            message = ""
            while message != LATER:
                try:
                    message = listener.get(timeout=_PULSE)
                except queue.Empty:
                    message = ": still here\n\n"
                self.wfile.write(message.encode())
                self.wfile.flush()
        except OSError:
            pass  # the browser has closed it
        finally:
            self.close_connection = True
            news.leave(url, listener)


def _is_inside(path: str) -> bool:
    """Whether the path of an address leads to a place below the site's folder."""
    return "\0" not in path and "\\" not in path and not {"..", "."} & set(path.split("/"))
