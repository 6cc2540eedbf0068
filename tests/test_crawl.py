"""Every link of the site leads somewhere: pages, anchors, files, twins, feeds, redirects."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest
from selectolax.lexbor import LexborHTMLParser

pytestmark = pytest.mark.slow

ADDRESS = "https://example.org/some/path/"
_REFRESH = re.compile(r"0; url=(.*)")
_FENCE = re.compile(r"(?ms)^(`{3,}|~{3,})[^\n]*\n.*?^\1`*$|`+[^`\n]*`+")
_MARKDOWN_LINK = re.compile(
    r"\]\(<?([^\s)>]+)>?(?: \"[^\"]*\")?\)|^\[[^\]^]+\]: (\S+)", re.MULTILINE
)


@dataclass
class Crawl:
    """A site's files as if they were served at ``address``."""

    folder: Path
    address: str
    broken: list[str] = field(default_factory=list)
    followed: int = 0

    @cached_property
    def pages(self) -> dict[str, LexborHTMLParser]:
        """The HTML files by path."""
        return {
            f.relative_to(self.folder).as_posix(): LexborHTMLParser(f.read_text("utf-8"))
            for f in sorted(self.folder.rglob("*.html"))
        }

    @cached_property
    def anchors(self) -> dict[str, set[str]]:
        return {
            path: {str(node.attributes["id"]) for node in tree.css("[id]")} | {""}
            for path, tree in self.pages.items()
        }

    def follow(self, path: str, link: str) -> str | None:
        """The file that a link leads to; None for another host."""
        url = urljoin(f"{self.address}{path}", link.strip())
        if not url.startswith(self.address):
            if urlsplit(url).netloc == urlsplit(self.address).netloc:
                self.broken.append(f"{path}: {link} leaves the site's part of the host")
            return None
        self.followed += 1
        parts = urlsplit(url.removeprefix(self.address))
        target = unquote(parts.path)
        if target == "" or target.endswith("/"):
            target += "index.html"
        if not (self.folder / target).is_file():
            self.broken.append(f"{path}: {link} leads to no file")
            return None
        page = re.sub(r"index\.md$", "index.html", target)
        if parts.fragment and unquote(parts.fragment) not in self.anchors.get(page, set()):
            self.broken.append(f"{path}: {link} leads to no such place on its page")
        return target

    def links(self, path: str) -> Iterator[tuple[str, str]]:
        """The elements and addresses of a page."""
        for node in self.pages[path].css("[href], [src]"):
            yield (
                str(node.tag),
                str(node.attributes.get("href") or node.attributes.get("src") or ""),
            )
        for node in self.pages[path].css("meta[http-equiv=refresh]"):
            refresh = _REFRESH.match(str(node.attributes["content"]))
            assert refresh, path
            yield "refresh", refresh[1]

    def twin_links(self, path: Path) -> Iterator[str]:
        text = _FENCE.sub("", path.read_text("utf-8"))
        for match in _MARKDOWN_LINK.finditer(text):
            yield match[1] or match[2]


@pytest.fixture(params=["", ADDRESS], ids=["no-address", "address"])
def crawl(request: pytest.FixtureRequest) -> Crawl:
    name = "addressed_project" if request.param else "built_project"
    project: Path = request.getfixturevalue(name)
    return Crawl(project / "site", request.param or "https://nowhere.example/")


def test_every_link_leads_somewhere(crawl: Crawl) -> None:
    for path in crawl.pages:
        for tag, link in crawl.links(path):
            target = crawl.follow(path, link)
            assert target or tag != "refresh", (path, link)
            # The twins are for tools; people are led to pages, but for the one link to the twin.
            if tag == "a" and target and target.endswith(".md"):
                assert (path, link) == (path.replace("index.md", "index.html"), "index.md"), (
                    path,
                    link,
                )
    assert not crawl.broken, "\n".join(crawl.broken[:50])
    assert crawl.followed > 20 * len(crawl.pages)


