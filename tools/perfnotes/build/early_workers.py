"""A process that makes pages, started before anybody knows which.

Reading the settings and loading the engine takes as long as all the rest of a build after an edit,
so it is started first.
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

    Pagemakers = ProcessPool[ToPublish, tuple[bytes, Published]]


def pagemakers(configure: Callable[[], Any], store: Store) -> Pagemakers:
    """A pool of one further process that makes pages; ``configure`` reads the settings."""
    maker = _Maker(configure, store)
    return ProcessPool(maker.make, min(2, cores()), maker.begin)


class _Maker:
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
        return self.begin().made(page)
