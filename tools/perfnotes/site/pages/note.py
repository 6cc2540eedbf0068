"""The page of a note, in each language in which it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from perfnotes.graph.address import markdown_file, relative
from perfnotes.graph.reviews import review_states
from perfnotes.graph.site import Site
from perfnotes.graph.targets import LinkedText
from perfnotes.model.note import Note
from perfnotes.model.review import ReviewState
from perfnotes.site.navigation import index_of, listed_in_navigation
from perfnotes.site.page import Page, PageAddress, block
from perfnotes.site.page_footer import credit, footer_links, review_lines
from perfnotes.site.page_plan import OF_TEXTS, Name, PagePlan
from perfnotes.site.pages._cite_page import cite_page
from perfnotes.site.pages._linked_notes_picture import section_of_linked_notes, sides
from perfnotes.site.pages._note_data import structured_data
from perfnotes.site.pages._note_lists import (
    backlinks_section,
    by_title,
    cited_keys,
    read_next,
    read_next_section,
    references_section,
)
from perfnotes.site.pages._note_title import NoteVersion, title_block
from perfnotes.site.pages._numbers import NumbersSection
from perfnotes.site.pages._shown import shown_by
from perfnotes.site.pages._tryit import try_it, try_it_markdown
from perfnotes.site.render.body import body_renderer
from perfnotes.site.render.language import lang_attribute
from perfnotes.site.render.markup import escape, escape_markdown
from perfnotes.site.theme_files import files_of_explorables
from perfnotes.site.twin_address import twin_address
from perfnotes.source.bib.citestyle import full_text


def plans(site: Site, lang: str) -> Iterator[PagePlan]:
    for group in site.library.by_topic.values():
        for i in range(len(group)):
            version = _version(site, group[i], lang)
            if version:
                yield PagePlan(
                    version.url,
                    frozenset((kind, version.note.id) for kind in OF_TEXTS),
                    partial(_shows, version, group, i),
                    partial(_page, version, *_beside(group, i)),
                )


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    library = site.library
    for group in library.by_topic.values():
        for note in group:
            twin = library.translations.get(note.id)
            if lang == "en":
                yield PageAddress(note.url, library.shown(note.file))
            elif twin:
                yield PageAddress(twin.url, library.shown(twin.file))


def page_of(site: Site, text: LinkedText) -> Iterator[Page]:
    """Yield the page of a note's text."""
    if text.kind == "note":
        group = site.library.by_topic[text.topic]
        at = index_of(group, text.id)
        lang = "zh" if text.id in site.library.translations and text.lang == "zh" else "en"
        version = _version(site, group[at], lang)
        if version:
            yield _page(version, *_beside(group, at))


def _beside(group: Sequence[Note], i: int) -> tuple[Note | None, Note | None]:
    """Return the notes before and after the one at index ``i``; None at either end."""
    return group[i - 1] if i else None, group[i + 1] if i + 1 < len(group) else None


def _shows(version: NoteVersion, group: Sequence[Note], at: int) -> frozenset[Name]:
    """Return what the page of a note shows beyond texts.

    ``group`` are the notes of its topic, ``at`` is its index there.
    """
    site, note, links = version.site, version.note, version.links
    cited_by = site.graph.cited_by
    beside = tuple(tuple(other.id for other in side) for side in sides(site, note))
    below = tuple(other.id for other in read_next(version))
    linking = {edge.source for edge in site.graph.inbound.get(note.id, ())}
    return frozenset(
        {
            *((kind, note.id) for kind in ("calculators", "lab", "tags", "symptoms")),
            ("review", version.file),
            *(("tag", tag) for tag in note.meta.tags),
            *(
                ("note", id)
                for id in {note.id, *sum(beside, ()), *below, *linking, *note.meta.requires}
            ),
            *listed_in_navigation(group, at),
            *(("around", beside), ("read next", below)),
            ("backlinks", *by_title(site.library.notes, linking)),
            *(
                ("citing notes", key, len({edge.source for edge in cited_by.get(key, ())}))
                for key in links.cited
            ),
            *shown_by(site, links),
        }
    )


def _version(site: Site, note: Note, lang: str) -> NoteVersion | None:
    if lang == "en":
        return NoteVersion(site, note, note.meta, note.body, note.file, lang, note.lang)
    twin = site.library.translations.get(note.id)
    return NoteVersion(site, note, twin.meta, twin.body, twin.file, lang, lang) if twin else None


