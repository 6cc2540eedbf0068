"""The linked notes after an edit, and names of what differs from the last whole build."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from pathlib import Path

from perfnotes.build.build_record import BuildRecord
from perfnotes.build.session import Session
from perfnotes.graph.graph import link
from perfnotes.graph.site import Site
from perfnotes.site.changes import changed_values, names_between, with_summaries
from perfnotes.site.page_addresses import page_addresses
from perfnotes.site.page_plan import BEYOND_TEXTS, Name


class EditedNotes:
    """The notes as they are now, and what differs in them from the whole build ``before``.

    ``files`` are the paths, below the folder ``notes``, of the files that differ, or None if
    something else may differ too. ``session`` reads the notes of the project at ``root``.
    """

    def __init__(
        self,
        before: BuildRecord,
        session: Session,
        root: Path,
        notes: Path,
        files: Collection[str] | None,
    ) -> None:
        self.before = before
        self._session, self._root, self._notes = session, root, notes
        self._changed_files = files
        # Whether everything that changed is in the library, so that comparing two libraries finds
        # it. Of a figure that was not read, the library has only the name. ``site`` sets this.
        self._is_all_in_library = False

    @cached_property
    def site(self) -> Site:
        """The site as it is now."""
        session, settings = self._session, self.before.summary.settings
        if self._changed_files is None:
            return session.site_of(self._root, settings)
        linked, changed = self.before.linked, [*map(self._notes.joinpath, self._changed_files)]
        session.tell_missing(self.before.summary.missing)
        memo = linked.library_memo
        self._is_all_in_library = memo.has_all(
            self._notes / path
            for path in linked.graph.library.assets.intersection(self._changed_files)
        )
        memo.forget(changed)
        memo.before = session.memo  # answers for what was forgotten
        session.memo = memo
        graph = link(session.library_of(self._root), linked.graph)
        return Site(
            graph, settings, linked.history, session.layouts, coverages_before=linked.coverages
        )

    @cached_property
    def changed(self) -> frozenset[Name] | None:
        """The names of everything that differs; None if every page may differ."""
        return None if self._changed_values is None else with_summaries(self._changed_values)

    @cached_property
    def _changed_values(self) -> dict[Name, str] | None:
        """Digests of what differs, by name; None if every page may differ."""
        now = self.site
        return changed_values(self._site_before, now) if self._is_all_in_library else None

    @cached_property
    def _changed_since_last_build(self) -> frozenset[Name]:
        """The names of what differs from the present site, which the last build made."""
        return names_between(self.before.later.names, self._changed_values or {})

    @cached_property
    def _site_before(self) -> Site:
        """The site of the whole build."""
        linked = self.before.linked
        site = Site(
            linked.graph,
            self.before.summary.settings,
            linked.history,
            self._session.layouts,
            coverages_before=linked.coverages,
        )
        site.reuse_from(self.site)
        return site

    @property
    def _only_texts_differ(self) -> bool:
        """Whether only sentences and numbers of notes differ."""
        return self.changed is not None and BEYOND_TEXTS not in self.changed

    @cached_property
    def addresses(self) -> list[str]:
        """The addresses of all pages, in the order of the build."""
        return list(dict.fromkeys(page.url for page in page_addresses(self.site)))

    @cached_property
    def added(self) -> set[str]:
        """The addresses of the pages that the whole build did not have."""
        return {*self.addresses} - {*self.before.summary.addresses}

    @cached_property
    def gone(self) -> set[str]:
        """The addresses of the pages that only the whole build had."""
        return {*self.before.summary.addresses} - {*self.addresses}
