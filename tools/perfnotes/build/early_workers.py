"""A process for pages that is started before a build knows which pages it will make.

Loading the Markdown engine takes long beside all the rest of a build after an edit, so that process
begins with it at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.build.page_settings import Configure, KnownPageSettings
from perfnotes.build.process_pool import ProcessPool, cores
from perfnotes.storage.store import Store

if TYPE_CHECKING:
    from perfnotes.build.messages import Published, ToPublish
    from perfnotes.build.publish import Publisher

    PageWorkers = ProcessPool[ToPublish, tuple[bytes, Published]]


def page_workers(settings: KnownPageSettings, configure: Configure, store: Store) -> PageWorkers:
    """Return a pool with one further process, if there are cores for two.

    ``configure`` reads MkDocs' configuration, if ``settings`` are not stored. The results are a
    page's bytes and what came of it.
    """
    page_maker = _PageMaker(settings, configure, store)
    return ProcessPool(page_maker.make, min(2, cores()), page_maker.begin)


class _PageMaker:
    def __init__(self, settings: KnownPageSettings, configure: Configure, store: Store) -> None:
        self._settings, self._configure, self._store = settings, configure, store
        self._publisher: Publisher | None = None

    def begin(self) -> Publisher:
        """Load the engine, once in each process."""
        if self._publisher is None:
            from perfnotes.build.publish import Publisher  # noqa: PLC0415
            from perfnotes.build.templates import environment  # noqa: PLC0415

            settings = self._settings.read(self._configure)
            env = environment(settings, self._store)
            self._publisher = Publisher(settings, env, Path())
        return self._publisher

    def make(self, page: ToPublish) -> tuple[bytes, Published]:
        return self.begin().render(page)
