"""The hook by which plain ``mkdocs build`` and ``mkdocs serve`` make the same site.

It stages the notes before MkDocs looks for pages, refuses unsafe HTML before anything is written,
and adds the Markdown copies at the end. ``perfnotes build`` makes the same bytes without MkDocs'
own loop over the pages; a test compares the two.

``perfnotes build`` reads the settings by MkDocs, which then loads this file but calls none of its
functions. So the functions import late what they need.
"""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.exceptions import Abort

# MkDocs loads this file by its path, also where perfnotes itself is not installed.
_tools = str(Path(__file__).resolve().parents[2])
if _tools not in sys.path:
    sys.path.insert(0, _tools)

from perfnotes.storage.interruption import INTERRUPTED, Interruption  # noqa: E402

if TYPE_CHECKING:
    from perfnotes.build.mkdocs_build import MkDocsBuild


def _build() -> MkDocsBuild:
    from perfnotes.build.mkdocs_build import current  # noqa: PLC0415

    return current.build


def on_startup(*, command: str, **_: Any) -> None:
    """MkDocs starts: Ctrl-C and SIGTERM end a build in good order, with their own exit status."""
    if command == "serve" or threading.current_thread() is not threading.main_thread():
        return
    Interruption(_end).listen()


def _end(number: int) -> SystemExit:
    # After a KeyboardInterrupt MkDocs would print "Aborted!" and end with status 1.
    if number == signal.SIGINT:
        print(INTERRUPTED, file=sys.stderr)
    return SystemExit(128 + number)


def on_config(config: Any, **_: Any) -> Any:
    """Before MkDocs looks for files: read, check and stage the notes."""
    return _build().stage(config)


def on_files(files: Any, *, config: Any, **_: Any) -> Any:
    """MkDocs has listed what it would copy: remove files of the theme that no page asks for."""
    from perfnotes.build.static import is_asked_for  # noqa: PLC0415

    for file in list(files):
        of_theme = file.src_dir in config.theme.dirs
        if of_theme and not is_asked_for(config.theme, file.src_dir, file.src_uri):
            files.remove(file)
    return files


def on_page_content(html: str, *, page: Any, **_: Any) -> str:
    """MkDocs has rendered a page and not yet put it into a template: judge its HTML."""
    _build().judge_page(html, page.file.src_uri)
    return html


def on_env(env: Any, **_: Any) -> Any:
    """All pages are rendered and none is written yet: stop the build if a page is unsafe."""
    _build().refuse_unsafe()
    return env


def on_post_build(config: Any, **_: Any) -> None:
    """The pages are written: add the Markdown copies and put the site in its place."""
    _build().finish(config)


def on_build_error(*, error: Exception, **_: Any) -> None:
    """The build failed: the last good site stays."""
    _build().abandon()
    if isinstance(error, OSError):
        raise _Unwritable(f"perfnotes: {error}") from None


class _Unwritable(Abort):
    """A full disk or a folder without permission: one line instead of a traceback."""

    exit_code = code = 2


def on_shutdown(**_: Any) -> None:
    """MkDocs ends, perhaps in the middle of a build."""
    _build().abandon()


def on_serve(server: Any, *, config: Any, **_: Any) -> Any:
    """MkDocs serves: watch the notes that people write, not the staged tree that builds write."""
    return _build().watch(server, config)
