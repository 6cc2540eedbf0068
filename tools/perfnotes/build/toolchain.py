"""One hash of everything that turns a staged file into a page: settings, templates and tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from perfnotes.build.page_settings import comes_from_elsewhere
from perfnotes.build.settings import own_themes
from perfnotes.source.inputs import file_content, folder_digest
from perfnotes.storage.digests import digest, program_digest


def toolchain_digest(config: Any) -> str:
    """Return the hash, or "" if some settings come from elsewhere than ``mkdocs.yml``."""
    file = Path(config["config_file_path"])
    text = file_content(file)
    if comes_from_elsewhere(text):
        return ""
    # A command may replace these settings of the file.
    given = [str(config[name]) for name in ("site_name", "site_url", "repo_url", "edit_uri")]
    # Without the folders' paths, so that a project that was moved or copied keeps its pages.
    themes = (folder_digest(Path(folder), "theme") for folder in own_themes(config))
    return digest(program_digest(), text, *given, *themes)
