"""The site generators that are measured, each with its settings and its command."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]

EMPTY, DELETED, SAME = "no site, no cache", "site deleted, cache kept", "nothing changed"
EDITED = "one paragraph changed"
STATES = (EMPTY, DELETED, SAME, EDITED)

# MkDocs' math extension only wraps formulas for a script. Its highlighter is the same as ours.
_EXTENSIONS: list[Any] = [
    "admonition", "attr_list", "def_list", "footnotes", "tables", {"toc": {"toc_depth": 3}},
    {"pymdownx.arithmatex": {"generic": True}}, "pymdownx.details",
    {"pymdownx.highlight": {"use_pygments": True}}, {"pymdownx.quotes": {"callouts": True}},
    "pymdownx.superfences", {"pymdownx.tabbed": {"alternate_style": True}}, "pymdownx.tasklist",
    {"pymdownx.tilde": {"subscript": False}},
]  # fmt: skip

# The smallest templates that make a site: a page for each note, and a list for each topic and tag.
_HUGO = {
    "single.html": '{{ define "main" }}<h1>{{ .Title }}</h1>{{ .Content }}'
    "<ul>{{ range .GetTerms `tags` }}<li>"
    '<a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul>{{ end }}',
    "list.html": '{{ define "main" }}<h1>{{ .Title }}</h1>{{ .Content }}<ul>{{ range .Pages }}<li>'
    '<a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul>{{ end }}',
    "baseof.html": '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    "<title>{{ .Title }}</title></head><body><nav><ul>{{ range .Site.Sections }}<li>"
    '<a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul>{{ .TableOfContents }}</nav>'
    '<main>{{ block "main" . }}{{ end }}</main></body></html>',
}


@dataclass(frozen=True)
class Generator:
    """A generator: its ``command`` runs in ``folder``, may keep a cache there, and writes ``site``.

    It is measured in each of ``states``, one after another. ``note`` is the file to edit for the
    state ``EDITED``.
    """

    name: str
    command: list[str]
    site: Path
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    states: tuple[str, ...] = (EMPTY,)
    note: Path | None = None

    def prepare(self, state: str) -> None:
        """Brings about the state ``state``, after a build in the state before it."""
        if state == EMPTY:
            for path in (self.site, self.folder / ".cache", self.folder / ".perfnotes-cache"):
                shutil.rmtree(path, ignore_errors=True)
        elif state == DELETED:
            shutil.rmtree(self.site)
        elif state == EDITED and self.note:
            text = self.note.read_text("utf-8")
            self.note.write_text(f"{text.rstrip()}\n\nOne more paragraph.\n", "utf-8")


@dataclass(frozen=True)
class Missing:
    """A generator that is not installed on this machine, and how to install it."""

    name: str
    reason: str


Maker = Callable[[Path, Path], Generator | Missing]


def ours(notes: Path, scratch: Path) -> Generator:
    """perfnotes with its search index, in a copy of the project without its notes."""
    site, project = scratch / "site", scratch / "project"
    shutil.copytree(ROOT / "docs", project / "docs")
    shutil.copyfile(ROOT / "mkdocs.yml", project / "mkdocs.yml")
    (project / "notes").mkdir()  # with mkdocs.yml, what commands know a project by
    (project / "tools").symlink_to(ROOT / "tools")
    command = [sys.executable, "-m", "perfnotes", "build", "--quiet"]
    command += ["--notes", str(notes), "--site", str(site)]
    files = sorted(notes.rglob("*.md"))
    note = files[len(files) // 2] if files else None
    environment = {"PYTHONPATH": str(ROOT / "tools")}
    return Generator("perfnotes", command, site, project, environment, STATES, note)


def material(notes: Path, scratch: Path) -> Generator:
    """MkDocs with Material: search, tags, and a navigation that is pruned."""
    return _mkdocs("MkDocs + Material", notes, scratch, ["navigation.prune"])


def material_whole(notes: Path, scratch: Path) -> Generator:
    """MkDocs with Material, with the whole navigation on each page."""
    return _mkdocs("the same without prune", notes, scratch, [])


def _mkdocs(name: str, notes: Path, scratch: Path, features: list[str]) -> Generator:
    file = _configuration(notes, scratch / "site", scratch, features)
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(file)]
    return Generator(name, command, scratch / "site", scratch, {"NO_MKDOCS_2_WARNING": "1"})


def _configuration(notes: Path, site: Path, scratch: Path, features: list[str]) -> Path:
    config = {
        "site_name": "notes",
        "docs_dir": str(notes),
        "site_dir": str(site),
        "theme": {"name": "material", "font": False, "features": features},
        "plugins": ["search", "tags"],
        "markdown_extensions": _EXTENSIONS,
    }
    file = scratch / "mkdocs.yml"
    file.write_text(yaml.safe_dump(config), encoding="utf-8")
    return file


def zensical(notes: Path, scratch: Path) -> Generator | Missing:
    """Zensical from the same settings as MkDocs."""
    if not _is_there("zensical"):
        return Missing("Zensical", "not installed: see requirements/dev.in")
    # Zensical needs the notes beside its configuration and both folders as relative paths.
    shutil.copytree(notes, scratch / "docs")
    file = _configuration(Path("docs"), Path("site"), scratch, ["navigation.prune"])
    command = [sys.executable, "-m", "zensical", "build", "-f", str(file)]
    return Generator("Zensical", command, scratch / "site", scratch)


def _is_there(module: str) -> bool:
    from importlib.util import find_spec  # noqa: PLC0415

    return find_spec(module) is not None


def hugo(notes: Path, scratch: Path) -> Generator | Missing:
    """Hugo with the smallest possible theme and without search."""
    program = shutil.which("hugo")
    if not program:
        return Missing("Hugo", "not installed: Debian's package is called hugo")
    layouts = scratch / "layouts" / "_default"
    layouts.mkdir(parents=True)
    for name, text in _HUGO.items():
        (layouts / name).write_text(text, encoding="utf-8")
    shutil.copytree(notes, scratch / "content")
    for page in (scratch / "content").rglob(
        "index.md"
    ):  # to Hugo a folder with index.md is one page
        page.rename(page.with_name("_index.md"))
    settings = {"baseURL": "https://notes.example/", "title": "notes"}
    (scratch / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    site = scratch / "site"
    command = [program, "--quiet", "--source", str(scratch), "--destination", str(site)]
    cache = {"HUGO_CACHEDIR": str(scratch / ".cache")}
    return Generator("Hugo, no search", command, site, scratch, cache)


GENERATORS: tuple[Maker, ...] = (ours, material, material_whole, zensical, hugo)
