"""Material's style sheet at its own address, without the rules that no page can use.

A staged file takes the place of the theme's file of the same address. So every engine that copies
the staged tree ships this one, and the addresses on the pages are Material's.
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
    from perfnotes.site.stylesheet import usable_rules  # noqa: PLC0415

    material = material_templates()
    themes = [*map(Path, site.settings.themes), material]
    templates = sorted(file for theme in themes[:-1] for file in theme.rglob("*.html"))
    for sheet in sorted((material / "assets/stylesheets").glob("main.*.css")):

        def make(sheet: Path = sheet) -> str:
            return usable_rules(sheet.read_text("utf-8"), possible_names(themes))

        text = site.memo.of(make, [sheet, *templates, *sources(themes)], "style sheet")
        yield sheet.relative_to(material).as_posix(), text.encode()