def _page(version: NoteVersion, before: Note | None, after: Note | None) -> Page:
    site, note, meta = version.site, version.note, version.meta
    renderer = body_renderer(site, version.text_lang)
    rendered = renderer.render(version.links, version.url, drop_title=meta.title)
    lab = site.library.labs.get(note.id)
    calculators = 'class="pn-calc"' in rendered.staged
    numbers = NumbersSection(site, version.url, version.text_lang, version.lang)
    numbered = numbers.staged(rendered.numbers)
    picture = section_of_linked_notes(site, note, version.url, version.lang, version.text_lang)
    styles = {
        "note": True,
        "calc": calculators,
        "explore": bool(rendered.explorables),
        "typed": "pn-explore-typed" in rendered.staged,
    }
    parts = [
        block(title_block(version, numbered=bool(rendered.numbers))),
        rendered.staged,
        try_it(site, lab, version.url, version.text_lang, version.lang) if lab else "",
        block(_previous_and_next(version, before, after)),
        read_next_section(version),
        picture,
        references_section(version),
        backlinks_section(version),
        numbered,
        block(review_lines(_reviews(version), version.text_lang)),
        block(credit(site.contributors(note, version.lang), version.text_lang)),
        block(cite_page(version)) if site.library.own else "",
    ]
    lead = version.links.prose.sentence(version.body.document.start)[:200]
    page = Page(
        url=version.url,
        lang=version.text_lang,
        title=meta.title,
        title_id=note.slug,
        description=meta.description or lead,
        body="\n".join(parts),
        markdown=_markdown(version, rendered.markdown, numbers.markdown(rendered.numbers)),
        kind="note",
        topic=note.topic,
        note=note.id,
        alternates=_alternates(site, note),
        previous=_place(version, before),
        next=_place(version, after),
        edit=site.repository.edit(f"{site.settings.notes}/{version.file}"),
        source=site.library.shown(version.file),
        files=rendered.files | files_of_explorables(rendered.explorables),
        findings=rendered.findings,
        styles=tuple(name for name, needed in styles.items() if needed),
        data=structured_data(version, cited_keys(version)) if site.library.own else "",
    )
    return replace(page, foot=footer_links(site, page, ("translate", _translate(version))))


def _reviews(version: NoteVersion) -> list[ReviewState]:
    site, note = version.site, version.note
    is_twin = version.file != note.file
    return review_states(site, site.library.translations[note.id] if is_twin else note)


def _translate(version: NoteVersion) -> str:
    """Return the address at which to begin a Chinese translation of the note.

    This is a file on the code host or, without a repository address, the page that explains it.
    Empty if there is a translation or if the site is not in Chinese.
    """
    site, note = version.site, version.note
    if "zh" not in site.library.languages or note.id in site.library.translations:
        return ""
    begun = twin_address(site, note)
    how = site.docs_address("contributing", version.lang)
    return begun or (f"{version.href(how)}#translation" if how else "")


def _alternates(site: Site, note: Note) -> dict[str, str]:
    if len(site.library.languages) < 2:
        return {}
    twin = site.library.translations.get(note.id)
    return {"en": note.url} | ({"zh": twin.url} if twin else {})


def _place(version: NoteVersion, note: Note | None) -> tuple[str, str] | None:
    """Return the title and address of a neighbouring note."""
    site, lang = version.site, version.lang
    return (site.title(note, lang), site.addresses.note(note, lang)) if note else None


def _previous_and_next(version: NoteVersion, before: Note | None, after: Note | None) -> str:
    """Return links to the notes before and after this one; empty if it is the only one."""
    here = f' lang="{version.text_lang}"'
    links = "".join(
        f'<a class="pn-{key}" rel="{rel}" href="{version.href(place[1])}"{own}>'
        f"<span{own and here}>{version.string(key)}</span> {escape(place[0])}</a>"
        for key, rel, note in (("previous", "prev", before), ("next", "next", after))
        if (place := _place(version, note))
        for own in (lang_attribute(place[0], version.text_lang),)
    )
    if not links:
        return ""
    return f'<nav class="pn-neighbours" aria-label="{version.string("neighbouring")}">{links}</nav>'


def _markdown(version: NoteVersion, text: str, numbers: str) -> str:
    """Return the Markdown copy of the page."""
    meta, site = version.meta, version.site
    parts = [f"# {escape_markdown(meta.title)}\n"]
    if meta.description:
        parts.append(f"> {escape_markdown(meta.description)}\n")
    parts.append(text)
    lab = site.library.labs.get(version.note.id)
    if lab:
        parts.append(try_it_markdown(site, lab, version.url, version.text_lang, version.lang))
    rows = []
    for key in cited_keys(version):
        page = relative(version.url, markdown_file(site.addresses.reference(key, version.lang)))
        rows.append(f"- [{escape_markdown(full_text(site.library.references[key]))}]({page})\n")
    if rows:
        parts.append(f"## {version.string('references')}\n\n{''.join(rows)}")
    if numbers:
        parts.append(numbers)
    return "\n".join(parts)
