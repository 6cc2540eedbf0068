"""Folders of other people's Markdown as they would be built: their pages, links and findings."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from perfnotes.checks import examine, grade
from perfnotes.graph.graph import link
from perfnotes.graph.site import Settings, Site
from perfnotes.site.stage import Stage
from perfnotes.source.read.folder import read_library
from perfnotes.text.findings import Finding
from tests.engine_of import engine_of, prepare
from tests.example_notes import stage_without_index


class Folder:
    """A folder as it would be built."""

    def __init__(self, root: Path, files: Mapping[str, str | bytes]) -> None:
        for name, data in files.items():
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data if isinstance(data, bytes) else data.encode())
        self.site = Site(link(read_library(root, "notes")), Settings(name="Foreign"))
        self.staged: Stage = stage_without_index(self.site)
        self.prepared, unsafe = prepare(self.site, self.staged, engine_of())
        library = self.site.library
        self.findings: list[Finding] = grade(
            [*examine(self.site, self.staged.findings), *unsafe], library
        )
        self.urls = {n.file: n.url for n in library.notes.values()}
        self.urls |= {n.file: f"{t}/" if t else "" for t, n in library.introductions.items()}

    def codes(self) -> set[str]:
        return {f.code for f in self.findings}

    def page(self, file: str) -> LexborNode:
        """The body of the page of a file, without what we add to it."""
        html = self.prepared[f"{self.urls[file]}index.md"].content
        body = LexborHTMLParser(html.split('<h2 id="pn-')[0]).body
        assert body is not None
        for ours in body.css(".pn-title, .pn-topics, .pn-neighbours"):
            ours.decompose()
        return body

    def text(self, file: str) -> str:
        return " ".join(self.page(file).text(separator=" ").split())

    def targets(self, file: str) -> list[str]:
        """What the links of a file's page lead to: pages by file, others as they are."""
        files = {url: name for name, url in self.urls.items()}
        found = []
        for a in self.page(file).css("a[href]"):
            parts = urlsplit(a.attributes["href"] or "")
            if parts.scheme:
                found.append(parts.geturl())
                continue
            path = posixpath.normpath(posixpath.join(self.urls[file] or ".", unquote(parts.path)))
            there = files.get("" if path == "." else f"{path}/", path)
            found.append(there + (f"#{unquote(parts.fragment)}" if parts.fragment else ""))
        return found


def one(tmp_path: Path, source: str, **files: str | bytes) -> Folder:
    others = {name.replace("__", "."): data for name, data in files.items()}
    return Folder(tmp_path, {"n.md": source, "b.md": "# B\n\n## Sec *one*\n", **others})


NAMES = (
    "a b.md", "a-b.md", "a  b.md", "c#d.md", "100%.md", "what?.md", "中文 页.md", "😀.md",
    "UPPER.md", "upper.md", "_private.md", "x.MD", "y.markdown", "-.md", "sitemap.xml.md",
    "index.html.md", "404.md", "tags.md", "tags/x.md", "search/y.md", "assets/z.md", "zh/a.md",
    "flow.md", "flow/one.md", "both.md", "both/index.md", "both/x.md", "ri/README.md",
    "ri/index.md", "ri/_index.md", "solo/index.md", "deep/a/b/c/d.md", "Case/x.md", "case/y.md",
    "Case/README.md", "case/README.md", "p.txt.md", "a&b.md", "quo'te.md", "$x.md", "[x].md",
    "x" * 200 + ".md", "SUMMARY.md", "+x.md", "a,b.md",
)  # fmt: skip


HOW_OTHERS_LINK = {
    "mdbook/src.md": (
        "[1](./other.html#sec-one) [2](other.md) [3](deep/) [4](deep/index.html) [5]\n"
        "[`6`][other] [7][] [8](</mdbook/other.md>) [9](other.md#Sec--One!)\n\n"
        "[5]: other.md 'T'\n[other]:\n  other.html\n[7]: deep/two.md\n"
    ),
    "mdbook/other.md": "# Other\n\n## `Sec` one\n",
    "mdbook/deep/README.md": "# Deep\n",
    "mdbook/deep/two.md": "# Two\n\n[1](../src.md) [2](../other/) [3](./) [4](#two)\n",
    "_docs/setup.md": "---\npermalink: /docs/install/\n---\n# Setup\n",
    "_docs/more.md": (
        "# More\n\n[1]({{ '/docs/install/' | relative_url }}) [2](/docs/install/)\n"
        "[3]({{ site.baseurl }}/docs/more) [4]({% link _docs/setup.md %}) [5](/docs/setup/)\n"
        "[6](/news/2024/01/02/new-thing/) [text]({{ site.repository }}/issues/1)\n"
    ),
    "_posts/2024-01-02-new-thing.md": "# New thing\n",
    "saurus/intro.md": "---\nid: start\nslug: /begin\n---\n# Intro\n",
    "saurus/use.md": (
        "# Use\n\n[1](start) [2](/begin) [3](./intro.md#intro) [4](/docs/next/saurus/use)\n"
    ),
    "vault/Big note.md": "# Other title\n\n## A heading\n\ntext ^block1\n",
    "vault/use.md": (
        "[[Big note]] [[Big note#A heading|there]] [[vault/Big note]] [[big NOTE]] "
        "[[Other title]]\n"
        "[[Big note#Other title#A heading]] [[Big note#^block1]] [[#Own]] ![[Big note]]\n"
        "![[pic.png]] ![[sub/pic.png|120]] [[Nowhere at all]]\n\n## Own\n"
    ),
    "vault/pic.png": "x",
    "vault/sub/pic.png": "x",
    "unicode/中文 文.md": "# 中\n\n## 缓存，与「内存」\n",
    "unicode/use.md": "[1](中文%20文.md#缓存与内存) [2](<中文 文.md>)\n",
}
