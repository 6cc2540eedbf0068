"""A process that makes pages, begun before anybody knows which.

Reading the settings and loading the engine takes as long as all the rest of a build after an edit,
so it is begun first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfnotes.build.process_pool import ProcessPool, cores
from perfnotes.storage.cache import Store

if TYPE_CHECKING:
    from perfnotes.build.messages import Published, ToPublish
    from perfnotes.build.publish import Publisher

    Pagemakers = ProcessPool[ToPublish, tuple[bytes, Published]]


def pagemakers(
    configure: Callable[[], Any], store: Store, texts: Sequence[Path] = ()
) -> Pagemakers:
    """A crew of one process that makes pages; ``configure`` reads the settings.

    While it has nothing to do it converts ``texts``, which loads what their pages will need.
    """
    maker = _Maker(configure, store, texts)
    return ProcessPool(maker.make, min(2, cores()), maker.begin)


class _Maker:
    def __init__(self, configure: Callable[[], Any], store: Store, texts: Sequence[Path]) -> None:
        self._configure, self._store, self._texts = configure, store, texts
        self._publisher: Publisher | None = None

    def begin(self) -> Publisher:
        if self._publisher is None:
            from perfnotes.build.publish import Publisher  # noqa: PLC0415
            from perfnotes.build.templates import environment  # noqa: PLC0415

            config = self._configure()
            env = environment(config, self._store.objects("templates"))
            self._publisher = Publisher(config, env, Path())
            for text in self._texts:
                self._publisher.warm_up(text)
        return self._publisher

    def make(self, page: ToPublish) -> tuple[bytes, Published]:
        return self.begin().made(page)
