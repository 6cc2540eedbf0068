"""The hook by which plain ``mkdocs build`` and ``mkdocs serve`` make the same site.

It stages the notes before MkDocs looks for pages, refuses unsafe HTML before anything is written,
and adds the Markdown twins at the end. ``perfnotes build`` makes the same bytes without MkDocs' own
loop over the pages; a test holds the two together. It reads the settings too, for which MkDocs
loads this file, but calls no function of it: so what the functions need is imported late.
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
    from perfnotes.build.session import Session


def _session() -> Session:
    from perfnotes.build.session import current  # noqa: PLC0415

    return current.session


def on_startup(*, command: str, **_: Any) -> None:
    """MkDocs starts: let Ctrl-C and kill end a build in order, with their own exit status."""
    if command == "serve" or threading.current_thread() is not threading.main_thread():
        return
    Interruption(_end).listen()


def _end(number: int) -> SystemExit:
    # MkDocs would say "Aborted!" of a KeyboardInterrupt, and end with status 1.
    if number == signal.SIGINT:
        print(INTERRUPTED, file=sys.stderr)
    return SystemExit(128 + number)


def on_config(config: Any, **_: Any) -> Any:
    """Before MkDocs looks for files: read, check and stage the notes."""
    return _session().begin(config)


def on_files(files: Any, *, config: Any, **_: Any) -> Any:
    """MkDocs has listed what it would copy: leave out files of the theme that no page asks for."""
    from perfnotes.build.static import is_asked_for  # noqa: PLC0415

    for file in list(files):
        of_theme = file.src_dir in config.theme.dirs
        if of_theme and not is_asked_for(config.theme, file.src_dir, file.src_uri):
            files.remove(file)
    return files


def on_page_content(html: str, *, page: Any, **_: Any) -> str:
    """A page's HTML before it is put into a template."""
    _session().page(html, page.file.src_uri)
    return html


def on_env(env: Any, **_: Any) -> Any:
    """All pages are rendered and none is written yet: the last moment to refuse."""
    _session().decide()
    return env


def on_post_build(config: Any, **_: Any) -> None:
    """The pages are written: add the Markdown twins and put the site in its place."""
    _session().finish(config)


def on_build_error(*, error: Exception, **_: Any) -> None:
    """The build failed: the last good site stays."""
    _session().abandon()
    if isinstance(error, OSError):
        raise _Unwritable(f"perfnotes: {error}") from None


class _Unwritable(Abort):
    """A full disk or a folder without permission: one line instead of a traceback."""

    exit_code = code = 2


def on_shutdown(**_: Any) -> None:
    """MkDocs ends, perhaps in the middle of a build."""
    _session().abandon()


def on_serve(server: Any, *, config: Any, **_: Any) -> Any:
    """Watch what is written by people instead of the staged tree, which is written by us."""
    return _session().watch(server, config)
