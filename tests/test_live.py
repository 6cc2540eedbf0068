"""Reading again from memory gives what reading anew gives, also where a folder has gone."""

from __future__ import annotations

import shutil
from pathlib import Path

from perfnotes.read.folder import read_library
from perfnotes.read.memo import Memo
from perfnotes.serve.live import Live


def test_a_topic_goes_with_its_folder(tmp_path: Path) -> None:
    for topic in ("one", "two"):
        (tmp_path / topic).mkdir()
        (tmp_path / topic / "a.md").write_text("# A\n\nWords.\n", "utf-8")
        (tmp_path / topic / "b.md").write_text("# B\n\nWords.\n", "utf-8")
    memo = Live(Memo())
    assert set(read_library(tmp_path, "notes", memo).topics) == {"one", "two"}
    shutil.rmtree(tmp_path / "two")
    assert set(read_library(tmp_path, "notes", memo).topics) == {"one"}
