"""The engine adds nothing: MkDocs alone, and Zensical, make the same pages of the staged tree."""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.project import (
    ROOT,
    change_settings,
    copy_project,
    differences,
    git,
    mkdocs,
    perfnotes,
    run,
    tree,
    without_hooks,
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


def is_twin(name: str) -> bool:
    return name.endswith("index.md")


def is_of_the_hook(name: str) -> bool:
    """What the hook adds, and what of the theme it leaves out."""
    unused = ("assets/javascripts/", "assets/images/favicon.png", "assets/stylesheets/palette.",
              "scripts/")  # fmt: skip
    return is_twin(name) or name.startswith(unused) or name.endswith(".css.map")


def test_mkdocs_in_a_fresh_clone_gives_the_same_site(built_sample: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", built_sample.as_uri(), str(clone))
    assert [p.name for p in (clone / "build" / "stage").iterdir()] == [".gitkeep"]
    run(clone, mkdocs("build"))
    assert differences(clone / "site", built_sample / "site") == []
    assert any(is_twin(name) for name in tree(clone / "site"))
    assert git(clone, "status", "--porcelain") == ""


def test_mkdocs_without_the_hook_makes_the_same_pages(built_sample: Path, tmp_path: Path) -> None:
    project = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", built_sample.as_uri(), str(project))
    without_hooks(project / "mkdocs.yml")
    shutil.copytree(built_sample / "build", project / "build", dirs_exist_ok=True)
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
def foreign(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Any folder of notes."""
    project = copy_project(tmp_path_factory.mktemp("foreign"), notes={})
    notes = request.param(project.parent / f"{project.name}-notes")
    site = project / "ours"
    options = ["--notes", str(notes), "--site", str(site), "--stage", "build/foreign"]
    run(project, perfnotes("build", "--quiet", *options))
    changes = {"docs_dir": "build/foreign", "site_dir": "theirs", "site_name": notes.name}
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
    assert_same_articles(foreign.site, foreign.project / "zensical")


@pytest.fixture(scope="module")
def both_engines(
    addressed_sample: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """The site by us and by Zensical, from the same ``mkdocs.yml`` and staged tree.

    Only that Zensical reads the text of every page once more to report broken links is switched
    off: it takes a third of the time, and here nobody reads the report.
    """
    project = tmp_path_factory.mktemp("zensical") / "clone"
    git(project.parent, "clone", "--quiet", addressed_sample.as_uri(), str(project))
    settings = project / "mkdocs.yml"
    pattern, text = r"(?m)^validation:\n(?:  .*\n)+", settings.read_text("utf-8")
    text, found = re.subn(pattern, "validation: false\n", text)
    assert found == 1
    settings.write_text(text, "utf-8")
    shutil.copytree(addressed_sample / "build", project / "build", dirs_exist_ok=True)
    run(project, zensical("build"))
    return addressed_sample / "site", project / "site"


def test_zensical_makes_the_same_addresses_and_articles(both_engines: tuple[Path, Path]) -> None:
    ours, theirs = both_engines
    assert_same_articles(ours, theirs)
    staged = {"llms.txt", "feed.xml", "zh/feed.xml", "search/root.js", "search/addresses.json"}
    assert not staged & set(differences(ours, theirs))


def test_zensical_lists_the_same_pages_in_the_site_map(both_engines: tuple[Path, Path]) -> None:
    ours, theirs = (site_map(site / "sitemap.xml") for site in both_engines)
    assert len(ours) > 100
    assert theirs == ours


def test_zensical_reads_our_templates(both_engines: tuple[Path, Path]) -> None:
    for name in ("index.html", "zh/index.html", "caches/index.html", "404.html"):
        ours, theirs = (frame(site / name) for site in both_engines)
        assert theirs == ours, name
        assert ours["head"], name


def frame(file: Path) -> dict[str, object]:
    """What our templates put around an article."""
    page = LexborHTMLParser(file.read_text("utf-8"))
    return {
        "head": [
            node.html for node in page.css("meta, title, link[rel=canonical], link[hreflang]")
        ],
        "links": [
            ((a.attributes.get("href") or "").rstrip("/"), " ".join(a.text().split()))
            for a in page.css(".md-header a, .md-nav--primary a, .md-path a, .md-footer a")
        ],
        "scripts": [
            posixpath.normpath(source)
            for node in page.css("script")
            if "/perfnotes/" in (source := node.attributes.get("src") or "")
        ],
    }


def assert_same_articles(ours: Path, theirs: Path) -> None:
    a, b = ({p.relative_to(s).as_posix() for p in s.rglob("*.html")} for s in (ours, theirs))
    assert a == b
    for name in sorted(a):
        one, other = (article(site / name) for site in (ours, theirs))
        assert one == other, name


def article(file: Path) -> dict[str, object] | None:
    """What a reader gets from a page's article, whatever the engine; a redirect has none."""
    node = LexborHTMLParser(file.read_text("utf-8")).css_first("article")
    if node is None:
        return None
    return {
        "text": " ".join(node.text(deep=True).split()),
        "headings": [h.attributes.get("id") for h in node.css("h1, h2, h3, h4, h5, h6")],
        "links": [a.attributes.get("href") for a in node.css("a")],
        "pictures": [i.attributes.get("src") for i in node.css("img")],
    }


def site_map(file: Path) -> dict[str | None, list[tuple[str, str]]]:
    """Addresses and the languages of each."""
    xmlns = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    link = "{http://www.w3.org/1999/xhtml}link"
    return {
        url.findtext(f"{xmlns}loc"): [
            (a.get("hreflang", ""), a.get("href", "")) for a in url.iter(link)
        ]
        for url in ET.parse(file).getroot()
    }
