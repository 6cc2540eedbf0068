"""The style sheets of every page: Material's without the rules that no page can use, and ours.

Material's stands at its own address. A staged file takes the place of the theme's file of the same
address, so every engine that copies the staged tree ships this one. Ours is one file made of that
for pages and that for the search, because each file of a page costs a request.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from perfnotes.graph.site import Site
from perfnotes.source.inputs import file_content
from perfnotes.storage.digests import digest


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    # Templates and style sheets are parsed by libraries that only a build has to load.
    from perfnotes.site.possible_names import material_templates, sources  # noqa: PLC0415
    from perfnotes.site.stylesheet import own_sheet  # noqa: PLC0415

    yield "assets/perfnotes/site.css", own_sheet().encode()
    material = material_templates()
    themes = [*map(Path, site.settings.themes), material]
    templates = sorted(file for theme in themes[:-1] for file in theme.rglob("*.html"))
    for sheet in sorted((material / "assets/stylesheets").glob("main.*.css")):
        inputs = [sheet, *templates, *sources(themes)]

        def make(sheet: Path = sheet, inputs: list[Path] = inputs) -> str:
            return _usable(sheet, tuple(themes), digest(*map(file_content, inputs)))

        text = site.memo.of(make, inputs, "style sheet")
        yield sheet.relative_to(material).as_posix(), text.encode()


@lru_cache(maxsize=4)
def _usable(sheet: Path, themes: tuple[Path, ...], contents: str) -> str:
    """Return the rules of a sheet that pages of the ``themes`` can use.

    ``contents`` is a digest of all files that this depends on: a process may build several sites.
    """
    from perfnotes.site.possible_names import possible_names  # noqa: PLC0415
    from perfnotes.site.stylesheet import usable_rules  # noqa: PLC0415

    del contents
    return usable_rules(sheet.read_text("utf-8"), possible_names(themes))
