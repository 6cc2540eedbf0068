"""The settings that a page's bytes depend on, kept in the cache.

When MkDocs reads ``mkdocs.yml``, it loads every extension to check the settings, which takes long
beside a build after an edit. So a whole build keeps what pages need, and an edit reads that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, ValidationError, convert, to_builtins

from perfnotes.source.inputs import file_content
from perfnotes.storage.digests import digest, program_digest
from perfnotes.storage.store import Store

Configure = Callable[[], Any]  # reads MkDocs' configuration, which takes long
_PLACES = ("docs_dir", "site_dir")  # settings that say where files are; no page depends on them
_ELSEWHERE = (b"!ENV", b"INHERIT")  # signs of settings that come from elsewhere than the file


def comes_from_elsewhere(text: bytes) -> bool:
    """Whether a ``mkdocs.yml`` takes settings from the environment or from another file.

    Its text then does not tell what the settings are, so nothing is kept under a hash of it.
    """
    return any(sign in text for sign in _ELSEWHERE)


class ThemeSettings(Struct, frozen=True, kw_only=True):
    """What the templates see of the theme, and the folders where they are, the first one first."""

    folders: list[str]
    language: str | None
    direction: str | None
    favicon: str | None
    palette: Any


class PageSettings(Struct, frozen=True, kw_only=True):
    """The settings by the names that MkDocs gives them: the templates see them as ``config``."""

    site_name: str
    site_description: str | None
    site_url: str | None
    repo_url: str | None
    repo_name: str | None
    # The line below each page.
    copyright: str | None
    # The part of the setting ``extra`` that our templates read.
    extra: dict[str, dict[str, str]]
    extra_css: list[str]
    theme: ThemeSettings
    markdown_extensions: list[str]
    mdx_configs: dict[str, Any]


def page_settings(config: Any) -> PageSettings:
    """Return the settings of pages from MkDocs' configuration."""
    theme = config.theme
    return PageSettings(
        site_name=config.site_name,
        site_description=config.site_description,
        site_url=config.site_url,
        repo_url=config.repo_url,
        repo_name=config.repo_name,
        copyright=config.copyright,
        extra={"perfnotes": _chinese_copyright(config)},
        extra_css=[str(path) for path in config.extra_css],
        theme=ThemeSettings(
            folders=list(theme.dirs),
            language=theme.get("language"),
            direction=theme.get("direction"),
            favicon=theme.get("favicon"),
            palette=theme.get("palette"),
        ),
        markdown_extensions=list(config.markdown_extensions),
        mdx_configs=dict(config.mdx_configs),
    )


def _chinese_copyright(config: Any) -> dict[str, str]:
    given = (config.extra or {}).get("perfnotes")
    line = given.get("copyright_zh") if isinstance(given, dict) else None
    return {"copyright_zh": line} if isinstance(line, str) else {}


def site_address(setting: str | None) -> str:
    """Return the ``site_url`` of ``mkdocs.yml`` with a slash at its end, or an empty string."""
    address = (setting or "").strip()
    return f"{address.rstrip('/')}/" if address else ""


class KnownPageSettings:
    """Reads the settings of pages from the store, or from MkDocs, for the project at ``root``.

    ``overrides`` are settings that a command gives in the place of those in ``mkdocs.yml``.
    """

    def __init__(self, store: Store, root: Path, overrides: Mapping[str, str]) -> None:
        self._section = store.section("settings")
        given = sorted(f"{name}={to}" for name, to in overrides.items() if name not in _PLACES)
        text = file_content(root / "mkdocs.yml")
        self._can_store = not comes_from_elsewhere(text)
        # The root belongs to the key, since the folders of the theme are absolute paths.
        self._key = digest(program_digest(), str(root), text, *given)

    def read(self, configure: Configure) -> PageSettings:
        """Return the settings from the store, or else from MkDocs' configuration."""
        try:
            return convert(self._section.get(self._key), PageSettings)
        except ValidationError:  # there are none, or an earlier version of the program wrote them
            return self.keep(configure())

    def keep(self, config: Any) -> PageSettings:
        """Store the settings and return them.

        Settings that hold functions or do not come from ``mkdocs.yml`` alone are not stored.
        """
        settings = page_settings(config)
        data = _as_json(settings) if self._can_store else None
        if data:
            self._section.put(self._key, data)
        return settings


def digest_of_settings(settings: PageSettings) -> str:
    """Return a digest of the settings as MkDocs read them; "" if they hold functions."""
    data = _as_json(settings)
    return digest(json.dumps(data, sort_keys=True)) if data else ""


def _as_json(settings: PageSettings) -> dict[str, Any] | None:
    """Return the settings as JSON has them, or None if they hold something that JSON cannot."""
    try:
        data: dict[str, Any] = to_builtins(settings)
        return data if json.loads(json.dumps(data)) == data else None
    except (TypeError, ValueError):
        return None
