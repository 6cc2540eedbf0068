"""A hook of MkDocs that times Material's search plugin and records the source file of each page.

The ``mkdocs.yml`` that ``material.py`` writes loads it; ``extra.measured`` there names the output.
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
    """Wraps the search plugin's methods so that their CPU time is added up."""
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
    """Record the source file of a page's address."""
    del context, config, nav
    _pages[page.url] = page.file.src_uri


def on_post_build(config: Any) -> None:
    """Record where to write. It is too early to write: the search plugin may still be working."""
    _taken["file"] = config.extra["measured"]


def on_shutdown() -> None:
    """Write the CPU seconds and the pages as JSON."""
    if "file" in _taken:
        text = json.dumps({"cpu": _taken["cpu"], "pages": _pages}, ensure_ascii=False)
        Path(str(_taken["file"])).write_text(text, encoding="utf-8")
