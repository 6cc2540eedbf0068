"""Blocks of code: the row above them, what is copied, highlighted lines, notes on lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, expect

from perfnotes.checks._examples import FOLDER, LAB
from perfnotes.site.render.body import body_renderer
from tests.browser import opened, served
from tests.example_notes import read_site, write_notes
from tests.opened_notes import BELOW
from tests.opened_notes import CODE as NOTE


@pytest.fixture(scope="module")
def site(built_for_browsers: Path) -> Iterator[str]:
    with served(built_for_browsers, BELOW) as base:
        yield base


def _copied(browser: Browser, site: str, number: int, name: str) -> object:
    with opened(browser, site) as (tab, _):
        tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
        tab.goto(NOTE)
        button = tab.locator(".pn-code-bar button").nth(number)
        expect(button).to_have_text(name)
        button.click()
        expect(button).to_have_text("Copied")
        return tab.evaluate("navigator.clipboard.readText()")


@pytest.mark.slow
def test_code_is_copied_without_marks(browser: Browser, site: str) -> None:
    code = "for (size_t i = 0; i < n; i++)\n    sum += a[i];\nsum /= n;"
    assert _copied(browser, site, 0, "Copy") == code


@pytest.mark.slow
def test_a_session_gives_its_commands(browser: Browser, site: str) -> None:
    commands = 'cat lines.txt\nfor i in 1 2; do\n  echo "$i"\ndone\nwc -l \\\n    lines.txt'
    assert _copied(browser, site, 1, "Copy commands") == commands


@pytest.mark.slow
def test_output_without_a_prompt_is_copied_whole(browser: Browser, site: str) -> None:
    assert _copied(browser, site, 2, "Copy") == "total 3"


@pytest.mark.slow
@pytest.mark.parametrize("width", [1440, 390])
def test_the_row_names_file_and_language_and_covers_no_code(
    browser: Browser, site: str, width: int
) -> None:
    with opened(browser, site, width=width) as (tab, _):
        tab.goto(NOTE)
        boxes = tab.locator(".highlight")
        rows = boxes.locator("> pre ~ .pn-code-bar")  # before the code, it would be styled twice
        expect(boxes.nth(0).locator("> .filename")).to_have_text("sum.c")
        expect(rows.nth(0)).to_have_text("CCopy")
        expect(rows.nth(1)).to_have_text("TerminalCopy commands")
        name, beside = (boxes.nth(0).locator(each) for each in ("> .filename", "> .pn-code-bar"))
        assert _box(name)["x"] + _box(name)["width"] <= _box(beside)["x"] + 1
        for above in (name, *(rows.nth(number) for number in range(4))):
            row, code = _box(above), _box(above.locator("xpath=../pre"))
            assert row["y"] + row["height"] <= code["y"] + 1


def _box(element: Locator) -> FloatRect:
    box = element.bounding_box()
    assert box
    return box


@pytest.mark.slow
def test_a_mark_leads_to_its_note(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(NOTE)
        marks = tab.locator(".pn-line-mark")
        expect(marks).to_have_text(["1", "2"])
        marks.nth(1).click()
        assert tab.evaluate("document.querySelector(':target').textContent") == "A mean."
        expect(tab.locator(".hll")).to_have_text("    sum += a[i];    1")
        expect(tab.locator("code", has_text="print(")).to_contain_text("# (1)!")


@pytest.mark.slow
def test_the_file_stands_above_the_code_without_scripts(browser: Browser, site: str) -> None:
    with opened(browser, site, script=False) as (tab, _):
        tab.goto(NOTE)
        expect(tab.locator(".highlight .filename")).to_have_text("sum.c")
        expect(tab.get_by_text("// (1)!")).to_be_visible()


def test_a_part_of_a_lab_names_its_file(tmp_path: Path) -> None:
    part = "rows = 16\n\n    print(rows)"
    program = f"import sys\n{part}\n"
    text = f"```python\n{part}\n```\n\n```python\n{part}\nx = 1\n```\n\n```text\n{part}\n```\n"
    note = f"{FOLDER.removesuffix('/lab')}/index.md"
    notes = {note: text, f"{FOLDER}/lab.yml": LAB, f"{FOLDER}/steps.py": program}
    site = read_site(write_notes(tmp_path / "notes", notes))
    links = next(each for each in site.graph.links.values() if each.text.id == "caches/steps")
    staged = body_renderer(site, "en").render(links, "caches/steps/").staged
    assert staged.count("title=") == 1
    assert staged.startswith('```python title="steps.py"\n')
