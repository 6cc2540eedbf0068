"""The style sheets: Material's without the rules that no page can use, and ours.

Material's sheet keeps its address. A staged file takes the place of the theme's file of the same
address, so every engine that copies the staged tree ships ours. Beside it is the sheet that most
pages ask for, without the rules for elements that few texts hold (``site/rare_rules.py``). Our own
style sheets have no comments.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from perfnotes.graph.site import Site
from perfnotes.site.theme_files import style_sheets
from perfnotes.source.inputs import file_content
from perfnotes.storage.digests import digest

FILES_SHOW: frozenset[str] = frozenset()


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    # Templates and style sheets are parsed by libraries that only a build has to load.
    from perfnotes.site.possible_names import material_templates, sources  # noqa: PLC0415

    for address, text in style_sheets():
        yield address, text.encode()
    material = material_templates()
    themes = [*map(Path, site.settings.themes), material]
    templates = sorted(file for theme in themes[:-1] for file in theme.rglob("*.html"))
    for sheet in sorted((material / "assets/stylesheets").glob("main.*.css")):
        inputs = [sheet, *templates, *sources(themes)]

        def make(sheet: Path = sheet, inputs: list[Path] = inputs) -> tuple[str, str]:
            return _usable(sheet, tuple(themes), digest(*map(file_content, inputs)))

        whole, short = site.memo.of(make, inputs, "style sheets")
        address = sheet.relative_to(material).as_posix()
        yield address, whole.encode()
        yield address.replace(".min.", ".short."), short.encode()


@lru_cache(maxsize=4)
def _usable(sheet: Path, themes: tuple[Path, ...], contents: str) -> tuple[str, str]:
    """Return the rules of a sheet that pages of the ``themes`` can use, and those of most pages.

    ``contents``, a digest of all files that are read, is a key of the cache: a process may build
    several sites.
    """
    from perfnotes.site.possible_names import possible_names  # noqa: PLC0415
    from perfnotes.site.rare_rules import is_rare  # noqa: PLC0415
    from perfnotes.site.stylesheet import whole_and_short  # noqa: PLC0415

    del contents
    return whole_and_short(sheet.read_text("utf-8"), possible_names(themes), is_rare)
