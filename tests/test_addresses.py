"""The site's address and the repository's, set or not: what needs one is right or left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.project import commit, copy_built, perfnotes, run, set_address

pytestmark = pytest.mark.slow

ATOM = "{http://www.w3.org/2005/Atom}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"
REPOSITORY = "https://code.example.org/o/r"

# Old addresses, a note without a translation, and one with a name that needs quoting.
NOTES = {
    "caches/rows.md": "---\naliases: [caches/old-rows]\n---\n",
    "gpu/warps.md": "---\ntitle: Warps & <threads>\n---\n",
}


@dataclass(frozen=True)
class Built:
    """A built project; ``base`` is the site's address, empty where it has none."""

    project: Path
    base: str

    @property
    def site(self) -> Path:
        return self.project / "site"

    @cached_property
    def html(self) -> dict[str, LexborHTMLParser]:
        """Every HTML file by its address below the base, unquoted."""
        return {
            file.relative_to(self.site).as_posix().removesuffix("index.html"): LexborHTMLParser(
                file.read_text("utf-8")
            )
            for file in sorted(self.site.rglob("*.html"))
        }

    @cached_property
    def pages(self) -> dict[str, LexborHTMLParser]:
        """Those that are pages: no redirects, not the 404 page."""
        return {
            url: page
            for url, page in self.html.items()
            if url != "404.html" and not page.css_first("meta[http-equiv=refresh]")
        }

    def address(self, url: str) -> str:
        return self.base + quote(url)

    def file(self, address: str) -> Path:
        """The file that a web server gives for an address of the site."""
        path = urlsplit(address).path
        root = urlsplit(self.base or "https://site.example/").path
        assert path.startswith(root), address
        file = self.site / unquote(path.removeprefix(root))
        return file / "index.html" if path.endswith("/") else file


def build(built_example: Path, folder: Path, site: str, repository: str) -> Built:
    target = folder / "project"
    project = copy_built(built_example, target, without=[".git", "site"], notes=NOTES)
    set_address(project, site, repository)
    commit(project)
    run(project, perfnotes("build", "--quiet"))
    return Built(project, site)


