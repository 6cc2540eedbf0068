"""The site's settings as ``mkdocs.yml`` gives them, the one place where addresses stand."""

from __future__ import annotations

from typing import Any

from perfnotes.site import Settings


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
