"""The engine adds nothing: MkDocs, ProperDocs and Zensical make the same pages."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.engine_pages import different_articles, frame, site_map
from tests.project import (
    ROOT,
    change_settings,
    clone,
    commit,
    copy_built,
    differences,
    git,
    mkdocs,
    perfnotes,
    properdocs,
    run,
    set_address,
    tree,
    without_hooks,
    without_link_report,
    zensical,
)

pytestmark = pytest.mark.slow

# A folder that was never written for us: names, links and markup as they are found in the wild.
FOREIGN: dict[str, str | bytes] = {
    "README.md": """\
# A book

Read [one](templates/one.md), [two](Odd%20names/two%20words.md#part),
[three](<Odd names/深 层/三.md>),
![pic](img/a%20b.png), [file](img/data.csv), [self](#a-book), [dir](templates/), [gone](gone.md),
[q](templates/one.md?x=1#y), [abs](/templates/one.md), <https://example.org/?a=1&b=2>,
[no address](http://[::1), [mail](mailto:me@example.org), [ref] and [Ref][ref].

[ref]: templates/one.md "title & more"

- [ ] todo
- [x] done

Text[^1] and again[^1].

[^1]: A note with a [link](templates/one.md).

| a | b |
|--:|:--|
| 1 | `x|y` |

<div onclick="x()">raw <a href="templates/one.md">raw link</a></div>
""",
    "templates/one.md": b"# One\r\n\r\nCRLF [back](../README.md).\r\n\r\n## y\r\n\r\ntext\r\n",
    "templates/index.md": "# Templates\n",
    "templates/README.md": "# Readme\n\n[i](index.md) [p](../plain.md)\n",
    "Odd names/two words.md": """\
\ufeff# Two words & <more>

## Part

> [!NOTE]
> callout

=== "Tab"
    text

=== "Other"
    more

??? note "Details"
    inside

```python
print(1)
```

$$x^2$$

## Part

Same heading twice.

Setext
------

1. a
   1. b

Hard  \nbreak \\
here
""",
    "Odd names/深 层/三.md": """\
# 三

[链接](../two%20words.md)和 ![图](../../img/a%20b.png)。

## 标题

[此处](#标题)
""",
    "plain.md": "no heading, `code`, *x*_y_ \x0b\x0c, NEL\x85 LS\u2028 end\n",
    "zh/note.md": "# Zh\n",
    "assets/note.md": "# Assets\n",
    "search/x.md": "# Search\n",
    "100% sure #1?.md": "# 100% sure #1?\n\n[x](plain.md)\n",
    "jinja.md": "{{ x }} {% raw %} <script>alert(1)</script>\n\n# T\n",
    "img/data.csv": "a,b\n",
    "img/a b.png": b"png",
    "broken.md": "---\ntitle: [unclosed\n---\n# Broken\n",
    "cr.md": b"# lone\rcarriage\rreturn\n\ntext\r\rmore\n",
}


def foreign_folder(folder: Path) -> Path:
    for name, content in FOREIGN.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def generated_notes(folder: Path) -> Path:
    generator = ROOT / "benchmarks" / "build" / "generate.py"
    command = [sys.executable, str(generator), "30", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def is_markdown_copy(name: str) -> bool:
    return name.endswith("index.md")


def is_of_the_hook(name: str) -> bool:
    """What the hook adds, and what of the theme it leaves out."""
    unused = ("assets/javascripts/", "assets/images/favicon.png", "assets/stylesheets/palette.",
              "assets/perfnotes/explor", "assets/perfnotes/typed.",
              "scripts/", "styles/")  # fmt: skip
    return is_markdown_copy(name) or name.startswith(unused) or name.endswith(".css.map")


@pytest.fixture(scope="module")
def by_mkdocs(built_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh clone that MkDocs built. Tests must not change it."""
    project = clone(built_sample, tmp_path_factory.mktemp("mkdocs") / "clone")
    assert [p.name for p in (project / "build" / "stage").iterdir()] == [".gitkeep"]
    run(project, mkdocs("build"))
    return project


def test_mkdocs_in_a_fresh_clone_gives_the_same_site(built_sample: Path, by_mkdocs: Path) -> None:
    assert differences(by_mkdocs / "site", built_sample / "site") == []
    assert any(is_markdown_copy(name) for name in tree(by_mkdocs / "site"))
    assert git(by_mkdocs, "status", "--porcelain") == ""


def test_a_second_build_writes_nothing_new_into_the_staged_tree(
    built_sample: Path, by_mkdocs: Path, tmp_path: Path
) -> None:
    project = copy_built(by_mkdocs, tmp_path / "project")
    staged = project / "build" / "stage"
    texts = {p: p.read_bytes() for p in staged.rglob("*") if p.is_file()}
    assert len(texts) > 20
    before = {p: p.stat().st_mtime_ns for p in staged.rglob("*")}
    run(project, mkdocs("build", "--quiet"))
    for path, text in texts.items():
        assert path.read_bytes() == text
    assert {p: p.stat().st_mtime_ns for p in staged.rglob("*")} == before
    assert differences(project / "site", built_sample / "site") == []


def test_mkdocs_without_the_hook_makes_the_same_pages(built_sample: Path, tmp_path: Path) -> None:
    project = copy_built(built_sample, tmp_path / "project", without=["site"])
    without_hooks(project / "mkdocs.yml")
    run(project, perfnotes("build", "--quiet", "--stage", "build/stage", "--site", "ours"))
    run(project, mkdocs("build", "--quiet"))
    differing = differences(project / "site", built_sample / "site")
    assert [name for name in differing if not is_of_the_hook(name)] == []


@dataclass(frozen=True)
class Built:
    """What ``perfnotes build`` made of a folder, and a configuration without hooks for its tree."""

    project: Path
    site: Path
    settings: Path


@pytest.fixture(scope="module", params=[foreign_folder, generated_notes])
def foreign(
    request: pytest.FixtureRequest,
    built_example: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Built:
    """Any folder of notes."""
    folder = tmp_path_factory.mktemp("foreign")
    project = copy_built(built_example, folder / "project", without=[".git", "site"])
    notes = request.param(project.parent / f"{project.name}-notes")
    site = project / "ours"
    options = ["--notes", str(notes), "--site", str(site), "--stage", "build/foreign"]
    run(project, perfnotes("build", "--quiet", *options))
    changes = {"docs_dir": "build/foreign", "site_dir": "theirs", "site_name": notes.name}
    changes["copyright"] = ""
    settings = change_settings(project / "mkdocs.yml", changes, project / "foreign.yml")
    without_hooks(settings)
    return Built(project, site, settings)


def test_mkdocs_makes_the_same_pages_of_any_folder(foreign: Built) -> None:
    run(foreign.project, mkdocs("build", "--quiet", "-f", str(foreign.settings)))
    differing = differences(foreign.project / "theirs", foreign.site)
    assert [name for name in differing if not is_of_the_hook(name)] == []


def test_zensical_makes_the_same_articles_of_any_folder(foreign: Built) -> None:
    text = foreign.settings.read_text("utf-8").replace("site_dir: theirs", "site_dir: zensical")
    (foreign.project / "zensical.yml").write_text(text, "utf-8")
    run(foreign.project, zensical("build", "-f", "zensical.yml"))
    assert different_articles(foreign.site, foreign.project / "zensical") == []


@pytest.fixture(scope="module")
def addressed(built_example: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the few example notes and a site address, staged and built by us."""
    target = tmp_path_factory.mktemp("addressed") / "project"
    project = copy_built(built_example, target, without=[".git", "site"])
    set_address(project, "https://example.org/some/path/", "https://code.example.org/o/r")
    commit(project)
    run(project, perfnotes("build", "--quiet", "--stage", "build/stage"))
    return project


def test_properdocs_gives_the_same_site(addressed: Path, tmp_path: Path) -> None:
    project = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", addressed.as_uri(), str(project))
    run(project, properdocs("build", "--quiet", "-f", "mkdocs.yml"))
    assert differences(project / "site", addressed / "site") == []


@pytest.fixture(scope="module")
def by_zensical(addressed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site that Zensical makes from the same ``mkdocs.yml`` and staged tree."""
    target = tmp_path_factory.mktemp("zensical") / "project"
    project = copy_built(addressed, target, without=["site"])
    without_link_report(project / "mkdocs.yml")
    run(project, zensical("build"))
    return project / "site"


def test_zensical_makes_the_same_addresses_and_articles(addressed: Path, by_zensical: Path) -> None:
    ours = addressed / "site"
    assert different_articles(ours, by_zensical) == []
    staged = {"llms.txt", "feed.xml", "zh/feed.xml", "search/root.js", "search/addresses.json"}
    assert all((ours / name).is_file() for name in staged)
    assert not staged & set(differences(ours, by_zensical))


def test_zensical_lists_the_same_pages_in_the_site_map(addressed: Path, by_zensical: Path) -> None:
    ours = site_map(addressed / "site" / "sitemap.xml")
    assert len(ours) > 90
    assert site_map(by_zensical / "sitemap.xml") == ours


def test_zensical_reads_our_templates(addressed: Path, by_zensical: Path) -> None:
    for name in ("index.html", "zh/index.html", "caches/index.html", "404.html"):
        ours = frame(addressed / "site" / name)
        assert frame(by_zensical / name) == ours, name
        assert ours["head"], name
