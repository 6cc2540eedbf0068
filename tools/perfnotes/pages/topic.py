"""The page of a topic: what it is about, and its notes in reading order with their levels."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.address import markdown_file, relative
from perfnotes.note import Note
from perfnotes.page import Page, block
from perfnotes.pages._numbers import NumbersSection
from perfnotes.render.body import NOTHING
from perfnotes.render.markup import escape, markdown_words, words
from perfnotes.site import Site
from perfnotes.strings import string
from perfnotes.topic import Topic


def pages(site: Site, lang: str) -> Iterator[Page]:
    for topic in site.library.topics.values():
        if topic.id:  # the root's notes are listed on the home page
            yield _page(site, topic, lang)


def _page(site: Site, topic: Topic, lang: str) -> Page:
    url = site.addresses.topic(topic.id, lang)
    shown = site.library.main_language if lang == "en" else lang
    notes = site.library.by_topic.get(topic.id, [])
    intro = site.library.introductions.get(topic.id)
    title = topic.title[lang]
    parts, twin = [], [f"# {markdown_words(title)}\n"]
    rendered = NOTHING
    if topic.description[lang]:
        parts.append(words(topic.description[lang]) + "\n")
        twin.append(markdown_words(topic.description[lang]) + "\n")
    if topic.introduction[lang]:
        parts.append(words(topic.introduction[lang]) + "\n")
        twin.append(markdown_words(topic.introduction[lang]) + "\n")
    if intro:
        links = site.graph.links[f"notes/{intro.file}"]
        rendered = site.renderers[intro.lang].render(links, url, drop_title=title)
        parts.append(rendered.staged)
        twin.append(rendered.twin)
    below = [t for t in site.library.topics.values() if t.id.rpartition("/")[0] == topic.id]
    if below:
        parts.append(_topic_list(site, below, url, lang))
    if notes:
        heading = string("reading_order", shown)
        parts.append(f"## {heading} {{#pn-notes}}\n{note_list(site, notes, url, lang)}")
        twin.append(f"## {heading}\n\n{twin_list(site, notes, url, lang)}")
    parts.append(NumbersSection(site, url, shown, lang).staged(rendered.numbers))
    return Page(
        url=url,
        lang=shown if not intro else intro.lang,
        title=title,
        title_id=topic.id.rpartition("/")[2],
        description=topic.description[lang],
        body="\n".join(parts),
        twin="\n".join(twin),
        kind="topic",
        topic=topic.id,
        alternates=site.both(lambda other: site.addresses.topic(topic.id, other)),
        source=site.library.shown(intro.file if intro else "topics.yml"),
        files=rendered.files,
        findings=rendered.findings,
        styles=("evidence",) if rendered.numbers else (),
        scripts=("number",) if rendered.numbers else (),
    )


def _topic_list(site: Site, topics: list[Topic], url: str, lang: str) -> str:
    items = "".join(
        f'<li><a href="{escape(relative(url, site.addresses.topic(t.id, lang)))}">'
        f"{escape(t.title[lang])}</a></li>"
        for t in topics
    )
    return block(f'<ul class="pn-topics">{items}</ul>')


def note_list(site: Site, notes: list[Note], url: str, lang: str) -> str:
    """An ordered list of notes, each with its level and description."""
    items = []
    for note in notes:
        level = note.meta.level
        badge = (
            f' <span class="pn-level pn-level-{level}">{string(level, lang)}</span>'
            if level in ("introductory", "intermediate", "advanced")
            else ""
        )
        link = site.note_link(url, note, lang)
        about = escape(site.description(note, lang))
        about = f'<p class="pn-about">{about}</p>' if about else ""
        items.append(f"<li>{link}{badge}{about}</li>")
    return block(['<ol class="pn-notes">', *items, "</ol>"])


def twin_list(site: Site, notes: list[Note], url: str, lang: str) -> str:
    rows = []
    for note in notes:
        href = relative(url, markdown_file(site.addresses.note(note, lang)))
        about = site.description(note, lang)
        about = f": {markdown_words(about)}" if about else ""
        rows.append(f"- [{markdown_words(site.title(note, lang))}]({href}){about}\n")
    return "".join(rows)
