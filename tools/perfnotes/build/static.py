"""The files of a site that are no pages: staged files, files of the theme, static templates.

Of the files of the theme, which MkDocs would all copy, only those are copied that pages ask for.
"""

from __future__ import annotations

import fnmatch
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mkdocs.commands.build import get_context
from mkdocs.structure.files import File, Files, set_exclusions
from mkdocs.structure.nav import get_navigation
from mkdocs.utils import get_relative_url, is_error_template, markdown_extensions

from perfnotes.build.messages import Staged
from perfnotes.site.stage import Stage
from perfnotes.site.theme_files import is_on_demand
from perfnotes.storage.system_errors import write_file

# What MkDocs does not copy from a theme, besides its static templates and hidden files.
_NOT_COPIED = (
    "*.py", "*.pyc", "*.html", "*readme*", "mkdocs_theme.yml", "locales/*",
    *(f"*{ending}" for ending in markdown_extensions),
)  # fmt: skip


def write_static(config: Any, env: Any, staged: Stage, folder: Path) -> None:
    """Write all files that are no pages into the new site."""
    files = Files(
        File(path, str(config["docs_dir"]), str(folder), config["use_directory_urls"])
        for path in staged.files
        if path not in staged.pages
    )
    set_exclusions(files, config)
    made: set[Path] = set()
    for file in files:
        if file.inclusion.is_included():  # type: ignore[no-untyped-call]
            target = folder / file.src_uri
            if target.parent not in made:
                made.add(target.parent)
                target.parent.mkdir(parents=True, exist_ok=True)
            write_file(target, staged.files[file.src_uri])
    for path, source in _of_theme(config):
        if path not in staged.files:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    nav = _topics(config, staged)
    for name in sorted(config.theme.static_templates):
        text = _rendered(name, config, env, nav)
        if text.strip():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_file(folder / name, text.encode())


def is_asked_for(theme: Any, folder: str, path: str) -> bool:
    """Whether pages ask for the file ``path`` in ``folder``, a folder of MkDocs' ``theme``.

    From our own folder they ask for all assets, except those that are staged with the pages that
    need them. From Material they ask for the main style sheet, and for that of the colours if
    ``mkdocs.yml`` chooses some. Material's scripts, their maps and its search are left out.
    """
    if folder == theme.custom_dir:
        return path.startswith("assets/") and not is_on_demand(path)
    sheets = ("main", "palette") if theme.get("palette") else ("main",)
    return any(fnmatch.fnmatch(path, f"assets/stylesheets/{name}.*.css") for name in sheets)


def _of_theme(config: Any) -> Iterator[tuple[str, Path]]:
    """Yield the address and path of each file of the theme; earlier folders override later ones."""
    not_copied = (*_NOT_COPIED, *config.theme.static_templates)
    found: dict[str, Path] = {}
    for folder in config.theme.dirs:
        for base, below, names in os.walk(folder):
            below[:] = [name for name in below if not name.startswith(".")]
            for name in names:
                path = Path(base, name).relative_to(folder).as_posix()
                is_left_out = name.startswith(".") or not is_asked_for(config.theme, folder, path)
                if not is_left_out and not any(
                    fnmatch.fnmatch(path.lower(), p) for p in not_copied
                ):
                    found.setdefault(path, Path(base, name))
    yield from sorted(found.items())


def _topics(config: Any, staged: Stage) -> Any:
    """Return MkDocs' navigation with the topics, which 404.html lists."""
    topics = [path for path, page in staged.pages.items() if page.kind == "topic"]
    files = Files(
        File(path, str(config["docs_dir"]), str(config["site_dir"]), config["use_directory_urls"])
        for path in sorted(topics, key=lambda path: path.split("/"))
    )
    set_exclusions(files, config)
    nav = get_navigation(files, config)
    for file in files:
        if file.page:
            file.page.meta = json.loads(Staged.read(staged.files[file.src_uri]).front)
    return nav


def _rendered(name: str, config: Any, env: Any, nav: Any) -> str:
    """Render a static template, which is no page, as MkDocs does."""
    if is_error_template(name):
        base = urlsplit(config["site_url"] or "/").path
    else:
        base = get_relative_url(".", name)
    text: str = env.get_template(name).render(get_context(nav, [], config, base_url=base))
    return text
