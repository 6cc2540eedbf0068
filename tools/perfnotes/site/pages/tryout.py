"""The page that lists all things to try and all calculators, each with its note."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from perfnotes.explorables._explorable import Explorable
from perfnotes.explorables._typed_line import TypedLine
from perfnotes.graph.address import to_place
from perfnotes.graph.explorables import placed_explorables
from perfnotes.graph.site import Site
from perfnotes.model.bilingual import Bilingual
from perfnotes.model.note import Note
from perfnotes.site.page import Page, block
from perfnotes.site.pages._parts import note_link
from perfnotes.site.pages._section import Section
from perfnotes.site.render.markup import escape, escape_markdown
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

WORDS = {
    "tryout_lead": (
        "Pictures that you can change and formulas that take your own numbers. Each stands in the "
        "note that explains it, and shows a worked example without scripts.",
        "可以改动的图，和可以代入自己数字的公式。它们都在讲解它们的笔记里，不用脚本也能看到算好的例子。",
    ),
    "tryout_pictures": ("Things to try", "可以试的图"),
    "tryout_calculators": ("Calculators", "计算器"),
}
add_words(WORDS)

SECTION = Section(
    "try",
    ("Calculators and things to try", "计算器与可以试的图"),
    # The calculators first: to find a picture, the modules of all explorables are imported.
    exists=lambda site: bool(site.library.own and (_calculators(site) or site.derived(_pictures))),
    place=30,
    llms=25,
    lead="tryout_lead",
    names=(
        ("calculators", "interactive figures", "try it", "playground"),
        ("计算器", "互动图", "动手试试"),
    ),
)


class _Entry(Struct, frozen=True):
    """A picture or a calculator, with what it answers, its notes and its anchor in them."""

    notes: tuple[Note, ...]
    anchor: str
    title: Bilingual
    about: Bilingual


def pages(site: Site, lang: str) -> Iterator[Page]:
    if SECTION.exists(site):
        yield _page(site, lang)


def listed(site: Site, lang: str) -> Iterator[str]:
    """Yield the titles of the entries; the search finds the page by them."""
    yield from (entry.title[lang] for _, entries in _all(site) for entry in entries)


def _all(site: Site) -> list[tuple[str, list[_Entry]]]:
    found = (
        ("tryout_pictures", site.derived(_pictures)),
        ("tryout_calculators", _calculators(site)),
    )
    return [(key, entries) for key, entries in found if entries]


def _pictures(site: Site) -> list[_Entry]:
    """Return the things to try that the notes show, in the order of the site."""
    shown: dict[str, tuple[Explorable | TypedLine, list[Note]]] = {}
    for group in site.library.by_topic.values():
        for note in group:
            links = site.graph.links[f"notes/{note.file}"]
            for each in placed_explorables(links, site.graph.evidence):
                made = each.explorable
                stale = any(map(site.graph.evidence.is_stale, each.found.values()))
                if made and not each.problem and not stale:
                    shown.setdefault(each.name, (made, []))[1].append(note)
    return [
        _Entry(tuple(notes), f"explore-{name}", made.title, made.lead)
        for name, (made, notes) in shown.items()
    ]


def _calculators(site: Site) -> list[_Entry]:
    """Return the calculators, in the order of the site."""
    found = []
    for group in site.library.by_topic.values():
        for note in group:
            for made in site.library.calculators.get(note.id, {}).values():
                en, zh = (
                    joins(lang).semicolon.join(each.what[lang] for each in made.outputs)
                    for lang in ("en", "zh")
                )
                found.append(_Entry((note,), made.anchor, made.title, Bilingual(en, zh)))
    return found


def _page(site: Site, lang: str) -> Page:
    url, title, lead = SECTION.url(site, lang), SECTION.title_in(lang), string("tryout_lead", lang)
    body, markdown = [f"{lead}\n"], [f"# {title}\n\n{lead}\n"]
    for key, entries in _all(site):
        items, rows = [], []
        for entry in entries:
            place = f"{site.addresses.note(entry.notes[0], lang)}#{entry.anchor}"
            href = escape(to_place(url, place))
            notes = joins(lang).item.join(note_link(site, url, note, lang) for note in entry.notes)
            items.append(
                f'<dt><a href="{href}">{escape(entry.title[lang])}</a></dt>'
                f"<dd>{escape(entry.about[lang])} <small>{notes}</small></dd>"
            )
            name, about = (escape_markdown(text[lang]) for text in (entry.title, entry.about))
            rows.append(
                f"- [{name}]({to_place(url, place, markdown=True)}){joins(lang).colon}{about}\n"
            )
        body.append(f"## {string(key, lang)} {{#{key.replace('_', '--')}}}\n")
        body.append(block(['<dl class="pn-tools">', *items, "</dl>"]))
        markdown.append(f"\n## {string(key, lang)}\n\n{''.join(rows)}")
    return Page(
        url=url,
        lang=lang,
        title=title,
        title_id="try--top",
        description=lead,
        body="\n".join(body),
        markdown="".join(markdown),
        kind="try",
        section=SECTION.name,
        alternates=SECTION.alternates(site),
        styles=("tools",),
    )
