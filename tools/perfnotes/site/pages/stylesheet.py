"""The style sheets of every page: Material's without the rules that no page can use, and ours.

Material's stands at its own address. A staged file takes the place of the theme's file of the same
address, so every engine that copies the staged tree ships this one. Ours is one file made of that
for pages and that for the search, because each file of a page costs a request.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from perfnotes.graph.site import Site


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    # Templates and style sheets are parsed by libraries that only a build has to load.
    from perfnotes.site.possible_names import (  # noqa: PLC0415
        material_templates,
        possible_names,
        sources,
    )
    from perfnotes.site.stylesheet import own_sheet, usable_rules  # noqa: PLC0415

    yield "assets/perfnotes/site.css", own_sheet().encode()
    material = material_templates()
    themes = [*map(Path, site.settings.themes), material]
    templates = sorted(file for theme in themes[:-1] for file in theme.rglob("*.html"))
    for sheet in sorted((material / "assets/stylesheets").glob("main.*.css")):

        def make(sheet: Path = sheet) -> str:
            return usable_rules(sheet.read_text("utf-8"), possible_names(themes))

        text = site.memo.of(make, [sheet, *templates, *sources(themes)], "style sheet")
        yield sheet.relative_to(material).as_posix(), text.encode()