@pytest.fixture(scope="module")
def without(built_example: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(built_example, tmp_path_factory.mktemp("without"), "", "")


@pytest.fixture(scope="module")
def at_root(built_example: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("root")
    return build(built_example, folder, "https://example.org/", REPOSITORY)


@pytest.fixture(scope="module")
def below(addressed_sample: Path) -> Built:
    return Built(addressed_sample, "https://example.org/some/path/")


@pytest.fixture(params=["at_root", "below"])
def built(request: pytest.FixtureRequest) -> Built:
    """The site with an address: at the root of its host, and below a path."""
    found: Built = request.getfixturevalue(request.param)
    return found


def test_the_site_map_has_every_page_in_all_its_languages(built: Built) -> None:
    root = ET.parse(built.site / "sitemap.xml").getroot()
    assert root.tag == f"{SITEMAP}urlset"
    languages = {
        url.findtext(f"{SITEMAP}loc"): {
            link.get("hreflang"): link.get("href") for link in url.iter(f"{XHTML}link")
        }
        for url in root
    }
    assert len(languages) == len(root)
    assert set(languages) == {built.address(url) for url in built.pages}
    assert_leads_back({str(k): v for k, v in languages.items() if v})
    days = [day.text or "" for day in root.iter(f"{SITEMAP}lastmod")]
    assert days
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", day) for day in days)


def test_pages_name_their_languages(built: Built) -> None:
    languages = {
        built.address(url): {
            link.attributes["hreflang"]: link.attributes["href"]
            for link in page.css("head link[rel=alternate][hreflang]")
        }
        for url, page in built.pages.items()
    }
    assert_leads_back({url: found for url, found in languages.items() if len(found) > 1})
    named = {address or "" for found in languages.values() for address in found.values()}
    assert all(address.startswith(built.base) for address in named)


def assert_leads_back(languages: dict[str, dict[str | None, str | None]]) -> None:
    """Each page names itself, and every page that it names names the same ones."""
    assert any(len(found) > 1 for found in languages.values())
    for page, found in languages.items():
        assert page in found.values(), page
        for other in found.values():
            assert languages.get(str(other)) == found, (page, other)


def test_every_page_names_its_own_address(built: Built) -> None:
    for url, page in built.pages.items():
        links = [link.attributes["href"] for link in page.css("link[rel=canonical]")]
        assert links == [built.address(url)]


def test_redirects_name_the_address_they_lead_to(at_root: Built) -> None:
    redirects = {u: p for u, p in at_root.html.items() if p.css_first("meta[http-equiv=refresh]")}
    assert redirects
    for url, page in redirects.items():
        content = page.css("meta[http-equiv=refresh]")[0].attributes["content"] or ""
        target = urljoin(at_root.address(url), content.partition("url=")[2])
        assert [x.attributes["href"] for x in page.css("link[rel=canonical]")] == [target]
        assert at_root.file(target).is_file()


@pytest.mark.parametrize(("name", "home"), [("feed.xml", ""), ("zh/feed.xml", "zh/")])
def test_feeds_are_valid_atom(built: Built, name: str, home: str) -> None:
    feed = ET.parse(built.site / name).getroot()
    assert feed.tag == f"{ATOM}feed"
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
    assert links == {"self": built.base + name, "alternate": built.base + home}
    assert feed.findtext(f"{ATOM}author/{ATOM}name")
    entries = feed.findall(f"{ATOM}entry")
    assert entries
    for part in (feed, *entries):
        assert part.findtext(f"{ATOM}title")
        assert re.fullmatch(r"[\d-]{10}T[\d:]{8}Z", part.findtext(f"{ATOM}updated") or "")
        for required in ("id", "title", "updated"):
            assert len(part.findall(f"{ATOM}{required}")) == 1
    ids = [part.findtext(f"{ATOM}id") or "" for part in (feed, *entries)]
    assert len(set(ids)) == len(ids)
    assert all(urlsplit(id).scheme for id in ids)
    for entry in entries:
        (link,) = entry.findall(f"{ATOM}link")
        assert link.get("rel") == "alternate"
        assert (link.get("href") or "").startswith(built.base)
        assert built.file(link.get("href") or "").is_file()
    newest_first = [entry.findtext(f"{ATOM}updated") or "" for entry in entries]
    assert newest_first == sorted(newest_first, reverse=True)
    assert feed.findtext(f"{ATOM}updated") == newest_first[0]


def test_pages_name_the_feed_of_their_language(built: Built) -> None:
    for url, page in built.pages.items():
        (link,) = page.css("link[type='application/atom+xml']")
        feed = "zh/feed.xml" if url.startswith("zh/") else "feed.xml"
        assert urljoin(built.address(url), link.attributes["href"]) == built.base + feed


def test_notes_lead_to_their_source_and_to_a_report(built: Built) -> None:
    found = set()
    for url, page in built.pages.items():
        for link in page.css("article a"):
            href = link.attributes.get("href") or ""
            if href.startswith(f"{REPOSITORY}/edit/main/"):
                source = unquote(href.removeprefix(f"{REPOSITORY}/edit/main/").partition("#")[0])
                assert (built.project / source).is_file(), (url, href)
                found.add(source)
            elif href.startswith(f"{REPOSITORY}/issues/new?"):
                query = parse_qs(urlsplit(href).query)
                form = query["template"][0]
                assert (built.project / ".github" / "ISSUE_TEMPLATE" / form).is_file(), href
                asked = "subject" if form == "missing-topic.yml" else "page"
                assert query[asked][0].rstrip(": "), (url, href)
            elif href.startswith(f"{REPOSITORY}/new/main?"):
                query = parse_qs(urlsplit(href).query)
                assert query["filename"][0].endswith(".zh.md")
                assert "translates:" in query["value"][0]
            elif permanent := re.match(rf"{REPOSITORY}/blob/[0-9a-f]{{40}}/", href):
                # The address by which a text is cited: as it was in that commit.
                assert (built.project / unquote(href[permanent.end() :])).is_file(), (url, href)
            else:
                assert not href.startswith(REPOSITORY), (url, href)
    notes = built.project / "notes"
    written = {p.relative_to(built.project).as_posix() for p in notes.glob("*/**/*.md")}
    assert {f for f in written if not f.startswith("notes/references/")} <= found


def test_the_list_for_programs_leads_to_markdown(built: Built) -> None:
    text = (built.site / "llms.txt").read_text("utf-8")
    addresses = re.findall(r"\]\((\S+?)\)", text)
    assert len(addresses) > 3
    for address in addresses:
        assert address.startswith(built.base)
        assert address.endswith(".md")
        assert built.file(address).is_file(), address


def test_the_404_page_keeps_its_style_and_links_at_any_depth(built: Built) -> None:
    page = built.html["404.html"]
    root = urlsplit(built.base).path
    used = [
        node.attributes.get("href") or node.attributes.get("src") or ""
        for node in page.css("a[href], link[href], script[src], img[src]")
    ]
    assert any("stylesheets/" in address for address in used)
    assert any("perfnotes/site.css" in address for address in used)
    for address in used:
        if not address.startswith(("#", REPOSITORY)):
            assert address.startswith(root), address
            assert built.file(urljoin(built.base, address)).is_file(), address


def test_robots_are_told_at_the_root_of_a_host_only(at_root: Built, below: Built) -> None:
    text = (at_root.site / "robots.txt").read_text("utf-8")
    assert "Sitemap: https://example.org/sitemap.xml\n" in text
    assert not (below.site / "robots.txt").exists()


def test_without_an_address_what_needs_one_is_left_out(without: Built) -> None:
    names = {p.name for p in without.site.rglob("*") if p.is_file()}
    assert not names & {"sitemap.xml", "sitemap.xml.gz", "feed.xml", "robots.txt"}
    for url, page in without.html.items():
        assert not page.css("link[rel=canonical]"), url
        assert not page.css("link[type='application/atom+xml']"), url
        assert not page.css(".pn-foot, .md-header__source"), url
        hosts = {urlsplit(link).netloc for link in links_of(page)} - {""}
        assert hosts <= {"www.akkadia.org"}, url  # the one reference
    text = (without.site / "llms.txt").read_text("utf-8")
    for address in re.findall(r"\]\((\S+?)\)", text):
        assert (without.site / unquote(address)).is_file(), address


@pytest.mark.parametrize("name", ["without", "at_root", "below"])
def test_no_link_of_the_site_leads_nowhere(name: str, request: pytest.FixtureRequest) -> None:
    built: Built = request.getfixturevalue(name)
    base = built.base or "https://site.example/"
    names: dict[str, set[str | None]] = {
        url: {n.attributes.get("id") for n in page.css("[id]")} for url, page in built.html.items()
    }
    for url, page in built.html.items():
        for link in links_of(page):
            address = urljoin(base + quote(url), link)
            if not address.startswith(base):
                continue
            file = built.file(address)
            assert file.is_file(), (url, link)
            anchor = unquote(urlsplit(address).fragment)
            target = file.relative_to(built.site).as_posix().removesuffix("index.html")
            assert not anchor or target not in names or anchor in names[target], (url, link)


def links_of(page: LexborHTMLParser) -> list[str]:
    nodes = page.css("a[href], link[href], script[src], img[src]")
    return [n.attributes.get("href") or n.attributes.get("src") or "" for n in nodes]
