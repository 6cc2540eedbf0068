"""The home page: ``docs/index.md`` with the lists that it asks for, or a folder's own index.

A site page asks for a list by an HTML comment, ``<!-- perfnotes:topics -->``; the lists are those
of ``_LISTS``.
"""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.address import relative
from perfnotes.bib.citestyle import label
from perfnotes.page import Page, block
from perfnotes.pages._numbers import NumbersSection
from perfnotes.pages.recent import newest
from perfnotes.pages.topic import note_list, twin_list
from perfnotes.render.body import NOTHING
from perfnotes.render.markup import escape, markdown_words, words
from perfnotes.site import Site
from perfnotes.strings import string

_MOST = 8


def pages(site: Site, lang: str) -> Iterator[Page]:
    page = site.library.pages.get(("", lang)) or site.library.pages.get(("", "en"))
    if page and page.lang == lang:
        url = site.addresses.home(lang)
        links = site.graph.links[f"docs/{page.file}"]
        rendered = site.renderers[lang].render(links, url)
        body, twin = rendered.staged, rendered.twin
        for name, make in _LISTS.items():
            marker = f"<!-- perfnotes:{name} -->"
            if marker in body:
                body = body.replace(marker, make(site, url, lang))
            twin = twin.replace(marker, _topics_twin(site, lang) if name == "topics" else "")
        numbers = NumbersSection(site, url, lang, lang).staged(rendered.numbers)
        file = f"{site.settings.docs}/{page.file}"
        yield Page(
            url=url,
            lang=lang,
            title=page.meta.title,
            description=page.meta.description,
            body=f"{body}\n{numbers}" if numbers else body,
            twin=f"# {markdown_words(page.meta.title)}\n\n{twin}",
            kind="home",
            alternates=site.both(site.addresses.home),
            edit=site.edit_url(file),
            source=file,
            files=rendered.files,
            findings=rendered.findings,
            styles=("evidence",) if numbers else (),
            scripts=("number",) if numbers else (),
        )
    else:
        yield _plain_home(site, lang)


def _plain_home(site: Site, lang: str) -> Page:
    """The home page of a folder that has no site pages: its own index, topics, root notes."""
    url = site.addresses.home(lang)
    intro = site.library.introductions.get("")
    shown = intro.lang if intro else (site.library.main_language if lang == "en" else lang)
    parts: list[str] = []
    twin: list[str] = []
    title = site.settings.name
    rendered = NOTHING
    if intro:
        title = intro.meta.title
        links = site.graph.links[f"notes/{intro.file}"]
        rendered = site.renderers[intro.lang].render(links, url, drop_title=title)
        parts.append(rendered.staged)
        twin.append(rendered.twin)
    parts.append(f"## {string('topics', shown)} {{#pn-topics}}\n")
    parts.append(_topics(site, url, lang))
    root = site.library.by_topic.get("", [])
    if root:
        parts.append(f"## {string('in_topic', shown)} {{#pn-notes}}\n")
        parts.append(note_list(site, root, url, lang))
        twin.append(twin_list(site, root, url, lang))
    return Page(
        url=url,
        lang=shown,
        title=title,
        body="\n".join(parts),
        twin=f"# {markdown_words(title)}\n\n" + "\n".join(twin) + _topics_twin(site, lang),
        kind="home",
        alternates=site.both(site.addresses.home),
        source=site.library.shown(intro.file) if intro else "",
        files=rendered.files,
        findings=rendered.findings,
    )


def _topics(site: Site, url: str, lang: str) -> str:
    items = []
    for topic in site.library.topics.values():
        notes = site.library.by_topic.get(topic.id, [])
        if not topic.id or topic.depth > 1:
            continue
        href = escape(relative(url, site.addresses.topic(topic.id, lang)))
        best = "".join(f"<li>{site.note_link(url, n, lang)}</li>" for n in notes[:4])
        best = f"<ul>{best}</ul>" if best else ""
        about = escape(topic.description[lang])
        items.append(
            f'<li><a class="pn-topic" href="{href}">{escape(topic.title[lang])}</a>'
            f' <span class="pn-count">{len(notes)}</span><p>{about}</p>{best}</li>'
        )
    return block(['<ul class="pn-topics">', *items, "</ul>"])


def _topics_twin(site: Site, lang: str) -> str:
    rows = []
    for topic in site.library.topics.values():
        if topic.id and topic.depth == 1:
            address = relative(site.addresses.home(lang), site.addresses.topic(topic.id, lang))
            about = markdown_words(topic.description[lang])
            rows.append(f"- [{markdown_words(topic.title[lang])}]({address}index.md): {about}\n")
    return "".join(rows)


def _recent(site: Site, url: str, lang: str) -> str:
    items = [
        f'<li>{site.note_link(url, note, lang)} <time datetime="{day}">{day}</time></li>'
        for day, note in newest(site, _MOST)
    ]
    return block(['<ul class="pn-recent">', *items, "</ul>"])


def _cited(site: Site, url: str, lang: str) -> str:
    uses = {k: len({e.source for e in edges}) for k, edges in site.graph.cited_by.items() if edges}
    items = []
    for key in sorted(uses, key=lambda k: (-uses[k], k))[:_MOST]:
        reference = site.library.references[key]
        href = escape(relative(url, site.addresses.reference(key, lang)))
        name = escape(f"{label(reference, lang)}: {reference.title}")
        items.append(
            f'<li><a href="{href}">{name}</a> <span class="pn-count">{uses[key]}</span></li>'
        )
    return block(['<ul class="pn-cited">', *items, "</ul>"])


def _counts(site: Site, _: str, lang: str) -> str:
    library = site.library
    cited = sum(1 for edges in site.graph.cited_by.values() if edges)
    text = (
        f"{len(library.notes)} 篇笔记，引用 {cited} 篇文献，{len(library.terms)} 条术语。"
        if lang == "zh"
        else f"{len(library.notes)} notes, {cited} references cited, {len(library.terms)} terms."
    )
    return f"\n\n{words(text)}\n\n"


_LISTS = {"topics": _topics, "recent": _recent, "cited": _cited, "counts": _counts}
