"""What turns a staged file into a page, as one hash: settings, templates and tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from perfnotes.build.settings import own_themes
from perfnotes.source.inputs import file_content, folder_digest
from perfnotes.storage.digests import digest, tool

_ELSEWHERE = (b"!ENV", b"INHERIT")  # settings that come from somewhere else than the file


def maker(config: Any) -> str:
    """A hash of what turns a staged file into a page; nothing where that cannot be told."""
    file = Path(config["config_file_path"])
    text = file_content(file)
    if any(sign in text for sign in _ELSEWHERE):
        return ""
    # What a command puts in the place of the file's own settings.
    given = [str(config[name]) for name in ("site_name", "site_url", "repo_url", "edit_uri")]
    # Wherever they lie: a project that was moved or copied keeps its pages.
    themes = (folder_digest(Path(folder), "theme") for folder in own_themes(config))
    return digest(tool(), text, *given, *themes)
