"""A hook of MkDocs: what Material's search plugin takes of a build, and which page is which.

Loaded by the ``mkdocs.yml`` that ``material.py`` writes; ``extra.measured`` names what to write.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

_taken = {"cpu": 0.0}
_pages: dict[str, str] = {}


def on_config(config: Any) -> None:
    """Put a clock around what the search plugin does."""
    plugin = config.plugins["material/search"]
    for methods in config.plugins.events.values():
        for i, method in enumerate(methods):
            if getattr(method, "__self__", None) is plugin:
                methods[i] = _timed(method)


def _timed(method: Callable[..., Any]) -> Callable[..., Any]:
    def call(*positional: Any, **named: Any) -> Any:
        began = time.process_time()
        try:
            return method(*positional, **named)
        finally:
            _taken["cpu"] += time.process_time() - began

    return call


def on_page_context(context: Any, page: Any, config: Any, nav: Any) -> None:
    """Remember a page's address."""
    del context, config, nav
    _pages[page.url] = page.file.src_uri


def on_post_build(config: Any) -> None:
    """Name the file; the search plugin may still have to write its own."""
    _taken["file"] = config.extra["measured"]


def on_shutdown() -> None:
    """Write what was seen."""
    if "file" in _taken:
        text = json.dumps({"cpu": _taken["cpu"], "pages": _pages}, ensure_ascii=False)
        Path(str(_taken["file"])).write_text(text, encoding="utf-8")
