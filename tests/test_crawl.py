"""Every link of the site leads somewhere: pages, anchors, files, twins, feeds, redirects."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest
from selectolax.lexbor import LexborHTMLParser

from perfnotes.explorables import explorables

pytestmark = pytest.mark.slow

ADDRESS = "https://example.org/some/path/"
_REFRESH = re.compile(r"0; url=(.*)")
_FENCE = re.compile(r"(?ms)^(`{3,}|~{3,})[^\n]*\n.*?^\1`*$|`+[^`\n]*`+")
_MARKDOWN_LINK = re.compile(
    r"\]\(<?([^\s)>]+)>?(?: \"[^\"]*\")?\)|^\[[^\]^]+\]: (\S+)", re.MULTILINE
)


@dataclass(frozen=True)
class Html:
    """What a page says of addresses, without the tree, which takes a hundred times the memory."""

    links: list[tuple[str, str]]  # element and address
    ids: Counter[str]
    refresh: str
    policy: str  # what is wrong with its policy

    @classmethod
    def read(cls, file: Path) -> Html:
        tree = LexborHTMLParser(file.read_text("utf-8"))
        links = [
            (
                str(node.tag),
                str(node.attributes.get("href") or node.attributes.get("src") or ""),
            )
            for node in tree.css("[href], [src]")
        ]
        refresh = ""
        for node in tree.css("meta[http-equiv=refresh]"):
            found = _REFRESH.match(str(node.attributes["content"]))
            assert found, file
            refresh = found[1]
            links.append(("refresh", refresh))
        ids = Counter(str(node.attributes["id"]) for node in tree.css("[id]"))
        return cls(links, ids, refresh, policy_fault(tree))


def policy_fault(tree: LexborHTMLParser) -> str:
    """What is wrong with a page's policy: it is strict, and first among all that it rules."""
    policy = tree.css_first("meta[http-equiv=Content-Security-Policy]")
    if not policy:
        return "no policy"
    text = str(policy.attributes["content"])
    if not text.startswith("default-src 'none'") or "unsafe" in text:
        return f"a weak policy: {text}"
    for script in tree.css("script:not([type='application/ld+json'])"):
        if not script.attributes.get("src") or script.text().strip():
            return f"the policy would stop {script.html}"
    for node in tree.css("style, [style]"):
        return f"the policy would stop {node.html}"
    first = tree.css("head script, head link, head meta[http-equiv]")[0]
    is_first = first.attributes.get("http-equiv") == "Content-Security-Policy"
    return "" if is_first else f"before the policy stands {first.html}"


@dataclass
class Crawl:
    """A site's files as if they were served at ``address``; its HTML files by path."""

    folder: Path
    address: str
    pages: dict[str, Html]
    broken: list[str] = field(default_factory=list)
    followed: int = 0
    # By folder and rest of a link, since most links stand on every page.
    _known: dict[tuple[str, str], tuple[str | None, str]] = field(default_factory=dict)

    def follow(self, path: str, link: str) -> str | None:
        """The file that a link leads to; None for another host."""
        key = shortened(path, link.strip())
        if key not in self._known:
            self._known[key] = self._target(urljoin(self.address + key[0], key[1]))
        target, fault = self._known[key]
        self.followed += target is not None
        if fault:
            self.broken.append(f"{path}: {link} {fault}")
        return target

    def _target(self, url: str) -> tuple[str | None, str]:
        """The file that an address leads to, if it is of the site, and what is wrong with it."""
        if not url.startswith(self.address):
            same_host = urlsplit(url).netloc == urlsplit(self.address).netloc
            return None, "leaves the site's part of the host" if same_host else ""
        parts = urlsplit(url.removeprefix(self.address))
        target = unquote(parts.path)
        if target == "" or target.endswith("/"):
            target += "index.html"
        if not (self.folder / target).is_file():
            return None, "leads to no file"
        page = re.sub(r"index\.md$", "index.html", target)
        if parts.fragment and not self.has(page, unquote(parts.fragment)):
            return target, "leads to no such place on its page"
        return target, ""

    def has(self, page: str, anchor: str) -> bool:
        return page in self.pages and (not anchor or anchor in self.pages[page].ids)

    def links_of_markdown(self, path: Path) -> Iterator[str]:
        text = _FENCE.sub("", path.read_text("utf-8"))
        for match in _MARKDOWN_LINK.finditer(text):
            yield match[1] or match[2]


def shortened(path: str, link: str) -> tuple[str, str]:
    """A folder that is as many steps above a page as a link goes up, and the rest of the link.

    So what stands on every page is one link from one folder. What has no path stays the page's.
    """
    if link[:1] in ("", "#", "?"):
        return path, link
    folder = path[: path.rfind("/") + 1]
    while folder and link.startswith("../"):
        folder, link = folder[: folder.rfind("/", 0, -1) + 1], link[3:]
    return folder, link


@pytest.fixture(scope="module", params=["", ADDRESS], ids=["our-notes", "sample-with-address"])
def site(request: pytest.FixtureRequest) -> Crawl:
    """The site of our own notes, and that of the sample with an address below a path."""
    name = "addressed_sample" if request.param else "built_project"
    folder: Path = request.getfixturevalue(name) / "site"
    files = sorted(folder.rglob("*.html"))
    pages = {file.relative_to(folder).as_posix(): Html.read(file) for file in files}
    return Crawl(folder, request.param or "https://nowhere.example/", pages)


@pytest.fixture
def crawl(site: Crawl) -> Crawl:
    return Crawl(site.folder, site.address, site.pages)


