"""Who is named as the author of a new note."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from perfnotes.model.note import without_mail_addresses
from perfnotes.source.git import GitError, git


def author(root: Path) -> str:
    """Return ``site_author`` of ``mkdocs.yml``, or else the name with which git commits.

    Returns "" if neither is set. Mail addresses are left out, since notes are public.
    """
    given = _site_author(root / "mkdocs.yml") or _git_name(root)
    return next(iter(without_mail_addresses((given,))), "")


def _site_author(file: Path) -> str:
    """Return the setting as MkDocs reads it; "" if the file is broken, which ``build`` tells."""
    from mkdocs.exceptions import ConfigurationError  # takes long to load
    from mkdocs.utils.yaml import yaml_load
    from yaml import YAMLError

    try:
        with file.open("rb") as opened:
            given = yaml_load(opened).get("site_author")
    except (ConfigurationError, YAMLError, AttributeError, OSError, UnicodeError):
        return ""
    return given if isinstance(given, str) and given.isprintable() else ""


def _git_name(root: Path) -> str:
    with suppress(GitError, UnicodeError):
        name = git(root, "config", "--get", "user.name").decode().strip()
        return name if name.isprintable() else ""
    return ""
