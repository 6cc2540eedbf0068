"""The lists of the home page, such as topics, newest results, most cited papers and help wanted.

Each list is made by a function of the site, the page's address and its language. It returns HTML,
or an empty string if there is nothing to list. ``LISTS`` maps the names of the lists to functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from perfnotes.graph import gaps
from perfnotes.graph.address import relative
from perfnotes.graph.binding import Found
from perfnotes.graph.site import Site
from perfnotes.graph.starting_points import beginnings
from perfnotes.model.lab import Claim
from perfnotes.model.note import LEVELS
from perfnotes.model.quantity.amount import amount
from perfnotes.model.verdict import HOLDS
from perfnotes.site.page import block
from perfnotes.site.pages._live_number import live_number
from perfnotes.site.pages._parts import count, level_mark, note_link
from perfnotes.site.pages._results import failing
from perfnotes.site.pages.graph import GRAPH_LIST
from perfnotes.site.pages.recent import newest
from perfnotes.site.render.language import lang_attribute
from perfnotes.site.render.markup import escape
from perfnotes.site.render.sentence import sentence_html
from perfnotes.site.strings import add_words, label_language, string
from perfnotes.source.bib.citestyle import label

WORDS = {
    "find": ("Search the notes, papers, terms and numbers", "搜索笔记、文献、术语与数字"),
}
add_words(WORDS)

_MOST = 6  # items of a list
_BEGINNINGS = 3  # notes that are named for each topic
_EFFECT = 1.5  # a ratio above this, or below its inverse, counts as an effect


def find(site: Site, url: str, lang: str) -> str:
    """Return the field that opens the search."""
    return search_field(site, url, lang, lang)


def search_field(site: Site, url: str, lang: str, label_lang: str) -> str:
    """Return a field that opens the search. Without scripts it is a link to the search page.

    ``lang`` is the part of the site that the page is in, ``label_lang`` the language of its words.
    """
    href = escape(relative(url, site.addresses.section("search", lang)))
    glass = (
        '<svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="6.5" cy="6.5" r="4.5"/>'
        '<path d="M10 10l4.5 4.5"/></svg>'
    )
    return block(f'<p class="pn-find"><a href="{href}">{glass}{string("find", label_lang)}</a></p>')


def counts(site: Site, url: str, lang: str) -> str:
    """Return the numbers of notes, claims, papers and terms, each with a link to them."""
    library = site.library
    cited = len(library.references) - len(site.derived(gaps.uncited))
    claims = sum(len(lab.claims) for id, lab in library.labs.items() if library.results.get(id))
    # Only the page of the graph lists all notes.
    notes, place = ("graph", f"#{GRAPH_LIST}") if site.has_knowledge else ("recent", "")
    shown = (
        ("count_notes", len(library.notes), notes, place),
        ("count_claims", claims, "machines", ""),
        ("count_papers", cited, "references", ""),
        ("count_terms", len(library.terms), "glossary", ""),
    )
    parts = []
    for key, n, section, fragment in shown:
        if n:
            href = escape(relative(url, site.addresses.section(section, lang)) + fragment)
            parts.append(f'<a href="{href}">{count(key, n, lang)}</a>')
    return block(f'<p class="pn-counts">{" · ".join(parts)}</p>') if parts else ""


def places(site: Site, url: str, lang: str) -> str:
    """Return the places by which one looks for a symptom, and the list of what to run first."""
    page = escape(relative(url, site.addresses.section("symptoms", lang)))
    items = [
        f'<li><a href="{page}#symptoms--{place}">{escape(title)}</a></li>'
        for place, title in place_titles(site, lang)
    ]
    return block(['<ul class="pn-places">', *items, "</ul>"]) if items else ""


def place_titles(site: Site, lang: str) -> list[tuple[str, str]]:
    """Return the id and the title of each part of the page of symptoms."""
    index = site.library.symptom_index
    found = [(place.id, place.title[lang]) for place in index.places]
    return [*found, ("first", string("first_title", lang))] if index.first else found


def topics(site: Site, url: str, lang: str) -> str:
    """Return every topic with the notes to read first."""
    label_lang = label_language(site, lang)
    items = []
    for topic in site.library.topics.values():
        notes = site.library.by_topic.get(topic.id, [])
        if not topic.id or topic.depth > 1:
            continue
        href = escape(relative(url, site.addresses.topic(topic.id, lang)))
        first = "".join(
            f"<li>{note_link(site, url, n, lang)}"
            + (f" {level_mark(n.meta.level, label_lang)}" if n.meta.level in LEVELS else "")
            + "</li>"
            for n in beginnings(notes, site.weights, _BEGINNINGS)
        )
        about = escape(topic.description[lang])
        about = f"<p>{about}</p>" if about else ""
        items.append(
            f'<li><a class="pn-topic" href="{href}">{escape(topic.title[lang])}</a>'
            f' <span class="pn-count">{len(notes)}</span>{about}'
            + (f"<ul>{first}</ul></li>" if first else "</li>")
        )
    return block(['<ul class="pn-topics">', *items, "</ul>"]) if items else ""


def measured(site: Site, url: str, lang: str) -> str:
    """Return the newest results: one claim of each, an effect if the note shows one."""
    rows = []
    for found in site.derived(_ranked_claims)[:_MOST]:
        assert found.lab
        assert found.value
        assert found.verdict
        assert found.verdict.spread
        day = site.library.results[found.lab.id][found.machine].date
        number = escape(amount(found.verdict.spread.median, found.value.unit, 3))
        lab = escape(relative(url, site.addresses.lab(found.lab.id, lang)))
        note = site.library.notes[found.lab.id]
        machine = escape(
            relative(url, site.addresses.section("machines", lang)) + f"#{found.machine}"
        )
        rows.append(
            f'<li><a class="pn-figure-of" href="{lab}">{number}</a><div>'
            f"<p>{sentence_html(found.value.what[lang])}</p>"
            f'<p class="pn-facts">{note_link(site, url, note, lang)} · '
            f'<a href="{machine}">{escape(found.machine)}</a> · '
            f'<time datetime="{day}">{day}</time></p></div></li>'
        )
    return block(['<ul class="pn-measured-lately">', *rows, "</ul>"]) if rows else ""


def live(site: Site, url: str, lang: str) -> str:
    """Return the number of a recorded claim in its sentence, with its card open."""
    return live_number(site, site.derived(_ranked_claims), url, lang)


def _ranked_claims(site: Site) -> list[Found]:
    """Return one claim for each note with claims that hold, the newest first.

    Among claims of one day, effects come first, and the topics take turns.
    """
    turns: dict[tuple[str, str], int] = {}
    ranked = []
    for group in site.library.by_topic.values():
        for note in group:
            claims = list(_holding(site, note.file))
            found = next(filter(_is_effect, claims), next(iter(claims), None))
            if found and found.lab:
                day = site.library.results[found.lab.id][found.machine].date
                turn = turns[day, note.topic] = turns.get((day, note.topic), 0) + 1
                ranked.append((day, turn, found))
    ranked.sort(key=lambda each: (not _is_effect(each[2]), each[1]))
    ranked.sort(key=lambda each: each[0], reverse=True)
    return [found for _, _, found in ranked]


def _is_effect(found: Found) -> bool:
    """Return whether the number is a ratio far from one."""
    return found.unit == "×" and not 1 / _EFFECT < (found.number or 1.0) < _EFFECT


def _holding(site: Site, file: str) -> Iterator[Found]:
    """Yield the claims of the note's own lab that hold, in the order of the note's text."""
    for binding in site.graph.links[f"notes/{file}"].bindings:
        found = binding.found
        if found.lab is None or found.verdict is None or found.stat:
            continue
        own = f"{found.lab.folder}/".startswith(f"{file.rpartition('/')[0]}/")
        if own and isinstance(found.value, Claim) and found.verdict.state == HOLDS:
            yield found


def recent(site: Site, url: str, lang: str) -> str:
    """Return the notes that were changed last, each with the day."""
    items = [
        f'<li>{note_link(site, url, note, lang)} <time datetime="{day}">{day}</time></li>'
        for day, note in newest(site, _MOST)
    ]
    return block(['<ul class="pn-recent">', *items, "</ul>"]) if items else ""


def cited(site: Site, url: str, lang: str) -> str:
    """Return the references that most notes cite."""
    uses = site.derived(_uses)
    items = []
    for key in sorted(uses, key=lambda k: (-uses[k], k))[:_MOST]:
        reference = site.library.references[key]
        href = escape(relative(url, site.addresses.reference(key, lang)))
        title = reference.title or key
        items.append(
            f'<li><a href="{href}"{lang_attribute(title, lang)}>{escape(title)}</a> '
            f'<span class="pn-count">{escape(label(reference, lang))} · '
            f"{count('cited_by', uses[key], lang)}</span></li>"
        )
    return block(['<ul class="pn-cited">', *items, "</ul>"]) if items else ""


def _uses(site: Site) -> dict[str, int]:
    """Return how many notes cite each reference, without those that no note cites."""
    cited_by = site.graph.cited_by.items()
    return {key: len({edge.source for edge in edges}) for key, edges in cited_by if edges}


def wanted(site: Site, url: str, lang: str) -> str:
    """Return the numbers of open jobs by kind, with links to where they are listed."""
    machines = {m for results in site.library.results.values() for m in results}
    shown = (
        ("help_subjects", sum(map(len, gaps.wanted_subjects(site).values())), "subjects"),
        ("help_failing", len(site.derived(failing)), "failing"),
        ("help_machine", int(len(machines) == 1), "machine"),
        ("help_numbers", sum(len(n) for _, n in site.derived(gaps.without_evidence)), "numbers"),
        ("help_late", len(gaps.outdated_translations(site)), "late"),
        ("help_chinese", len(gaps.untranslated(site)), "untranslated"),
        ("help_papers", len(site.derived(gaps.uncited)), "papers"),
    )
    page = relative(url, site.addresses.section("help-wanted", lang))
    items = [
        f'<li><a href="{escape(page)}#wanted--{part}">{string(key, lang, n=n)}</a></li>'
        for key, n, part in shown
        if n
    ]
    return block(['<ul class="pn-wanted">', *items, "</ul>"]) if items else ""


LISTS: Mapping[str, Callable[[Site, str, str], str]] = {
    "find": find,
    "counts": counts,
    "live": live,
    "symptoms": places,
    "topics": topics,
    "measured": measured,
    "recent": recent,
    "cited": cited,
    "wanted": wanted,
}
