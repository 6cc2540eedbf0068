"""``perfnotes check``: all findings of a project's notes, without making a page.

The findings are stored under the hash of everything that was read, so a second check of the same
files answers at once. If settings come from elsewhere than ``mkdocs.yml``, MkDocs reads them
before. After an edit everything is linked and checked again, but HTML that was judged before is not
judged again. With an empty cache the findings are the same.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import astuple

from perfnotes.build.page_settings import (
    Configure,
    KnownPageSettings,
    PageSettings,
    comes_from_elsewhere,
    digest_of_settings,
    site_address,
)
from perfnotes.source.inputs import Inputs, file_content, folder_digest, inputs_of
from perfnotes.source.read.walk import is_vault
from perfnotes.storage.digests import digest, program_digest
from perfnotes.storage.garbage_collection import without_garbage_collection
from perfnotes.storage.store import FOLDER, Store
from perfnotes.text.findings import Finding, Severity

if TYPE_CHECKING:
    from perfnotes.build.markdown import MarkdownEngine


class CheckedProject(Struct, frozen=True):
    """The project at ``root``, where ``mkdocs.yml`` is; ``notes`` is a folder to check instead."""

    root: Path
    notes: Path | None = None

    @property
    def folder(self) -> Path:
        """The folder of notes that is checked."""
        return self.root / "notes" if self.notes is None else self.notes

    def inputs(self, *others: str) -> Inputs:
        """Hash everything that the findings depend on, and ``others``, which the caller adds."""
        vault = self.notes is not None and is_vault(self.notes)
        parts = [program_digest(), str(self.notes is None), str(vault)]
        if self.notes is None:
            docs = self.root / "docs"
            parts.append(folder_digest(docs, shown_as(docs)))
        settings = file_content(self.root / "mkdocs.yml")
        return inputs_of(self.folder, shown_as(self.folder), *parts, settings, *others)


def shown_as(folder: Path) -> str:
    """Return the folder as findings name it: relative to the working folder, if it lies there."""
    try:
        return folder.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return folder.as_posix()


def check(project: CheckedProject, configure: Configure, *, cached: bool = True) -> list[Finding]:
    """Return all findings, sorted by file and line. Without ``cached`` the store is not used."""
    store = Store(project.root / FOLDER if cached else None)
    settings = _ProjectSettings(project.root, configure, store)
    if not settings.digest:
        store = Store(None)
    answers = store.section("answers")
    key = project.inputs(settings.digest).whole
    rows = answers.get(key)
    if rows is not None:
        return [_finding(row) for row in rows]
    with without_garbage_collection():
        findings = _examine(project, settings, store)
    # If a file changed meanwhile, the findings belong neither to the old files nor to the new ones.
    # A day that is in the future is one only until it comes.
    lasting = all(finding.code != "PN221" for finding in findings)
    if lasting and project.inputs(settings.digest).whole == key:
        answers.put(key, [astuple(f) for f in findings])
    store.save()
    return findings


def _finding(row: list[Any]) -> Finding:
    path, line, column, code, message, hint, severity = row
    return Finding(path, line, column, code, message, hint, Severity(severity))


def _examine(project: CheckedProject, settings: _ProjectSettings, store: Store) -> list[Finding]:
    # Imported late, because stored findings need none of these modules.
    from perfnotes.build.text_checks import examine_texts  # noqa: PLC0415
    from perfnotes.checks import examine, grade  # noqa: PLC0415
    from perfnotes.graph.graph import link  # noqa: PLC0415
    from perfnotes.graph.site import Settings, Site  # noqa: PLC0415
    from perfnotes.site.page_addresses import address_problems  # noqa: PLC0415
    from perfnotes.source.read.folder import read_library  # noqa: PLC0415
    from perfnotes.source.read.memo import Remembering  # noqa: PLC0415
    from perfnotes.source.read.site import read_site_pages  # noqa: PLC0415

    memo = Remembering(store, "read")
    library = read_library(
        project.folder, shown_as(project.folder), memo, own=project.notes is None
    )
    if project.notes is None:
        docs = project.root / "docs"
        read_site_pages(library, docs, shown_as(docs), memo)
    site = Site(link(library), Settings(settings.site_name), memo=memo)
    found = {*examine(site), *grade(address_problems(site), library)}
    found.update(examine_texts(site, settings.engine, settings.digest, store.section("judged")))
    return sorted(found)


def public_address(project: CheckedProject, configure: Configure) -> str:
    """Return the ``site_url`` of ``mkdocs.yml`` with a slash at its end, or an empty string."""
    store = Store(project.root / FOLDER)
    address = _ProjectSettings(project.root, configure, store).address
    store.save()
    return address


class _ProjectSettings:
    """The settings of ``mkdocs.yml`` that a check needs. They are read when first asked for."""

    def __init__(self, root: Path, configure: Configure, store: Store) -> None:
        self._text = file_content(root / "mkdocs.yml")
        self._configure, self._known = configure, KnownPageSettings(store, root, {})

    @cached_property
    def digest(self) -> str:
        """A digest of all settings, or "" if there is none.

        Settings that come from the environment or from another file are read for it. They have no
        digest if they hold functions.
        """
        if not comes_from_elsewhere(self._text):
            return digest(program_digest(), self._text)
        read = digest_of_settings(self._settings)
        return digest(program_digest(), self._text, read) if read else ""

    @property
    def site_name(self) -> str:
        return self._settings.site_name

    @property
    def address(self) -> str:
        """The ``site_url`` with a slash at its end, or an empty string."""
        return site_address(self._settings.site_url)

    def engine(self) -> MarkdownEngine:
        from perfnotes.build.markdown import MarkdownEngine  # noqa: PLC0415

        return MarkdownEngine(self._settings.markdown_extensions, self._settings.mdx_configs)

    @cached_property
    def _settings(self) -> PageSettings:
        return self._known.read(self._configure)
