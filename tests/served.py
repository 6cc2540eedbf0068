"""``perfnotes serve`` of the example project, as a process that tests ask and wait for."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.project import differences, end, perfnotes, start, tree

ROWS = "notes/caches/rows.md"
PAGE = "caches/rows/"


@dataclass(frozen=True)
class Server:
    project: Path
    url: str
    log: Path
    process: subprocess.Popen[bytes]
    since: int = 0  # where its log begins for a test

    def page(self, path: str = PAGE) -> str:
        """The page as the server gives it now, or nothing."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=60) as answer:
                text: str = answer.read().decode("utf-8")
                return text
        except OSError:
            return ""

    def shows(self, text: str) -> bool:
        return text in self.page()

    def says(self, text: str) -> bool:
        return text in self.log.read_bytes()[self.since :].decode("utf-8")

    def wrong(self, path: str = PAGE) -> list[dict[str, Any]]:
        """What stands on the page as wrong with it."""
        with urllib.request.urlopen(f"{self.url}_perfnotes/wrong?{path}", timeout=60) as answer:
            found: list[dict[str, Any]] = json.load(answer)
            return found

    def status(self, path: str, **headers: str) -> int:
        """The status of an answer, to a request that is sent as it is written here."""
        connection = http.client.HTTPConnection(self.url.split("/")[2], timeout=60)
        try:
            connection.putrequest("GET", path, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            return connection.getresponse().status
        finally:
            connection.close()

    def wait_for(self, reached: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 90
        while not reached():
            assert self.process.poll() is None, self.log.read_text("utf-8")
            assert time.monotonic() < deadline, self.log.read_text("utf-8")
            time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def begun(
    built_example: Path, folder: Path, command: Callable[[str], list[str]]
) -> Iterator[Server]:
    """A server of the example project, until the test has ended."""
    project = shutil.copytree(built_example, folder / "project", symlinks=True)
    port = free_port()
    temporary = folder / "temporary"
    temporary.mkdir()
    process = start(project, command(str(port)), folder / "log", {"TMPDIR": str(temporary)})
    found = Server(project, f"http://127.0.0.1:{port}/", folder / "log", process)
    try:
        found.wait_for(lambda: found.shows("A C array lies in memory"))
        yield found
    finally:
        end(process)


class Shared:
    """The server that the tests of a file share; each finds it as if it had just begun."""

    EDITED = ("notes", "mkdocs.yml")
    SEEN = (PAGE, f"{PAGE}index.md", "caches/", "caches/lines/", "glossary/")

    def __init__(self, built_example: Path, folder: Path) -> None:
        self._example = built_example
        self._folder = folder
        self._stack = ExitStack()
        self._server: Server | None = None
        self._pages: dict[str, str] = {}
        self._number = 0

    def server(self) -> Server:
        """The server, begun if there is none."""
        if self._server is None:
            self._number += 1
            folder = self._folder / str(self._number)
            folder.mkdir()
            found = self._stack.enter_context(begun(self._example, folder, serve))
            found.wait_for(lambda: all(map(found.page, self.SEEN)))
            self._server, self._pages = found, self._shown(found)
        return replace(self._server, since=self._server.log.stat().st_size)

    def put_back(self) -> None:
        """Undoes the edits of a test and waits until the pages are those of the beginning.

        A server that does not come back to them is not used again.
        """
        server, self._server = self._server, None
        if server is None or server.process.poll() is not None:
            return
        for name in self.EDITED:
            before, now = self._example / name, server.project / name
            if before.is_dir():
                for path in {*tree(before)} ^ {*tree(now)}:
                    (now / path).unlink(missing_ok=True)
                for path in differences(before, now):
                    shutil.copyfile(before / path, now / path)
            elif before.read_bytes() != now.read_bytes():
                shutil.copyfile(before, now)
        server.wait_for(lambda: self._shown(server) == self._pages and not server.wrong())
        self._server = server

    def end(self) -> None:
        self._stack.close()

    def _shown(self, server: Server) -> dict[str, str]:
        return {path: server.page(path) for path in self.SEEN}


def serve(port: str) -> list[str]:
    return perfnotes("serve", "--port", port)
