"""The page of a topic: what it is about, a map of its notes, and the notes in reading order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from perfnotes.graph.address import markdown_file, relative
from perfnotes.graph.coverage import Share, share
from perfnotes.graph.site import Site
from perfnotes.graph.targets import LinkedText
from perfnotes.model.note import LEVELS, Note
from perfnotes.model.topic import Topic
from perfnotes.site.page import Page, PageAddress, block
from perfnotes.site.page_plan import Name, PagePlan
from perfnotes.site.pages._map import notes_on_map, topic_map
from perfnotes.site.pages._numbers import NumbersSection, number_styles
from perfnotes.site.pages._parts import count, level_mark, note_link
from perfnotes.site.pages._shown import shown_by
from perfnotes.site.render.body import NOTHING, body_renderer
from perfnotes.site.render.language import lang_attribute
from perfnotes.site.render.markup import escape, escape_markdown, escape_staged
from perfnotes.site.strings import add_words, label_language, string
from perfnotes.source.bib.citestyle import label
from perfnotes.text.joining import joins

WORDS = {
    "builds_on": ("builds on", "需先读"),
    "lab_mark": ("lab", "实验"),
    "map": ("Map", "导读图"),
    "minutes_all": ("about {n} min to read", "阅读约 {n} 分钟"),
    "reading_order": ("Reading order", "阅读顺序"),
    "topic_papers": ("Papers it stands on", "主要文献"),
    "traced_share": (
        "{percent}\u00a0% of {total} quantities with evidence",
        "{total} 个量中 {percent}\u00a0% 有依据",
    ),
}
add_words(WORDS)

_MOST_PAPERS = 6
_MOST_WITH_FACTS = 200  # notes; a longer list has no reading times, labs and required notes


def plans(site: Site, lang: str) -> Iterator[PagePlan]:
    for topic in site.library.topics.values():
        if topic.id:  # the root's notes are listed on the home page
            notes = site.library.by_topic.get(topic.id, [])
            yield PagePlan(
                site.addresses.topic(topic.id, lang),
                frozenset(("size", note.id) for note in notes),
                partial(_shows, site, topic, notes),
                partial(_page, site, topic, lang),
            )


def _shows(site: Site, topic: Topic, notes: Sequence[Note]) -> frozenset[Name]:
    """Return what a topic's page shows beyond texts. An edit of topics makes all pages again."""
    shown = {note.id for note in notes}
    shown |= {id for note in notes for id in note.meta.requires}
    papers = _best_papers(site, notes)
    intro = site.library.introductions.get(topic.id)
    return frozenset(
        {
            *(("order", *(note.id for note in notes)), ("papers", *papers)),
            ("map", *(note.id for note in notes_on_map(site, notes))),
            *(("note", id) for id in shown),
            *(("lab", note.id) for note in notes),
            *(("reference", key) for key, _ in papers),
            *((("introduction", topic.id),) if intro else ()),
            *(shown_by(site, site.graph.links[f"notes/{intro.file}"]) if intro else ()),
        }
    )


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    for id in site.library.topics:
        if id:
            intro = site.library.introductions.get(id)
            shown = site.library.shown(intro.file if intro else "topics.yml")
            yield PageAddress(site.addresses.topic(id, lang), shown)


def page_of(site: Site, text: LinkedText) -> Iterator[Page]:
    """Yield the page of the topic that a text introduces."""
    if text.kind == "introduction" and text.id in site.library.topics and text.id:
        yield _page(site, site.library.topics[text.id], "en")


