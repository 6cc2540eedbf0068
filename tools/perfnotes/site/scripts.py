"""The scripts that browsers load, each made of several sources so that it takes one request.

- ``assets/perfnotes/site.js``, on every page: what pages do, and the keys that open the search.
- ``search/app.js``: the search, joined from modules.
- ``sw.js``: the service worker, with the settings of this site before it.

Scripts of the theme that only some pages load are files of their own, without their comments. A
long one is joined from the modules in a folder of its name below ``scripts/``: ``main.js`` there,
and what ``main.js`` imports.

Modules are ECMAScript modules, which tests import as they are; joined, they become one function. So
each import has to stand on a line of its own, and no name may be defined at the top of two modules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from perfnotes.site.theme_files import THEME, compact_sheet

SEARCH_SCRIPTS = THEME / "scripts/search"
_PAGE = THEME / "scripts/page"
_ASSETS = "assets/perfnotes/"
_MAIN = "main.js"
# A comment behind a statement, on a line without other slashes, regular expressions or templates.
_BEHIND = re.compile(r"""(?m)^((?:[^"'`/\n]|"[^"\n]*"|'[^'\n]*')*[;{},)\]]) // .*$""")
_TYPES = re.compile(r"/\*\*.*?\*/ ?", re.DOTALL)  # what the type checker reads
_IMPORT = re.compile(
    r'^import (?P<names>.+) from "(?P<path>[^"]+)"(?P<json> with .+)?;\n', re.MULTILINE
)


def page_script() -> str:
    """Return the script of every page. Its parts are functions that share only globals."""
    parts = (_PAGE / f"{name}.js" for name in ("site", "boxes", "code", "start"))
    return _without_comments("".join(part.read_text("utf-8") for part in parts))


def asset_scripts() -> Iterator[str]:
    """Yield the address of each script that only some pages load.

    It is a file of the theme or joined from the modules in a folder.
    """
    files = (THEME / "assets").rglob("*.js")
    mains = (THEME / "scripts").rglob(_MAIN)
    whole = (file.relative_to(THEME).as_posix() for file in files)
    joint = (main.parent.relative_to(THEME / "scripts").as_posix() for main in mains)
    yield from sorted([*whole, *(f"{_ASSETS}{name}.js" for name in joint)])


def asset(address: str) -> bytes:
    """Return a file of the theme as the site ships it. Scripts and sheets have no comments."""
    file = THEME / address
    if file.suffix == ".css":
        return compact_sheet(file).encode()
    if file.suffix != ".js":
        return file.read_bytes()
    main = THEME / "scripts" / address.removeprefix(_ASSETS).removesuffix(".js") / _MAIN
    if main.is_file():
        return _one_function(main).encode()
    return _without_comments(file.read_text("utf-8")).encode()


def worker_script(settings: str) -> str:
    """Return the service worker; ``settings`` is the JSON object that it finds as ``pnSite``."""
    worker = (_PAGE / "offline.js").read_text("utf-8")
    return f'"use strict";\nvar pnSite = {settings};\n{_without_comments(worker)}'


def search_script() -> str:
    """Return the whole search without comments and indentation, which a browser need not load."""
    return _one_function(SEARCH_SCRIPTS / "app.js")


def _one_function(module: Path) -> str:
    return _without_comments(f'"use strict";\n(() => {{\n{joined(module)}}})();\n')


def joined(module: Path) -> str:
    """Return a module and all that it imports as statements of one function.

    What a module imports comes before the module.
    """
    found: dict[Path, str] = {}
    _add(module, found)
    return "".join(found.values())


def _add(module: Path, found: dict[Path, str]) -> None:
    """Add the text of each imported module and then of ``module``, without imports and exports."""
    if module in found:
        return
    text = module.read_text("utf-8")
    data: list[str] = []
    for imported in _IMPORT.finditer(text):
        file = (module.parent / imported["path"]).resolve()
        if imported["json"]:
            value = json.dumps(json.loads(file.read_text("utf-8")), ensure_ascii=False)
            data.append(f"const {imported['names']} = {value};\n")
        else:
            _add(file, found)
    body = _IMPORT.sub("", text)
    found[module] = "".join(data) + re.sub(r"(?m)^export (?=const|function|class)", "", body)


@lru_cache(maxsize=100)
def _without_comments(script: str) -> str:
    """Return a script without comments and indentation.

    The library rjsmin 1.3.0 would save 0.4 KB of each first visit, but takes blanks out of a
    template that stands inside of a template.
    """
    whole = _BEHIND.sub(r"\1", _TYPES.sub("", script))
    lines = (line.strip() for line in whole.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))
