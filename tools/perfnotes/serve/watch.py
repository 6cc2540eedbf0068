"""Watches files and folders, and tells which files people have changed."""

from __future__ import annotations

import queue
from collections.abc import Iterable
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

_CHANGES = ("created", "modified", "deleted", "moved", "closed")


class Watch(FileSystemEventHandler):
    """Puts the path of each changed file below ``folders``, or in ``files``, into ``changed``."""

    def __init__(
        self, changed: queue.SimpleQueue[object], folders: Iterable[Path], files: Iterable[Path]
    ) -> None:
        self._changed = changed
        self._folders = [folder.resolve() for folder in folders]
        self._files = {file.resolve() for file in files}
        self._observer = Observer()
        for folder in self._folders:
            self._observer.schedule(self, str(folder), recursive=True)
        for folder in {file.parent for file in self._files}:
            self._observer.schedule(self, str(folder))

    def start(self) -> None:
        self._observer.start()

    def stop(self) -> None:
        self._observer.stop()
        self._observer.join()

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type not in _CHANGES or (
            event.is_directory and event.event_type == "modified"
        ):
            return
        for name in (event.src_path, event.dest_path):
            path = Path(str(name)) if name else None
            if path and self._is_watched(path):
                self._changed.put(path)

    def _is_watched(self, path: Path) -> bool:
        """Whether a build may read the file. It reads no hidden ones, which editors write."""
        if path in self._files:
            return True
        for folder in self._folders:
            if folder in path.parents:
                return not any(part.startswith(".") for part in path.relative_to(folder).parts)
        return False
