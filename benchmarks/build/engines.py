"""Our whole site by other engines from the same `mkdocs.yml`, compared with `perfnotes build`'s.

    python -m benchmarks.build.engines                     # all of them
    python -m benchmarks.build.engines --only properdocs

The project is copied, given a site address and built. Then a clone is built by MkDocs, by
ProperDocs, the maintained continuation of MkDocs 1.x, and, from the staged tree, by Zensical.
MkDocs and ProperDocs must make the same files, byte for byte. Zensical has a theme of its own: it
must make the same pages, in each article the same text, heading ids, links and pictures, and the
same site map. The exit status is 1 where they do not. An engine that is not installed is named.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.build.measure import BuildError, run
from tests.engine_pages import different_articles, site_map
from tests.project import (
    commit,
    copy_project,
    differences,
    environment,
    git,
    mkdocs,
    perfnotes,
    properdocs,
    set_address,
    tree,
    without_link_report,
    zensical,
)


def main() -> int:
    """Build, compare and print; return 1 if an engine fails or makes another site."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = {name.lower(): name for name in _ENGINES}
    parser.add_argument("--only", nargs="+", choices=names, default=list(names))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="perfnotes-engines-") as name:
        scratch = Path(name)
        project = copy_project(scratch / "project")
        set_address(project, "https://notes.example/some/path/", "https://code.example/o/r")
        commit(project)
        _build(project, perfnotes("build", "--quiet", "--stage", "build/stage"), scratch)
        print(f"{len(tree(project / 'site'))} files\n")
        print("| engine | CPU s | compared | differ |\n|---|--:|---|---|")
        return max([_row(names[each], project, scratch) for each in options.only])


def _row(name: str, project: Path, scratch: Path) -> int:
    command, compare, what = _ENGINES[name]
    try:
        shown = f"{name} {version(name.lower())}"
    except PackageNotFoundError:
        print(f"| {name} | | not installed | |", flush=True)
        return 0
    clone = scratch / name
    git(scratch, "clone", "--quiet", project.as_uri(), str(clone))
    if name == "Zensical":
        without_link_report(clone / "mkdocs.yml")
        shutil.copytree(project / "build", clone / "build", dirs_exist_ok=True)
    try:
        cpu = _build(clone, command, scratch)
    except BuildError as error:
        print(f"| {shown} | failed | | |", flush=True)
        print(error, file=sys.stderr)
        return 1
    found = compare(clone / "site", project / "site")
    listed = ", ".join([*found[:20], *(["..."] if found[20:] else [])])
    print(f"| {shown} | {cpu:.1f} | {what} | {len(found)}: {listed} |", flush=True)
    shutil.rmtree(clone)
    return int(bool(found))


def _build(project: Path, command: list[str], scratch: Path) -> float:
    """Build and return the CPU seconds."""
    more = {"XDG_CACHE_HOME": str(scratch / "home"), "PYTHONPATH": str(project / "tools")}
    return run(command, scratch / "log", project, environment(**more)).cpu


def _articles(theirs: Path, ours: Path) -> list[str]:
    one, other = (site_map(site / "sitemap.xml") for site in (theirs, ours))
    return different_articles(ours, theirs) + ([] if one == other else ["sitemap.xml"])


_Compare = Callable[[Path, Path], list[str]]
_ENGINES: dict[str, tuple[list[str], _Compare, str]] = {
    "MkDocs": (mkdocs("build", "--quiet"), differences, "all files"),
    "ProperDocs": (properdocs("build", "--quiet", "-f", "mkdocs.yml"), differences, "all files"),
    "Zensical": (zensical("build"), _articles, "articles and site map"),
}

if __name__ == "__main__":
    raise SystemExit(main())
