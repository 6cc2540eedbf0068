"""Documents for pages that are made from tables: sections of the site, places, machines.

Readers look for these by their names, so each document has the names that people use for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from perfnotes.graph.site import Site
from perfnotes.model.calculator import Calculator
from perfnotes.model.machine import Machine
from perfnotes.model.note import Note
from perfnotes.model.symptom import Place
from perfnotes.search.blocks import plain_blocks
from perfnotes.search.document import Block, SearchDocument, split
from perfnotes.site.pages import sections, with_function
from perfnotes.site.pages._results import without_hidden
from perfnotes.site.pages._section import Section
from perfnotes.site.pages.machines import results_by_machine
from perfnotes.site.pages.symptoms import place_address
from perfnotes.site.strings import string
from perfnotes.text.joining import joins

LANGUAGES = ("en", "zh")
PLACES = "symptoms/"  # what the ids of the places of the page of symptoms begin with
Pair = tuple[SearchDocument, SearchDocument]  # the English and the Chinese document of a thing
_CALCULATOR = {"en": "calculator", "zh": "计算器"}


def section_documents(site: Site) -> Iterator[Pair]:
    """Yield the pages at the top of the site's sections, such as the latency numbers.

    A page kind may have a function ``listed(site, lang)``, which yields what its section lists.
    """
    lists = {kind.SECTION.name: kind.listed for kind in with_function("listed")}
    for section in sections().values():
        if not section.lead or not section.exists(site):
            continue
        contents = lists.get(section.name, lambda *_: ())
        en, zh = (_section(site, section, lang, tuple(contents(site, lang))) for lang in LANGUAGES)
        yield en, zh


def _section(site: Site, section: Section, lang: str, lines: tuple[str, ...]) -> SearchDocument:
    title, joined = section.title_in(lang), joins(lang).semicolon.join(lines)
    return SearchDocument(
        id=section.name,
        url=section.url(site, lang),
        title=title,
        lang=lang,
        type="page",
        blocks=(*plain_blocks(string(section.lead, lang)), *split("", "", joined, "")),
        names=(title, *section.names[lang == "zh"]),
    )


def place_documents(site: Site) -> Iterator[Pair]:
    """Yield the places of the page of symptoms, such as "Memory grows".

    A query that is equal to a place's title, or to a line of ``also``, finds the place first.
    """
    for place in site.library.symptom_index.places:
        en, zh = (_place(site, place, lang) for lang in LANGUAGES)
        yield en, zh


def _place(site: Site, place: Place, lang: str) -> SearchDocument:
    semicolon = joins(lang).semicolon
    said = (
        f"{question.ask[lang]} {semicolon.join(answer.says[lang] for answer in question.answers)}"
        for question in place.questions
    )
    return SearchDocument(
        id=f"{PLACES}{place.id}",
        url=place_address(site, place, lang),
        title=place.title[lang],
        lang=lang,
        type="page",
        blocks=tuple(split("", "", " ".join(said).replace("`", ""), "")),
        names=(place.title[lang], *place.also.get(lang, ())),
    )


def machine_documents(site: Site) -> Iterator[Pair]:
    """Yield the machines that recorded results come from, each as its newest result tells it."""
    for id, results in results_by_machine(site).items():
        machine = results[0].machine
        english = SearchDocument(
            id=f"machines/{id}",
            url=f"{site.addresses.section('machines', 'en')}#{id}",
            title=id,
            lang="en",
            type="machine",
            blocks=(Block("", "", _described(machine)),),
            names=(id, without_hidden(machine.cpu)) if machine.cpu else (id,),
            extra="machine 机器",
        )
        url = f"{site.addresses.section('machines', 'zh')}#{id}"
        yield english, replace(english, lang="zh", url=url, is_copy=True)


def _described(machine: Machine) -> str:
    facts = (machine.cpu, machine.arch, *machine.gpus, machine.system, machine.kernel)
    return ", ".join(
        " ".join(without_hidden(fact).split()) for fact in (*facts, machine.hypervisor) if fact
    )


def tool_documents(site: Site) -> Iterator[Pair]:
    """Yield the tools, such as ``perf stat``. Each is found by its commands."""
    for tool in site.library.tools.by_id.values():
        en, zh = (
            SearchDocument(
                id=f"tools/{tool.id}",
                url=site.addresses.tool(tool.id, lang),
                title=tool.name,
                lang=lang,
                type="tool",
                blocks=plain_blocks(f"{tool.shows[lang]} {tool.misses[lang]}".replace("`", "")),
                names=(tool.name, *(" ".join(command) for command in tool.commands)),
                extra="tool 工具",
            )
            for lang in LANGUAGES
        )
        yield en, zh


def calculator_documents(site: Site) -> Iterator[Pair]:
    """Yield the calculators. Their addresses do not depend on the text that shows them."""
    for of_note in site.library.calculators.values():
        for calculator in of_note.values():
            en, zh = (_calculator(site, calculator, lang) for lang in LANGUAGES)
            yield en, zh


def _calculator(site: Site, made: Calculator, lang: str) -> SearchDocument:
    note = site.library.notes[made.note]
    inputs = joins(lang).item.join(each.what[lang] for each in made.inputs)
    outputs = joins(lang).item.join(each.what[lang] for each in made.outputs)
    title = f"{_CALCULATOR[lang].capitalize()}{joins(lang).colon}{made.title[lang]}"
    return SearchDocument(
        id=f"calculators/{made.note}/{made.id}",
        url=f"{site.addresses.note(note, lang)}#{made.anchor}",
        title=title,
        lang=lang,
        type="calculator",
        blocks=tuple(split("", "", f"{inputs} → {outputs}", "")),
        topic=note.topic,
        tags=note.meta.tags,
        names=(made.title[lang], title, _CALCULATOR[lang], *_calculators_of(site, note, lang)),
        extra=_CALCULATOR["zh" if lang == "en" else "en"],
    )


def _calculators_of(site: Site, note: Note, lang: str) -> Iterator[str]:
    """Yield names such as "roofline calculator", for the note and the terms that it explains."""
    if lang == "en":
        yield f"{note.id.rpartition('/')[2].replace('-', ' ')} {_CALCULATOR[lang]}"
    for term in site.library.terms.values():
        if term.note == note.id:
            space = " " if lang == "en" else ""
            yield f"{term.name[lang]}{space}{_CALCULATOR[lang]}"
