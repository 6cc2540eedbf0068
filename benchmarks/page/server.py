"""A server that sends a site as a static host does: compressed, cached for ten minutes."""

from __future__ import annotations

import gzip
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}
# Compressed already.
_AS_IS = {".gz", ".jpg", ".png", ".webp", ".woff2", ".zip"}
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">')


@dataclass(frozen=True)
class Answer:
    """One answer of the server: the path, the status, and the bytes sent, headers included."""

    path: str
    status: int
    size: int


@dataclass
class Server:
    """A site that is being served, and the answers so far."""

    address: str
    answers: list[Answer] = field(default_factory=list)


def policy_of(folder: Path) -> str:
    """Return the Content-Security-Policy of the site's pages; ``ValueError`` without one."""
    found = _POLICY.search((folder / "index.html").read_text("utf-8"))
    if not found:
        raise ValueError(f"{folder}/index.html has no Content-Security-Policy")
    return found[1].replace("&#39;", "'")


@cache
def packed(file: Path) -> tuple[bytes, bool]:
    """Return the bytes that are sent for a file, and whether gzip packed them."""
    content = file.read_bytes()
    if file.suffix in _AS_IS:
        return content, False
    return gzip.compress(content, 6, mtime=0), True


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(
        self,
        *arguments: object,
        folder: Path,
        headers: Mapping[str, str],
        late: float,
        log: list[Answer],
    ) -> None:
        self.folder, self.extra, self.late, self.log = folder, headers, late, log
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        file = self.folder / path.lstrip("/")
        if path.endswith("/"):
            file /= "index.html"
        if ".." in path.split("/") or not file.is_file():
            self._answer(HTTPStatus.NOT_FOUND, self.folder / "404.html")
        else:
            self._answer(HTTPStatus.OK, file)

    def _answer(self, status: HTTPStatus, file: Path) -> None:
        content, is_packed = packed(file)
        if file.suffix not in (".html", ".css"):
            time.sleep(self.late)
        lines = {
            "Content-Type": _TYPES.get(file.suffix, "application/octet-stream"),
            "Content-Length": str(len(content)),
            "Cache-Control": "max-age=600",
            **({"Content-Encoding": "gzip"} if is_packed else {}),
            **self.extra,
        }
        head = f"HTTP/1.1 {status.value} {status.phrase}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        answer = f"{head}\r\n".encode("latin-1") + content
        self.log.append(Answer(self.path, status, len(answer)))
        self.wfile.write(answer)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def served(
    folder: Path, headers: Mapping[str, str] | None = None, late: float = 0
) -> Iterator[Server]:
    """Serve a site at the root of a free port, with ``headers`` on every answer.

    Files other than pages and style sheets are sent ``late`` seconds later, so that a layout shift
    that they cause happens after the first paint.
    """
    answers: list[Answer] = []
    handler = partial(_Handler, folder=folder, headers=headers or {}, late=late, log=answers)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Server(f"http://127.0.0.1:{server.server_port}/", answers)
    finally:
        server.shutdown()
        server.server_close()
