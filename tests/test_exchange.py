"""New files replace old ones all at once, and a later call does the rest of a killed exchange."""

from __future__ import annotations

import json
import os
import shutil
import signal
from pathlib import Path

import pytest

from perfnotes.storage.exchange import finish_interrupted, put_in_place
from tests.project import tree


def test_files_take_their_places_or_none_does(tmp_path: Path) -> None:
    place, new = tmp_path / "site", tmp_path / ".new"
    for name, text in {"a": "old", "b/c": "old", "gone": "old", "same": "old"}.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    for name in ("a", "b/c", "d/e"):
        (new / name).parent.mkdir(parents=True, exist_ok=True)
        (new / name).write_text("new")
    before = tree(place)
    (place / "d").mkdir()
    (place / "d" / "e").mkdir()  # no file can take its place
    with pytest.raises(IsADirectoryError):
        put_in_place(place, new, ["a", "b/c", "d/e"], ["gone"])
    assert tree(place) == before
    (place / "d" / "e").rmdir()
    for name in ("a", "b/c", "d/e"):
        (new / name).write_text("new")
    shutil.rmtree(new / ".old")
    put_in_place(place, new, ["a", "b/c", "d/e"], ["gone"])
    there = {p.relative_to(place).as_posix(): p for p in place.rglob("*") if p.is_file()}
    texts = {name: file.read_text() for name, file in there.items()}
    assert texts == {"a": "new", "b/c": "new", "d/e": "new", "same": "old"}


def test_a_killed_exchange_of_files_is_completed(tmp_path: Path) -> None:
    """A process is killed after any number of renames; whoever builds next does the rest."""
    names = ["a", "b", "c/d"]
    for renames in range(len(names) + 2):
        place = tmp_path / str(renames) / "site"
        new = place.with_name(".site.building-1-0")
        for folder, text in ((place, "old"), (new, "new")):
            for name in names:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text)
        (place / "gone").mkdir()
        (place / "gone" / "e").write_text("old")
        before = contents(place)
        child = os.fork()
        if child == 0:
            killed_after(renames)
            put_in_place(place, new, names, ["gone/e"])
            os._exit(0)
        os.waitpid(child, 0)
        begun = renames > 0  # the first one makes the journal
        assert (new / ".journal").exists() == (0 < renames <= len(names))
        finish_interrupted(place)
        assert contents(place) == (dict.fromkeys(names, "new") if begun else before)
        assert (place / "gone").exists() != begun


_ELSEWHERE = {
    "a file to remove above": {"changed": [], "gone": ["../kept"]},
    "a file to remove by its whole path": {"changed": [], "gone": ["{tmp}/kept"]},
    "a file to remove behind a link": {"changed": [], "gone": ["linked/kept"]},
    "a file to write behind a link": {"changed": ["linked/new"], "gone": []},
    "a link to move": {"changed": ["link"], "gone": []},
    "the folder itself": {"changed": [], "gone": ["a/.."]},
    "no path": {"changed": [], "gone": [1]},
    "no lists": {"changed": None, "gone": None},
    "other keys": {},
    "no mapping": [],
}


@pytest.mark.parametrize("what", _ELSEWHERE)
def test_a_journal_that_leads_elsewhere_is_not_followed(what: str, tmp_path: Path) -> None:
    """A pull request can bring such a folder and its journal."""
    elsewhere = tmp_path / "elsewhere"
    place, new = tmp_path / "site", tmp_path / ".site.building-1-0"
    for folder in (elsewhere, place, new / "linked"):
        folder.mkdir(parents=True)
    (place / "linked").symlink_to(elsewhere)
    (new / "link").symlink_to(elsewhere)
    for file in (tmp_path / "kept", elsewhere / "kept", new / "linked" / "new"):
        file.write_text("text")
    journal = json.dumps(_ELSEWHERE[what]).replace("{tmp}", str(tmp_path))
    (new / ".journal").write_text(journal)
    before = tree(tmp_path)
    finish_interrupted(place)
    assert tree(tmp_path) == before


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\udcff"])
def test_a_journal_that_cannot_be_read_stops_nobody(text: str, tmp_path: Path) -> None:
    place, new = tmp_path / "site", tmp_path / ".site.building-1-0"
    place.mkdir()
    new.mkdir()
    (new / ".journal").write_bytes(text.encode(errors="surrogateescape"))
    finish_interrupted(place)


def contents(folder: Path) -> dict[str, str]:
    return {
        p.relative_to(folder).as_posix(): p.read_text() for p in folder.rglob("?") if p.is_file()
    }


def killed_after(renames: int) -> None:
    """Let this process be killed when it renames a file once more."""
    left = [None] * renames
    plainly = os.replace

    def rename(source: Path | str, target: Path | str) -> None:
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        left.pop()
        plainly(source, target)

    os.replace = rename  # type: ignore[assignment]
