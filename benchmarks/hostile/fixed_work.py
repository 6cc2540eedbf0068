"""What a build does alike for every note, done once before the forks that are measured."""

from __future__ import annotations

import functools
import gc
from unittest import mock

from benchmarks.hostile import shapes
from jinja2 import Environment

from perfnotes.build.page_settings import PageSettings
from perfnotes.build.templates import environment
from perfnotes.site import scripts, theme_files
from perfnotes.storage.store import Store


def share_fixed_work() -> None:
    """Does in this process what takes a third of a second and is the same for every shape.

    That is the templates, the theme's files, and the start of another process.
    """
    made: list[Environment] = []

    def shared(settings: PageSettings, store: Store) -> Environment:
        if not made:
            made.append(environment(settings, store))
        return made[0]

    mock.patch("perfnotes.build.build.environment", shared).start()
    mock.patch("perfnotes.build.build.cores", return_value=1).start()
    mock.patch("perfnotes.build.static._of_theme", return_value=()).start()
    sheet = functools.cache(theme_files.compact_sheet)
    script = functools.cache(scripts.search_script)
    for place in ("site.theme_files", "site.pages.results", "site.scripts"):
        mock.patch(f"perfnotes.{place}.compact_sheet", sheet).start()
    mock.patch("perfnotes.site.pages.results.search_script", script).start()
    shapes.warm_up()
    gc.unfreeze()  # else each fork would search all modules for what can be freed
