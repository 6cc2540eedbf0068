"""Serving follows edits: each shows after one build, a wrong one says why and stops nothing."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.project import end, mkdocs, perfnotes, run, start, tree

pytestmark = pytest.mark.slow

ROWS = "notes/caches/rows.md"
PAGE = "caches/rows/"


@dataclass(frozen=True)
class Server:
    project: Path
    url: str
    log: Path
    process: subprocess.Popen[bytes]

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

    def builds(self) -> int:
        """How often it has built so far."""
        return self.log.read_text("utf-8").count("Building documentation")

    def wait_for(self, reached: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 90
        while not reached():
            assert self.process.poll() is None, self.log.read_text("utf-8")
            assert time.monotonic() < deadline, self.log.read_text("utf-8")
            time.sleep(0.2)

    def settle(self) -> None:
        """Wait until no build has begun for a while: the server looks twice a second."""
        before = -1
        while before != (before := self.builds()):
            time.sleep(3)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(params=["perfnotes", "mkdocs"])
def server(request: pytest.FixtureRequest, built_example: Path, tmp_path: Path) -> Iterator[Server]:
    project = shutil.copytree(built_example, tmp_path / "project", symlinks=True)
    port = free_port()
    if request.param == "perfnotes":
        command = perfnotes("serve", "--port", str(port))
    else:
        command = mkdocs("serve", "--dev-addr", f"127.0.0.1:{port}")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = start(project, command, tmp_path / "log", {"TMPDIR": str(temporary)})
    found = Server(project, f"http://127.0.0.1:{port}/", tmp_path / "log", process)
    try:
        found.wait_for(lambda: found.shows("A C array lies in memory"))
        yield found
    finally:
        end(process)


def edit(server: Server, old: str, new: str) -> None:
    note = server.project / ROWS
    text = note.read_text("utf-8")
    assert old in text
    note.write_text(text.replace(old, new), "utf-8")


def test_an_edit_shows_and_builds_at_most_twice(server: Server) -> None:
    server.settle()
    assert server.builds() == 1
    staged = server.project / "build" / "stage"
    before = {p: p.stat().st_mtime_ns for p in staged.rglob("*") if p.is_file()}
    hashes = tree(staged)
    edit(server, "A C array", "An edited C array")
    server.wait_for(lambda: server.shows("An edited C array"))
    server.settle()
    assert 2 <= server.builds() <= 3
    now = tree(staged)
    assert now.keys() == hashes.keys()
    changed = {name for name in now if now[name] != hashes[name]}
    assert "caches/rows/index.md" in changed
    rewritten = {p for p, at in before.items() if p.stat().st_mtime_ns != at}
    assert {p.relative_to(staged).as_posix() for p in rewritten} == changed


def test_a_wrong_edit_is_named_and_the_server_goes_on(server: Server) -> None:
    edit(server, "[[lines|line]]", "[[linse]]")
    server.wait_for(lambda: f"{ROWS}:10:70: PN301 " in server.log.read_text("utf-8"))
    server.settle()
    assert server.shows("A C array lies in memory"), "the last good page"
    assert "Traceback" not in server.log.read_text("utf-8")
    edit(server, "[[linse]]", "[[lines|mended line]]")
    server.wait_for(lambda: server.shows("mended line"))


def test_an_unsafe_edit_is_named_and_the_server_goes_on(server: Server) -> None:
    edit(server, "A C array", "A *C*{onclick=x} array")
    server.wait_for(lambda: f"{ROWS}:10:7: PN601 " in server.log.read_text("utf-8"))
    server.settle()
    assert server.shows("A C array lies in memory"), "the last good page"
    edit(server, "A *C*{onclick=x} array", "A safe C array")
    server.wait_for(lambda: server.shows("A safe C array"))


def test_a_broken_and_mended_configuration(server: Server) -> None:
    settings = server.project / "mkdocs.yml"
    text = settings.read_text("utf-8")
    settings.write_text(text + "\nsite_url: [\n", "utf-8")
    server.wait_for(lambda: "still serving the last good build" in server.log.read_text("utf-8"))
    assert server.shows("A C array lies in memory")
    settings.write_text(text.replace("site_name: perfnotes", "site_name: renamed"), "utf-8")
    server.wait_for(lambda: server.shows("renamed"))


def test_ctrl_c_ends_it_and_leaves_nothing(server: Server, built_example: Path) -> None:
    assert tree(server.project / "site") == tree(built_example / "site"), "serving builds elsewhere"
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(timeout=30) == 0
    assert "Traceback" not in server.log.read_text("utf-8")
    temporary = server.project.parent / "temporary"
    assert list(temporary.iterdir()) == []


def test_a_port_that_is_taken_is_named_in_one_line(built_example: Path, tmp_path: Path) -> None:
    # What is served is staged with the address that it is served at.
    project = shutil.copytree(built_example, tmp_path / "project", symlinks=True)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run(project, perfnotes("serve", "--port", port), status=2)
    assert done.stderr.splitlines()[-1] == "perfnotes: Address already in use"
    assert "Traceback" not in done.stderr
