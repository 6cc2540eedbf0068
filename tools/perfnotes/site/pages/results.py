"""The page of search results, and the files of the search besides the index.

The address of the page has the query, and a script shows the results. All parts of the script are
joined into one file, so that they take one request. If the site's address is set, there is also an
OpenSearch description, with which a browser adds the site to its search engines.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import quote
from xml.etree import ElementTree as ET

from perfnotes.graph.address import relative
from perfnotes.graph.site import Site
from perfnotes.site.page import Page, block
from perfnotes.site.pages._section import Section
from perfnotes.site.render.markup import escape
from perfnotes.site.scripts import search_script
from perfnotes.site.strings import add_words, label_language, string
from perfnotes.site.theme_files import THEME, compact_sheet

WORDS = {
    "no_script_search": (
        "Search needs JavaScript; reading the pages does not.",
        "搜索需要 JavaScript；阅读页面不需要。",
    ),
    "search_about": ("How the search works", "搜索的工作方式"),
    "search_lead": (
        "Search notes, references, terms, tags, labs and facts.",
        "搜索笔记、文献、术语、标签、实验与常数。",
    ),
}
add_words(WORDS)

SECTION = Section(
    "search",
    ("Search", "搜索"),
)

SHOWS = FILES_SHOW = frozenset[str]()

_OPENSEARCH = "http://a9.com/-/spec/opensearch/1.1/"


def pages(site: Site, lang: str) -> Iterator[Page]:
    label_lang = label_language(site, lang)
    url = SECTION.url(site, lang)
    lead = string("search_lead", label_lang)
    about = site.library.pages.get(("search", lang)) or site.library.pages.get(("search", "en"))
    more = ""
    if about:
        label = string("search_about", label_lang)
        href = escape(relative(url, about.url))
        more = f'<p class="pn-foot"><a href="{href}">{escape(label)}</a></p>'
    yield Page(
        url=url,
        lang=label_lang,
        title=SECTION.title_in(label_lang),
        description=lead,
        body=block(
            '<div id="pn-search-page">'
            f"<p>{escape(string('no_script_search', label_lang))}</p></div>\n{more}"
        ),
        markdown=f"# {SECTION.title_in(label_lang)}\n\n{lead}\n",
        kind="search",
        preload=("search/app.js", "search/root.js"),
        alternates=SECTION.alternates(site),
    )


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    style = json.dumps(compact_sheet(THEME / "styles/search.css"), ensure_ascii=False)
    settings = f"pnSearch.ask = {_asking(site)};\npnSearch.style = {style};\n"
    yield "search/app.js", f"{search_script()}{settings}".encode()
    if site.settings.url:
        for lang in site.library.languages:
            yield site.addresses.opensearch(lang), _description(site, lang)


def _asking(site: Site) -> str:
    """Return where a reader asks for a note that is missing, as JSON for the script.

    ``form`` is the address of the code host's form. ``how`` maps each language to the address of
    the page on contributing, below the site's root. Without a form or page its address is empty.
    """
    how = {lang: site.docs_address("contributing", lang) for lang in site.library.languages}
    return json.dumps({"form": site.repository.report("missing-topic", ""), "how": how})


def _description(site: Site, lang: str) -> bytes:
    base = site.settings.url
    root = ET.Element("OpenSearchDescription", {"xmlns": _OPENSEARCH})
    ET.SubElement(root, "ShortName").text = site.settings.name[:16]  # OpenSearch allows 16
    ET.SubElement(root, "Description").text = site.settings.description or site.settings.name
    ET.SubElement(root, "InputEncoding").text = "UTF-8"
    ET.SubElement(root, "Language").text = lang
    icon = {"type": "image/svg+xml"}
    ET.SubElement(root, "Image", icon).text = f"{base}assets/perfnotes/favicon.svg"
    address = f"{base}{quote(SECTION.url(site, lang))}?q={{searchTerms}}"
    ET.SubElement(root, "Url", {"type": "text/html", "template": address})
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()
