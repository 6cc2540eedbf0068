"""Pictures of changed pages before and after, taken in a browser.

Both sides are built with the present program and theme, so that the pictures differ only where the
notes do. No code of the revisions runs. The browser is offline and opens the sites as files.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from perfnotes.graph.site import Site
from perfnotes.review.entry import ReportEntry, ReportPart, ReviewReport, line
from perfnotes.review.pair import PagePair, PageText, Pair
from perfnotes.review.revision import RevisionError
from perfnotes.review.side import Side
from perfnotes.storage.temporary import temporary_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_WINDOWS = {"desktop": (1280, 900), "phone": (390, 844)}
_TALLEST = 4000  # pixels; a taller page is cut
_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def with_pictures(
    report: ReviewReport, pair: Pair, root: Path, folder: Path, most: int
) -> ReviewReport:
    """Write pictures of the first ``most`` changed pages to ``folder``.

    ``root`` is the project's folder, whose theme and settings both sites are built with.
    Returns the report with one more part that lists them. A side whose notes have errors cannot be
    built: the part says so, and has no pictures of that side. Raises ``RevisionError`` if there is
    no browser.
    """
    changed = [p for p in pair.pages if _urls(pair, p) and not p.is_same]
    with _browser() as browser, temporary_folder() as scratch:
        entries: list[ReportEntry] = []
        sites: dict[str, Path] = {}
        for when, side in {"before": pair.before, "after": pair.after}.items() if changed else ():
            try:
                sites[when] = _built(side, root, scratch / when)
            except RevisionError as error:
                entries.append(ReportEntry("no pictures", line("{}", str(error))))
        folder.mkdir(parents=True, exist_ok=True)
        for page in changed[:most]:
            names = []
            for when, url in _urls(pair, page).items():
                if when in sites:
                    file = sites[when] / url / "index.html"
                    names += _shoot(browser, file, folder, f"{_slug(page.name)}-{when}")
            details = tuple(line("{}", name) for name in names)
            entries.append(ReportEntry("pictures", line("{}", page.name), details, page.path))
    left = len(changed) - len(changed[:most])
    summary = line("pages with pictures {}, without {}", len(changed) - left, left)
    part = ReportPart("pictures", "Pictures", tuple(entries), summary)
    return replace(report, parts=(*report.parts, part))


def _urls(pair: Pair, page: PagePair) -> dict[str, str]:
    """Return the page's address in the site of each side that has it.

    The result is empty for a text without a page of its own, such as an annotation.
    """
    both = {"before": (pair.old, page.old), "after": (pair.new, page.new)}
    found = {when: _url(site, one) for when, (site, one) in both.items() if one}
    return {when: url for when, url in found.items() if url is not None}


def _url(site: Site, page: PageText) -> str | None:
    text, library = page.text, site.library
    if text.kind == "note":
        return site.addresses.note(library.notes[text.id], text.lang)
    if text.kind == "page":
        return library.pages[text.id, text.lang].url
    return None


def _built(side: Side, root: Path, folder: Path) -> Path:
    """Build a side's notes and pages with the present program and theme.

    Returns the site's folder. Raises ``RevisionError`` with the build's first error if it fails.
    """
    project = folder / "project"
    shutil.copytree(side.root / "notes", project / "notes", symlinks=True)
    shutil.copytree(side.root / "docs", project / "docs", symlinks=True)
    (project / "tools").symlink_to(root / "tools")
    shutil.copyfile(root / "mkdocs.yml", project / "mkdocs.yml")
    (project / "build/stage").mkdir(parents=True)
    command = [sys.executable, "-m", "perfnotes", "build", "--quiet", "--site", str(folder / "out")]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run(command, cwd=project, env=env, capture_output=True, check=False)
    if done.returncode:
        why = (done.stderr.decode("utf-8", "replace").strip() or "it says nothing").splitlines()
        raise RevisionError(f"the site of {side.name} cannot be built: {why[0]}")
    return folder / "out"


@contextmanager
def _browser() -> Iterator[Browser]:
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415
    except ImportError:
        raise RevisionError(
            "pictures need Playwright, which `make env-dev` installs; without --screenshots "
            "it is not needed"
        ) from None
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        except Error as error:
            why = str(error).splitlines()[0]
            raise RevisionError(
                f"pictures need a Chromium: set CHROMIUM to the path of one ({why})"
            ) from None
        yield browser
        browser.close()


def _shoot(browser: Browser, file: Path, folder: Path, name: str) -> list[str]:
    """Take a picture of the page at each window size; return the names of the files."""
    names = []
    for window, (width, height) in _WINDOWS.items():
        context = browser.new_context(
            viewport={"width": width, "height": height}, offline=True, reduced_motion="reduce"
        )
        page = context.new_page()
        page.goto(file.as_uri(), wait_until="load")
        tall = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": width, "height": min(max(tall, height), _TALLEST)})
        page.screenshot(path=folder / f"{name}-{window}.png")
        names.append(f"{name}-{window}.png")
        context.close()
    return names


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:100]
