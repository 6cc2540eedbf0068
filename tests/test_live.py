"""``serve`` between two edits: reading again gives what reading anew gives; news come together."""

from __future__ import annotations

import queue
import shutil
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from perfnotes.serve.builder import BuilderAnswer
from perfnotes.serve.run import Serving, gather
from perfnotes.serve.server import LATER, News, as_event
from perfnotes.source.project import UsageError
from perfnotes.source.read.folder import read_library
from perfnotes.source.read.memo import InMemory, Memo


def test_a_topic_goes_with_its_folder(tmp_path: Path) -> None:
    for topic in ("one", "two"):
        (tmp_path / topic).mkdir()
        (tmp_path / topic / "a.md").write_text("# A\n\nWords.\n", "utf-8")
        (tmp_path / topic / "b.md").write_text("# B\n\nWords.\n", "utf-8")
    memo = InMemory(Memo())
    assert set(read_library(tmp_path, "notes", memo).topics) == {"one", "two"}
    shutil.rmtree(tmp_path / "two")
    memo.forget([tmp_path / "two"])
    assert set(read_library(tmp_path, "notes", memo).topics) == {"one"}


def test_files_are_listed_again_where_one_came_or_went(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    note = tmp_path / "one" / "a.md"
    note.write_text("# A\n\nWords.\n", "utf-8")
    memo = InMemory(Memo())
    listed = memo.walk(tmp_path, "notes")
    for elsewhere in (note, tmp_path.parent / "other.md"):
        memo.forget([elsewhere])
        assert memo.walk(tmp_path, "notes") is listed
    new = tmp_path / "one" / "b.md"
    new.write_text("# B\n\nWords.\n", "utf-8")
    memo.forget([new])
    assert memo.walk(tmp_path, "notes").markdown == ("one/a.md", "one/b.md")
    note.unlink()
    memo.forget([note])
    assert memo.walk(tmp_path, "notes").markdown == ("one/b.md",)
    note.symlink_to(tmp_path.parent / "other.md")
    memo.forget([note])
    assert [finding.code for finding in memo.walk(tmp_path, "notes").findings] == ["PN106"]


def test_an_answer_may_come_among_edits() -> None:
    news: queue.SimpleQueue[object] = queue.SimpleQueue()
    answer = BuilderAnswer({"made": [], "findings": []}, cast("Any", None))
    for each in (Path("b.md"), answer, Path("a.md")):
        news.put(each)
    assert gather(Path("a.md"), news) == ([Path("a.md"), Path("b.md")], [answer])


def test_one_page_more_than_may_listen_takes_the_turn_of_the_first() -> None:
    news = News()
    first, *others = [news.listen(f"{number}/") for number in range(5)]
    assert first.get_nowait() == LATER
    news.leave("0/", first)
    assert news.open_pages() == {"1/", "2/", "3/", "4/"}
    news.send("wrong", {})
    assert first.empty()
    assert [other.get_nowait() for other in others] == [as_event("wrong", {})] * 4


def test_a_first_build_that_fails_ends_the_server_and_a_later_one_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    serving = Serving(tmp_path, tmp_path, 0)
    serving._builder = cast("Any", SimpleNamespace(busy=True))
    serving._served.site = tmp_path / "site"
    with pytest.raises(UsageError, match="No space left"):
        serving._built({"problem": "No space left"})
    serving._served.site.mkdir()
    serving._built({"problem": "No space left"})
    assert "No space left\nperfnotes: still serving as before" in capsys.readouterr().err


def test_a_page_goes_back_where_an_edit_was_undone_before_it_was_built(tmp_path: Path) -> None:
    page = tmp_path / "site/caches/index.html"
    page.parent.mkdir(parents=True)
    page.write_text("as it was", "utf-8")
    serving = Serving(tmp_path, tmp_path, 0)
    serving._preview = cast("Any", SimpleNamespace(broken=set()))
    serving._builder = cast("Any", SimpleNamespace(busy=True))
    served = serving._served
    served.site = tmp_path / "site"
    as_before = served.digest("caches/")
    served.previews["caches/"] = b"with the edit"
    serving._preview_edits["caches/"] = serving._built_edit = serving._edits = 1
    listener = served.news.listen("caches/")
    serving._built({"made": [], "findings": []})
    assert listener.get_nowait() == as_event("pages", {"caches/": as_before})


def test_the_old_worker_ends_before_the_one_with_new_settings_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    serving = Serving(tmp_path, tmp_path, 0)
    monkeypatch.setattr(Serving, "_configuration", lambda _: None)
    monkeypatch.setattr(Serving, "_begin", lambda *_: happened.append("new begins"))
    serving._builder = cast("Any", SimpleNamespace(end=lambda: happened.append("old ends")))
    serving._edited([tmp_path / "mkdocs.yml"])
    assert happened == ["old ends", "new begins"]


def test_no_preview_is_made_after_the_build_that_a_reader_waited_for(tmp_path: Path) -> None:
    serving = Serving(tmp_path, tmp_path, 0)
    builder = SimpleNamespace(busy=True)
    serving._builder = cast("Any", builder)
    serving._preview = cast("Any", SimpleNamespace(page_at=lambda _: b"a preview"))
    serving._edits = 1
    with serving._making:
        reader = threading.Thread(target=serving._show_newest, args=("caches/",))
        reader.start()
        reader.join(0.05)  # now it waits for the lock
        builder.busy = False
    reader.join()
    assert not serving._served.previews
    builder.busy = True
    serving._show_newest("caches/")
    assert serving._served.previews == {"caches/": b"a preview"}