def _page(site: Site, topic: Topic, lang: str) -> Page:
    url = site.addresses.topic(topic.id, lang)
    label_lang = label_language(site, lang)
    notes = site.library.by_topic.get(topic.id, [])
    intro = site.library.introductions.get(topic.id)
    title = topic.title[lang]
    parts, markdown = [], [f"# {escape_markdown(title)}\n"]
    rendered = NOTHING
    if topic.description[lang]:
        parts.append(block(f'<p class="pn-lead">{escape(topic.description[lang])}</p>'))
        markdown.append(escape_markdown(topic.description[lang]) + "\n")
    if notes:
        parts.append(block(f'<p class="pn-facts">{_summary(site, notes, label_lang)}</p>'))
    if topic.introduction[lang]:
        parts.append(escape_staged(topic.introduction[lang]) + "\n")
        markdown.append(escape_markdown(topic.introduction[lang]) + "\n")
    if intro:
        links = site.graph.links[f"notes/{intro.file}"]
        rendered = body_renderer(site, intro.lang).render(links, url, drop_title=title)
        parts.append(rendered.staged)
        markdown.append(rendered.markdown)
    below = site.topics_below(topic.id)
    if below:
        parts.append(_topic_list(site, below, url, lang))
    picture = topic_map(site, notes, title, url, lang)
    if picture:
        parts.append(f"## {string('map', label_lang)} {{#pn-map}}\n{picture}")
    if notes:
        heading = string("reading_order", label_lang)
        parts.append(f"## {heading} {{#pn-notes}}\n{_reading_order(site, notes, url, lang)}")
        markdown.append(f"## {heading}\n\n{markdown_list(site, notes, url, lang)}")
    parts.append(_papers(site, notes, url, lang))
    numbers = NumbersSection(site, url, label_lang, lang).staged(rendered.numbers)
    parts.append(numbers)
    return Page(
        url=url,
        lang=label_lang if not intro else intro.lang,
        title=title,
        title_id=topic.id.rpartition("/")[2],
        description=topic.description[lang],
        body="\n".join(parts),
        markdown="\n".join(markdown),
        kind="topic",
        topic=topic.id,
        alternates=site.alternates(lambda other: site.addresses.topic(topic.id, other)),
        edit=site.edit_table("topics", "topics.yml", topic.offset),
        source=site.library.shown(intro.file if intro else "topics.yml"),
        files=rendered.files,
        findings=rendered.findings,
        styles=("topic", "map", *number_styles(numbers)),
    )


def _summary(site: Site, notes: Sequence[Note], lang: str) -> str:
    """Return a line with the number of notes by level, reading time, labs and traced numbers."""
    levels = Counter(n.meta.level for n in notes)
    by_level = joins(lang).item.join(f"{levels[x]} {string(x, lang)}" for x in LEVELS if levels[x])
    parts = [count("count_notes", len(notes), lang)]
    parts[0] += joins(lang).bracketed(by_level) if by_level else ""
    parts.append(string("minutes_all", lang, n=sum(n.minutes for n in notes)))
    labs = sum(1 for n in notes if n.id in site.library.labs)
    if labs:
        parts.append(count("count_labs", labs, lang))
    traced = sum((_share(site, n) for n in notes), Share(0, 0))
    if traced.total:
        parts.append(string("traced_share", lang, percent=_percent(traced), total=traced.total))
    return " · ".join(parts)


def _share(site: Site, note: Note) -> Share:
    coverage = site.coverages.get(f"notes/{note.file}")
    return share(coverage.judged) if coverage else Share(0, 0)


def _percent(traced: Share) -> int:
    """Return the share in percent, rounded down, so that only a complete one is 100 %."""
    return 100 * traced.evident // traced.total


def _topic_list(site: Site, topics: list[Topic], url: str, lang: str) -> str:
    items = "".join(
        f'<li><a href="{escape(relative(url, site.addresses.topic(t.id, lang)))}">'
        f"{escape(t.title[lang])}</a></li>"
        for t in topics
    )
    return block(f'<ul class="pn-topics">{items}</ul>')


def _reading_order(site: Site, notes: Sequence[Note], url: str, lang: str) -> str:
    """Return the list of notes, each with its description, level, reading time and requirements."""
    if len(notes) > _MOST_WITH_FACTS:
        return note_list(site, notes, url, lang)
    items = []
    for note in notes:
        about = about_note(site, note, lang)
        link = note_link(site, url, note, lang)
        items.append(
            f'<li>{link}{about}<p class="pn-facts">{_facts(site, note, url, lang)}</p></li>'
        )
    return block(['<ol class="pn-notes pn-order">', *items, "</ol>"])


