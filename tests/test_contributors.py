"""Who is credited for a page: names from the history, which are text and never an address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from perfnotes.build.up_to_date import git_state
from perfnotes.model.contributor import shown_name
from perfnotes.source.git import GitError, objects
from perfnotes.source.history import History, read_history
from tests.example_notes import made_pages, read_site, write_notes
from tests.project import commit, git


def as_somebody(name: str, address: str = "x@mail.example") -> Mapping[str, str]:
    return {"GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": address}


def change(folder: Path, file: str, message: str, name: str, address: str = "x@m.example") -> None:
    path = folder / "notes" / file
    path.write_text(path.read_text("utf-8") + "\nMore.\n", "utf-8")
    commit(folder, message, **as_somebody(name, address))


def credited(folder: Path, id: str = "caches/rows", lang: str = "en") -> list[str]:
    site = replace(read_site(folder), history=read_history(folder))
    return site.contributors(site.library.notes[id], lang)


def test_reading_the_history_starts_no_program_of_the_checkout(tmp_path: Path) -> None:
    write_notes(tmp_path, {})
    commit(tmp_path)
    for setting in ("core.fsmonitor", "core.pager", "gpg.program", "diff.external"):
        git(tmp_path, "config", setting, f"touch {tmp_path / 'trap'}; cat")
    history = read_history(tmp_path / "notes")
    assert history.date("caches/rows.md")
    assert history.versions("caches/rows.md")
    assert git_state(tmp_path)
    assert not (tmp_path / "trap").exists()


def test_a_file_has_no_old_texts_if_git_cannot_read_the_folder_any_more(tmp_path: Path) -> None:
    assert History(tmp_path).versions("caches/rows.md") == []


def test_one_git_process_reads_objects_and_tells_which_are_missing(tmp_path: Path) -> None:
    write_notes(tmp_path, {})
    commit(tmp_path)
    file = tmp_path / "notes/caches/rows.md"
    names = ["HEAD:./nothing", "HEAD:./caches/rows.md", "0000:./a b 12"]
    assert objects(file.parents[1], names) == [None, file.read_bytes(), None]
    with pytest.raises(GitError):
        objects(tmp_path, ["HEAD:./a\nb"])


@pytest.mark.slow
def test_contributors_come_from_the_history(tmp_path: Path) -> None:
    front = "---\nauthors: [Grace Hopper]\n---\n\nText.\n"
    write_notes(tmp_path, {"caches/rows.md": front, "caches/rows.zh.md": "文字。\n"})
    (tmp_path / ".mailmap").write_text(
        "Ada Lovelace <ada@mail.example>\nMary <old@m.example>\n", "utf-8"
    )
    commit(tmp_path, **as_somebody("ada", "ada@mail.example"))
    trailer = "Co-authored-by:"
    both = f"Two\n\n{trailer} Someone Else <old@m.example>\n{trailer} Bob"
    change(tmp_path, "caches/rows.md", both, "Zoë\u202e X", "z@m.example")
    change(tmp_path, "caches/rows.md", "Again", "grace hopper")
    change(tmp_path, "caches/rows.md", "Bump", "dependabot[bot]", "1+dependabot[bot]@m.example")
    change(tmp_path, "caches/rows.md", "Mail", "me@m.example", "me@m.example")
    change(tmp_path, "caches/rows.md", "All", "Example contributors")
    change(tmp_path, "caches/rows.zh.md", "Chinese", "王小明")
    names = credited(tmp_path)
    assert names == ["Grace Hopper", "Ada Lovelace", "Bob", "Mary", "Zoë X"]
    assert "@" not in "".join(names)
    assert credited(tmp_path, lang="zh") == [*names, "王小明"]
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{tmp_path}", str(shallow))
    assert credited(shallow) == []


@pytest.mark.slow
def test_who_measured_or_moved_a_note_is_credited(tmp_path: Path) -> None:
    write_notes(tmp_path, {})
    commit(tmp_path, **as_somebody("Ada"))
    result = next((tmp_path / "notes" / "caches" / "steps" / "lab" / "results").iterdir())
    (result.parent / "other-cpu.json").write_text(result.read_text("utf-8"), "utf-8")
    commit(tmp_path, **as_somebody("Grace"))
    (result.parent / "other-cpu.json").unlink()
    (tmp_path / "notes" / "gpu" / "steps").mkdir()
    for file in ("caches/rows.md",):
        text = (tmp_path / "notes" / file).read_text("utf-8")
        text = text.replace("tags:", "aliases: [caches/rows]\ntags:")
        (tmp_path / "notes" / "gpu" / "rows.md").write_text(text, "utf-8")
        (tmp_path / "notes" / file).unlink()
    commit(tmp_path, **as_somebody("Zoë"))
    assert credited(tmp_path, "caches/steps") == ["Ada", "Grace", "Zoë"]
    assert credited(tmp_path, "gpu/rows") == ["Ada", "Zoë"]


def test_a_name_is_cut_and_a_program_has_none() -> None:
    assert len(shown_name("n" * 500, "")) == 60
    assert shown_name("  Ada\t Lovelace\x07 ", "a@m.example") == "Ada Lovelace"
    for name, address in (
        ("renovate[bot]", ""), ("x", "noreply@m.example"), ("x", "no-reply@m.example"),
        ("x", "12+some-bot@m.example"), ("a@m.example", ""), ("", "a@m.example"),
    ):  # fmt: skip
        assert shown_name(name, address) == "", (name, address)
    assert shown_name("Ada", "12+ada@users.noreply.example") == "Ada"


def test_names_on_the_page_are_text(tmp_path: Path) -> None:
    people = {
        "notes/caches/rows.md": {"<img src=x>": -1, **{f"Person {i:02}": i for i in range(40)}}
    }
    site = replace(read_site(write_notes(tmp_path)), history=History(people=people))
    page = next(p for p in made_pages(site) if p.url == "caches/rows/")
    tree = LexborHTMLParser(page.body)
    credit = tree.css_first(".pn-credit")
    assert credit
    said = credit.text()
    assert said.startswith("Contributors: <img src=x>, Person 00, ")
    assert said.endswith("Person 28 and 11 more")
    assert not tree.css("img")
