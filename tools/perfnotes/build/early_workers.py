"""A process for pages that is started before a build knows which pages it will make.

Reading the settings and loading the Markdown engine takes as long as all the rest of a build after
an edit, so that process begins with it at once.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfnotes.build.process_pool import ProcessPool, cores
from perfnotes.storage.store import Store

if TYPE_CHECKING:
    from perfnotes.build.messages import Published, ToPublish
    from perfnotes.build.publish import Publisher

    PageWorkers = ProcessPool[ToPublish, tuple[bytes, Published]]


def page_workers(configure: Callable[[], Any], store: Store) -> PageWorkers:
    """Return a pool with one further process, if there are cores for two.

    ``configure`` reads MkDocs' configuration. The results are a page's bytes and what came of it.
    """
    page_maker = _PageMaker(configure, store)
    return ProcessPool(page_maker.make, min(2, cores()), page_maker.begin)


class _PageMaker:
    def __init__(self, configure: Callable[[], Any], store: Store) -> None:
        self._configure, self._store = configure, store
        self._publisher: Publisher | None = None

    def begin(self) -> Publisher:
        """Load the engine, once in each process."""
        if self._publisher is None:
            from perfnotes.build.publish import Publisher  # noqa: PLC0415
            from perfnotes.build.templates import environment  # noqa: PLC0415

            config = self._configure()
            env = environment(config, self._store)
            self._publisher = Publisher(config, env, Path())
        return self._publisher

    def make(self, page: ToPublish) -> tuple[bytes, Published]:
        return self.begin().render(page)