def _facts(site: Site, note: Note, url: str, lang: str) -> str:
    label_lang = label_language(site, lang)
    parts = [level_mark(note.meta.level, label_lang)] if note.meta.level in LEVELS else []
    parts.append(f"<span>{string('minutes', label_lang, n=note.minutes)}</span>")
    parts += _evidence(site, note, url, lang)
    requires = [site.library.notes[r] for r in note.meta.requires if r in site.library.notes]
    if requires:
        before = joins(label_lang).item.join(note_link(site, url, n, lang) for n in requires)
        parts.append(f"<span>{string('builds_on', label_lang)} {before}</span>")
    return " · ".join(parts)


def _evidence(site: Site, note: Note, url: str, lang: str) -> Iterator[str]:
    """Yield how many of a note's numbers have evidence; the words lead to its lab if it has one.

    Most notes have a lab, so a word of its own for it would stand in almost each row of the list.
    A lab of a note without such numbers has one.
    """
    label_lang = label_language(site, lang)
    lab, traced = site.library.labs.get(note.id), _share(site, note)
    words = string("lab_mark", label_lang)
    if traced.total:
        percent = _percent(traced)
        words = string("traced_share", label_lang, percent=percent, total=traced.total)
    if lab:
        href = escape(relative(url, site.addresses.lab(lab.id, lang)))
        yield f'<a href="{href}" title="{string("lab_mark", label_lang)}">{words}</a>'
    elif traced.total:
        yield f"<span>{words}</span>"


def _best_papers(site: Site, notes: Sequence[Note]) -> list[tuple[str, int]]:
    """Return the keys of the references that most notes cite, each with the number of notes."""
    uses: Counter[str] = Counter()
    for note in notes:
        uses.update(site.graph.cites.get(note.id, ()))
    best = ((key, n) for key, n in uses.items() if n > 1)
    return sorted(best, key=lambda each: (-each[1], each[0]))[:_MOST_PAPERS]


def _papers(site: Site, notes: Sequence[Note], url: str, lang: str) -> str:
    """Return a section with the papers that most notes cite; each is cited by at least two."""
    best = _best_papers(site, notes)
    if not best:
        return ""
    items = []
    for key, uses in best:
        reference = site.library.references[key]
        href = escape(relative(url, site.addresses.reference(key, lang)))
        title = reference.title or key
        items.append(
            f'<li><a href="{href}"{lang_attribute(title, lang)}>{escape(title)}</a> '
            f'<span class="pn-count">{escape(label(reference, lang))} · '
            f"{count('cited_by', uses, lang)}</span></li>"
        )
    heading = f"## {string('topic_papers', lang)} {{#pn-papers}}\n"
    return heading + block(['<ul class="pn-cited">', *items, "</ul>"])


def about_note(site: Site, note: Note, lang: str) -> str:
    """Return a note's description as HTML; empty if it has none."""
    about = site.description(note, lang)
    own = lang_attribute(about, label_language(site, lang))
    return f'<p class="pn-about"{own}>{escape(about)}</p>' if about else ""


def note_list(site: Site, notes: Sequence[Note], url: str, lang: str) -> str:
    """Return an ordered list of notes, each with its level and description, as HTML."""
    items = []
    for note in notes:
        level = note.meta.level
        badge = f" {level_mark(level, label_language(site, lang))}" if level in LEVELS else ""
        link = note_link(site, url, note, lang)
        about = about_note(site, note, lang)
        items.append(f"<li>{link}{badge}{about}</li>")
    return block(['<ol class="pn-notes">', *items, "</ol>"])


def markdown_list(site: Site, notes: Sequence[Note], url: str, lang: str) -> str:
    rows = []
    for note in notes:
        href = relative(url, markdown_file(site.addresses.note(note, lang)))
        about = site.description(note, lang)
        about = f"{joins(lang).colon}{escape_markdown(about)}" if about else ""
        rows.append(f"- [{escape_markdown(site.title(note, lang))}]({href}){about}\n")
    return "".join(rows)
