"""Reads ``mkdocs.yml`` by MkDocs itself."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Any

from perfnotes.source.project import UsageError, project_root

_SITE = Path(__file__).parents[1] / "site"
# What a project says of itself. A project without our theme has all other settings from us.
_ITS_OWN = (
    "site_name",
    "site_description",
    "site_author",
    "site_url",
    "repo_url",
    "edit_uri",
    "extra",
    "site_dir",
    "copyright",
)


def configuration(root: Path | None = None, /, **overrides: Any) -> Any:
    """Return MkDocs' configuration of a project, with ``overrides`` in the place of settings.

    ``root`` is the project's folder; without it, ``project_root`` finds one. If its ``mkdocs.yml``
    names no folder of a theme, theme and extensions are those that come with the program. Prints
    MkDocs' warnings. Raises ``UsageError`` if the configuration is broken.
    """
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")  # Material's banner
    from mkdocs.config import load_config  # noqa: PLC0415 - after the variable was set
    from mkdocs.exceptions import Abort, ConfigurationError  # noqa: PLC0415

    file = (root or project_root()) / "mkdocs.yml"
    heard = _MessageCollector()
    log = logging.getLogger("mkdocs")  # the parent of the loggers of all its modules
    log.setLevel(logging.WARNING)
    log.addHandler(heard)
    log.propagate = False
    try:
        found = load_config(str(file), **(_our_settings(file) | overrides))
    except ConfigurationError as error:
        raise UsageError(f"mkdocs.yml: {_one_line(str(error))}") from None
    except Abort:  # MkDocs has logged the reason before
        raise UsageError(f"mkdocs.yml: {_one_line('; '.join(heard.messages))}") from None
    finally:
        log.removeHandler(heard)
        log.propagate = True
    for message in heard.messages:
        print(f"perfnotes: mkdocs.yml: {_one_line(message)}", file=sys.stderr)
    return found


def _our_settings(file: Path) -> dict[str, Any]:
    """Return the settings that ``mkdocs.yml`` leaves to us: none if it has a ``custom_dir``.

    Raises ``UsageError`` if it names a theme that is not the base of ours.
    """
    from mkdocs.exceptions import ConfigurationError  # noqa: PLC0415 - as above
    from mkdocs.utils.yaml import yaml_load  # noqa: PLC0415
    from yaml import YAMLError  # noqa: PLC0415

    from perfnotes.build.settings import NO_DOCS  # noqa: PLC0415 - loads the nouns

    try:
        with file.open("rb") as opened:
            given = yaml_load(opened)
        theme = given.get("theme")
    except (ConfigurationError, YAMLError, AttributeError, OSError):
        return {}  # MkDocs says what is wrong with the file
    if isinstance(theme, dict) and theme.get("custom_dir"):
        return {}
    name = theme.get("name") if isinstance(theme, dict) else theme
    if name not in (None, "material"):
        raise UsageError(
            f"mkdocs.yml: the theme {str(name)[:60]!r} is not used, since perfnotes has its own: "
            "remove it"
        )
    with (_SITE / "mkdocs.yml").open("rb") as opened:
        ours = yaml_load(opened)
    found = {key: value for key, value in ours.items() if key not in _ITS_OWN}
    found["theme"]["custom_dir"] = str(_SITE / "theme")
    return found | {"docs_dir": NO_DOCS, "hooks": [], "nav": None, "extra_javascript": []}


class _MessageCollector(logging.Handler):
    """Collects what MkDocs logs about its configuration."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def _one_line(text: str) -> str:
    return " ".join(text.split())