def test_the_graph_leads_to_pages(crawl: Crawl) -> None:
    """Its picture is drawn from a script of data, whose addresses no element holds."""
    for path in ("graph/data.js", "zh/graph/data.js"):
        text = (crawl.folder / path).read_text("utf-8")
        data = json.loads(text.removeprefix("var pnGraph = ").rstrip(";\n"))
        for node in data["nodes"]:
            assert crawl.follow(path, node[2]) in crawl.pages, (path, node)
        assert len(data["nodes"]) > 300
    assert not crawl.broken, "\n".join(crawl.broken[:50])


def test_style_sheets_name_files(crawl: Crawl) -> None:
    for file in crawl.folder.rglob("*.css"):
        for link in re.findall(r"url\(([^)]*)\)", file.read_text("utf-8")):
            if not link.strip("\"'").startswith(("data:", "#")):
                crawl.follow(file.relative_to(crawl.folder).as_posix(), link.strip("\"'"))
    assert not crawl.broken, "\n".join(crawl.broken[:50])


def test_an_id_stands_once_on_a_page(crawl: Crawl) -> None:
    for path, tree in crawl.pages.items():
        ids = Counter(node.attributes["id"] for node in tree.css("[id]"))
        assert not {id: n for id, n in ids.items() if n > 1}, path


def test_every_page_can_be_reached(crawl: Crawl) -> None:
    """... from the home page of its language, by links alone."""
    for start in ("index.html", "zh/index.html"):
        reached, waiting = {start}, [start]
        while waiting:
            path = waiting.pop()
            for tag, link in crawl.links(path):
                target = crawl.follow(path, link) if tag in ("a", "refresh") else None
                if target in crawl.pages and target not in reached:
                    reached.add(target)
                    waiting.append(target)
        own = {p for p in crawl.pages if p.startswith("zh/") == start.startswith("zh/")}
        redirects = {p for p in own if crawl.pages[p].css("meta[http-equiv=refresh]")}
        assert own - reached - redirects <= {"404.html"}


def test_every_page_has_a_twin_whose_links_lead_somewhere(crawl: Crawl) -> None:
    for path, tree in crawl.pages.items():
        if path != "404.html" and not tree.css("meta[http-equiv=refresh]"):
            assert (crawl.folder / path).with_suffix(".md").is_file(), path
    for file in [*sorted(crawl.folder.rglob("*.md")), crawl.folder / "llms.txt"]:
        for link in crawl.twin_links(file):
            crawl.follow(file.relative_to(crawl.folder).as_posix(), link)
    assert not crawl.broken, "\n".join(crawl.broken[:50])
    assert crawl.followed > len(crawl.pages)


def test_the_site_map_and_the_feeds_name_pages(crawl: Crawl) -> None:
    files = [crawl.folder / name for name in ("sitemap.xml", "feed.xml", "zh/feed.xml")]
    if crawl.address != ADDRESS:
        assert not any(file.exists() for file in files)
        return
    for file in files:
        links = []
        for node in ET.parse(file).iter():
            name = node.tag.rpartition("}")[2]
            links += [node.text or ""] if name in ("loc", "id") else []
            links += [node.get("href", "")] if name == "link" else []
        assert all(link.startswith(ADDRESS) for link in links if not link.startswith("tag:")), links
        for link in links:
            crawl.follow(file.name, link)
        assert len(links) > 5
    assert not crawl.broken, crawl.broken
    listed = {node.text for node in ET.parse(files[0]).iter() if node.tag.endswith("}loc")}
    pages = {p for p, tree in crawl.pages.items() if not tree.css("meta[http-equiv=refresh]")} - {
        "404.html"
    }
    assert listed == {f"{ADDRESS}{p.removesuffix('index.html')}" for p in pages}


def test_every_page_has_the_same_strict_policy(crawl: Crawl) -> None:
    """... before anything that it rules, and nothing that it would stop."""
    for path, tree in crawl.pages.items():
        policy = tree.css_first("meta[http-equiv=Content-Security-Policy]")
        assert policy, path
        text = str(policy.attributes["content"])
        assert text.startswith("default-src 'none'")
        assert "unsafe" not in text
        for script in tree.css("script:not([type='application/ld+json'])"):
            assert script.attributes.get("src"), path
            assert not script.text().strip(), path
        assert not tree.css("style, [style]"), path
        first = tree.css("head script, head link, head meta[http-equiv]")[0]
        assert first.attributes.get("http-equiv") == "Content-Security-Policy", path
