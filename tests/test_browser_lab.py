"""A lab's page in a browser: its programs are laid out when they come near."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import opened, served
from tests.example_evidence import LAB as LAB_YML
from tests.example_evidence import PROGRAM
from tests.project import commit, copy_project, perfnotes, run

pytestmark = pytest.mark.slow

LAB = "caches/programs/lab/"
LONG = "".join(f"line {n}\n" for n in range(200))
CODES = "#lab--sources ~ .highlight code"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    notes = {
        "caches/programs/index.md": "---\ntitle: Programs\n---\n\nA lab without results.\n",
        f"{LAB}lab.yml": LAB_YML,
        f"{LAB}ladder.c": PROGRAM,
        f"{LAB}a_long.txt": LONG,
        f"{LAB}a_wide.txt": "wide " * 100 + "\n" + LONG,
        f"{LAB}z_last.txt": LONG,
    }
    project = copy_project(tmp_path_factory.mktemp("lab"), notes=notes)
    commit(project)
    run(project, perfnotes("build", "--quiet"))
    return project / "site"


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with served(folder) as base:
        yield base


def test_a_program_is_reached_by_address_and_by_the_contents(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(LAB)
        last = tab.locator("h3", has_text="z_last.txt")
        name = last.get_attribute("id")
        assert name
        tab.locator(f".pn-toc a[href='#{name}']").first.click()
        expect(last).to_be_in_viewport()
        tab.goto("about:blank")
        tab.goto(f"{LAB}#{name}")
        expect(last).to_be_in_viewport()


def test_the_keyboard_reaches_programs_and_those_seen_only_if_they_scroll(
    browser: Browser, site: str
) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(LAB)
        codes = tab.locator(CODES)
        expect(codes.last).to_have_attribute("tabindex", "0")
        for code in codes.all():
            code.scroll_into_view_if_needed()
        by_name = tab.locator("h3", has_text="a_wide.txt").locator("~ .highlight code").first
        expect(by_name).to_have_attribute("tabindex", "0")
        expect(codes.last).not_to_have_attribute("tabindex", "0")
