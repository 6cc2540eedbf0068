"""The site's settings as ``mkdocs.yml`` gives them, the one place where addresses stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from perfnotes.graph.site import Settings

# For a site without a staged tree: MkDocs wants a folder that is there. Nothing reads or writes it.
NO_DOCS = str(Path(__file__).parent)


def site_settings(config: Any) -> Settings:
    """From MkDocs' configuration."""
    url = (config.get("site_url") or "").strip()
    extra = (config.get("extra") or {}).get("perfnotes") or {}
    return Settings(
        name=config["site_name"],
        description=config.get("site_description") or "",
        url=f"{url.rstrip('/')}/" if url else "",
        repository=(config.get("repo_url") or "").strip().rstrip("/"),
        branch=extra.get("branch", "main"),
    )


def build_settings(config: Any) -> Settings:
    """The same with what only a build needs."""
    return replace(site_settings(config), themes=own_themes(config))


def own_themes(config: Any) -> tuple[str, ...]:
    """The folders of templates that ``mkdocs.yml`` names: the others come with MkDocs' theme."""
    return (config.theme.custom_dir,) if config.theme.custom_dir else ()
