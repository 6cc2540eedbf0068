"""The home page: ``docs/index.md`` with lists, or the index page of a folder without ``docs/``.

An HTML comment such as ``<!-- perfnotes:topics -->`` in ``docs/index.md`` is replaced by a list;
``_home_lists`` makes the lists.
"""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.address import relative
from perfnotes.graph.site import Site
from perfnotes.site.page import Page, PageAddress
from perfnotes.site.pages._home_lists import LISTS, place_titles, search_field
from perfnotes.site.pages._numbers import NumbersSection, number_styles
from perfnotes.site.pages.topic import markdown_list, note_list
from perfnotes.site.render.body import NOTHING, body_renderer
from perfnotes.site.render.markup import escape_markdown
from perfnotes.site.strings import add_words, label_language, string
from perfnotes.text.joining import joins

WORDS = {
    "in_topic": ("Notes", "笔记"),
    "topics": ("Topics", "主题"),
}
add_words(WORDS)


SHOWS = frozenset({"anything"})


def pages(site: Site, lang: str) -> Iterator[Page]:
    page = site.library.pages.get(("", lang)) or site.library.pages.get(("", "en"))
    if page and page.lang == lang:
        url = site.addresses.home(lang)
        links = site.graph.links[f"docs/{page.file}"]
        rendered = body_renderer(site, lang).render(links, url)
        body, markdown = rendered.staged, rendered.markdown
        for name, make in LISTS.items():
            marker = f"<!-- perfnotes:{name} -->"
            if marker in body:
                body = body.replace(marker, make(site, url, lang))
            markdown = markdown.replace(
                marker, _MARKDOWN[name](site, lang) if name in _MARKDOWN else ""
            )
        numbers = NumbersSection(site, url, lang, lang).staged(rendered.numbers)
        styles = set(number_styles(numbers))
        if 'class="pn-live"' in body:
            styles |= {"evidence", "plot", "card"}
        file = f"{site.settings.docs}/{page.file}"
        yield Page(
            url=url,
            lang=lang,
            title=page.meta.title,
            description=page.meta.description,
            body=f"{body}\n{numbers}" if numbers else body,
            markdown=f"# {escape_markdown(page.meta.title)}\n\n{markdown}",
            kind="home",
            alternates=site.alternates(site.addresses.home),
            edit=site.repository.edit(file),
            source=file,
            files=rendered.files,
            findings=rendered.findings,
            styles=("home", *sorted(styles)),
            scripts=("home",),
        )
    else:
        yield _plain_home(site, lang)


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    page = site.library.pages.get(("", lang)) or site.library.pages.get(("", "en"))
    intro = site.library.introductions.get("")
    if page and page.lang == lang:
        yield PageAddress(site.addresses.home(lang), f"{site.settings.docs}/{page.file}")
    else:
        source = site.library.shown(intro.file) if intro else ""
        yield PageAddress(site.addresses.home(lang), source, site.settings.name)


def _plain_home(site: Site, lang: str) -> Page:
    """Return the home page of a folder without site pages: its index page, topics, and notes."""
    url = site.addresses.home(lang)
    intro = site.library.introductions.get("")
    shown = intro.lang if intro else label_language(site, lang)
    parts = [search_field(site, url, lang, shown)]
    markdown: list[str] = []
    title = site.settings.name
    rendered = NOTHING
    if intro:
        title = intro.meta.title
        links = site.graph.links[f"notes/{intro.file}"]
        rendered = body_renderer(site, intro.lang).render(links, url, drop_title=title)
        parts.append(rendered.staged)
        markdown.append(rendered.markdown)
    topics = LISTS["topics"](site, url, lang)
    if topics:
        parts.append(f"## {string('topics', shown)} {{#pn-topics}}\n{topics}")
    root = site.library.by_topic.get("", [])
    if root:
        parts.append(f"## {string('in_topic', shown)} {{#pn-notes}}\n")
        parts.append(note_list(site, root, url, lang))
        markdown.append(markdown_list(site, root, url, lang))
    return Page(
        url=url,
        lang=shown,
        title=title,
        body="\n".join(parts),
        markdown=f"# {escape_markdown(title)}\n\n"
        + "\n".join(markdown)
        + _topics_markdown(site, lang),
        kind="home",
        styles=("home",),
        scripts=("home",),
        alternates=site.alternates(site.addresses.home),
        source=site.library.shown(intro.file) if intro else "",
        files=rendered.files,
        findings=rendered.findings,
    )


def _topics_markdown(site: Site, lang: str) -> str:
    rows = []
    for topic in site.library.topics.values():
        if topic.id and topic.depth == 1:
            address = relative(site.addresses.home(lang), site.addresses.topic(topic.id, lang))
            about = f"{joins(lang).colon}{escape_markdown(topic.description[lang])}"
            rows.append(f"- [{escape_markdown(topic.title[lang])}]({address}index.md){about}\n")
    return "".join(rows)


def _places_markdown(site: Site, lang: str) -> str:
    page = relative(site.addresses.home(lang), site.addresses.section("symptoms", lang))
    return "".join(
        f"- [{escape_markdown(title)}]({page}index.md#symptoms--{place})\n"
        for place, title in place_titles(site, lang)
    )


_MARKDOWN = {"symptoms": _places_markdown, "topics": _topics_markdown}
