"""A local server of a folder that compresses text with gzip, as public servers do."""

from __future__ import annotations

import gzip
import mimetypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LEVEL = 6
_AS_IS = ("image/", "font/", "video/")


class Files:
    """The files below a folder as the server sends them; each is compressed once.

    ``asked`` collects the requested addresses. Whoever reads it may clear it.
    """

    def __init__(self, folder: Path, caching: str = "max-age=600") -> None:
        """``caching`` is the value of the header ``Cache-Control``."""
        self.asked: list[str] = []
        self.caching = caching
        self.deploy(folder)

    def deploy(self, folder: Path) -> None:
        """Serve another folder from now on, and no files of the former one."""
        self._folder = folder.resolve()
        self._known: dict[str, tuple[bytes, str, bool] | None] = {}

    def get(self, address: str) -> tuple[bytes, str, bool] | None:
        """Return body, type and whether the body is compressed; None if there is no such file."""
        path = unquote(urlsplit(address).path).lstrip("/")
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: str) -> tuple[bytes, str, bool] | None:
        file = (self._folder / path).resolve()
        if file.is_dir():
            file /= "index.html"
        if not file.is_relative_to(self._folder) or not file.is_file():
            return None
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        body = file.read_bytes()
        if kind.startswith(_AS_IS):
            return body, kind, False
        return gzip.compress(body, _LEVEL, mtime=0), kind, True

    def size(self, address: str) -> int:
        """Return the number of bytes of the body as it is sent, 0 if there is no such file."""
        found = self.get(address)
        return len(found[0]) if found else 0


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes: the second must not wait
    files: Files

    def do_GET(self) -> None:
        self.files.asked.append(self.path)
        found = self.files.get(self.path)
        if found is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        body, kind, packed = found
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", self.files.caching)
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def served(files: Files) -> Iterator[str]:
    """Serve the files on a free port; yield the address, which ends in a slash."""
    handler = type("Handler", (_Handler,), {"files": files})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
