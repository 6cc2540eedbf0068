"""The site's settings, from ``mkdocs.yml`` as MkDocs reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from perfnotes.build.page_settings import site_address
from perfnotes.graph.site import Settings

# The ``docs_dir`` of a site without a staged tree: MkDocs wants a folder that exists. Nothing reads
# or writes it.
NO_DOCS = str(Path(__file__).parent)
# Names of folders that say nothing of what is in them.
_COMMON_NAMES = frozenset(
    "book content contents doc docs documentation markdown md notes pages source src text "
    "wiki".split()
)


def build_settings(config: Any) -> Settings:
    """Return the settings that a build needs, from MkDocs' configuration."""
    extra = (config.get("extra") or {}).get("perfnotes") or {}
    return Settings(
        name=config["site_name"],
        description=config.get("site_description") or "",
        url=site_address(config.get("site_url")),
        repository=(config.get("repo_url") or "").strip().rstrip("/"),
        branch=extra.get("branch", "main"),
        themes=own_themes(config),
    )


def own_themes(config: Any) -> tuple[str, ...]:
    """Return the folders of templates that ``mkdocs.yml`` names, without those of MkDocs' theme."""
    return (config.theme.custom_dir,) if config.theme.custom_dir else ()


def foreign_overrides(notes: Path) -> dict[str, str]:
    """Return what replaces settings of ``mkdocs.yml`` for a site of the folder ``notes``."""
    return {
        "docs_dir": NO_DOCS,
        "site_name": name_of_folder(notes.resolve(), Path.home()),
        "site_url": "",
        "repo_url": "",
        "copyright": "",
    }


def name_of_folder(notes: Path, home: Path) -> str:
    """Return the name of the site that is made from a folder of Markdown, an absolute path.

    It is the name of the folder, or of the next one above whose name says more than ``docs`` or
    ``src``. The user's own folder ``home`` names no site.
    """
    for folder in (notes, *notes.parents):
        if folder == home or not folder.name:
            break
        if folder.name.lower() not in _COMMON_NAMES:
            return folder.name
    return notes.name