def test_every_link_leads_somewhere(crawl: Crawl) -> None:
    for path, page in crawl.pages.items():
        for tag, link in page.links:
            target = crawl.follow(path, link)
            assert target or tag != "refresh", (path, link)
            # Markdown copies are for tools. People are led to pages, but for one link to a copy.
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
        assert len(data["nodes"]) > (10 if crawl.address == ADDRESS else 300)
    assert not crawl.broken, "\n".join(crawl.broken[:50])


def test_every_asset_is_asked_for(crawl: Crawl) -> None:
    """A page asks for each file below ``assets/``, or a script does that a page asks for."""
    asked = {crawl.follow(path, link) for path, page in crawl.pages.items()
             for tag, link in page.links if tag in ("script", "link", "img")}  # fmt: skip
    scripts = [name for name in asked if name and name.endswith(".js")] + ["sw.js", "search/app.js"]
    words = "\n".join((crawl.folder / name).read_text("utf-8") for name in scripts)
    shipped = {f.relative_to(crawl.folder).as_posix()
               for f in (crawl.folder / "assets").glob("*/**/*") if f.is_file()}  # fmt: skip
    assert len(shipped) > 20
    loaded = re.findall(r'loadScript\("(\w+)"', words)
    by_name = {f"assets/perfnotes/{name}.{ending}" for name in loaded for ending in ("js", "css")}
    # A thing to try is loaded by the name that it has on its page.
    pages = crawl.folder.rglob("index.html")
    if any("data-explore=" in page.read_text("utf-8") for page in pages):
        by_name |= {f"assets/perfnotes/explorables/{name}.js" for name in explorables()}
        by_name.add("assets/perfnotes/explore.css")
    else:
        assert not [name for name in shipped if "explor" in name]
    by_address = set(re.findall(r'(?:"|\$\{SCOPE\})(assets/[^"`]+)["`]', words))
    unused = {"assets/perfnotes/moved.js"}  # for pages that were renamed; none of ours was
    if crawl.address == ADDRESS:
        unused.add("assets/perfnotes/design.css")  # for our page about the design
        unused.add("assets/perfnotes/plot.css")  # no note of the sample has a plot
    assert shipped - asked - by_name - by_address - unused == set()


def test_style_sheets_name_files(crawl: Crawl) -> None:
    for file in crawl.folder.rglob("*.css"):
        for link in re.findall(r"url\(([^)]*)\)", file.read_text("utf-8")):
            if not link.strip("\"'").startswith(("data:", "#")):
                crawl.follow(file.relative_to(crawl.folder).as_posix(), link.strip("\"'"))
    assert not crawl.broken, "\n".join(crawl.broken[:50])


def test_an_id_stands_once_on_a_page(crawl: Crawl) -> None:
    for path, page in crawl.pages.items():
        assert not {id: n for id, n in page.ids.items() if n > 1}, path


def test_every_page_can_be_reached(crawl: Crawl) -> None:
    """... from the home page of its language, by links alone."""
    for start in ("index.html", "zh/index.html"):
        reached, waiting = {start}, [start]
        while waiting:
            path = waiting.pop()
            for tag, link in crawl.pages[path].links:
                target = crawl.follow(path, link) if tag in ("a", "refresh") else None
                if target in crawl.pages and target not in reached:
                    reached.add(target)
                    waiting.append(target)
        own = {p for p in crawl.pages if p.startswith("zh/") == start.startswith("zh/")}
        redirects = {p for p in own if crawl.pages[p].refresh}
        assert own - reached - redirects <= {"404.html"}


def test_every_page_has_a_markdown_copy_whose_links_lead_somewhere(crawl: Crawl) -> None:
    for path, page in crawl.pages.items():
        if path != "404.html" and not page.refresh:
            assert (crawl.folder / path).with_suffix(".md").is_file(), path
    for file in [*sorted(crawl.folder.rglob("*.md")), crawl.folder / "llms.txt"]:
        for link in crawl.links_of_markdown(file):
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
            # The id of a result is its lab's page and the machine.
            links += [(node.text or "").partition("#")[0]] if name in ("loc", "id") else []
            links += [node.get("href", "")] if name == "link" else []
        assert all(link.startswith(ADDRESS) for link in links if not link.startswith("tag:")), links
        for link in links:
            crawl.follow(file.name, link)
        assert len(links) > 5
    assert not crawl.broken, crawl.broken
    listed = {node.text for node in ET.parse(files[0]).iter() if node.tag.endswith("}loc")}
    pages = {path for path, page in crawl.pages.items() if not page.refresh} - {"404.html"}
    assert listed == {f"{ADDRESS}{p.removesuffix('index.html')}" for p in pages}


def test_every_page_has_the_same_strict_policy(crawl: Crawl) -> None:
    """... before anything that it rules, and nothing that it would stop."""
    assert crawl.pages
    faults = {path: page.policy for path, page in crawl.pages.items() if page.policy}
    assert faults == {}


@pytest.mark.parametrize(
    ("head", "body", "fault"),
    [
        ("{policy}<script src=x></script>", "<p>x", ""),
        ("", "", "no policy"),
        ("{weak}", "", "a weak policy"),
        ("{policy}", "<script>alert(1)</script>", "would stop <script>"),
        ("{policy}", "<p style='top:0'>x", "would stop <p"),
        ("<script src=x></script>{policy}", "", "before the policy stands <script"),
    ],
)
def test_a_fault_of_a_policy_is_found(head: str, body: str, fault: str) -> None:
    meta = '<meta http-equiv="Content-Security-Policy" content="default-src {}">'
    head = head.format(policy=meta.format("'none'"), weak=meta.format("'none' 'unsafe-inline'"))
    found = policy_fault(LexborHTMLParser(f"<html><head>{head}</head><body>{body}</body></html>"))
    assert fault in found
    assert bool(found) == bool(fault)
