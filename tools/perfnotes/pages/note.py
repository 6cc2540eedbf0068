"""The page of a note, in each language that it is written in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from perfnotes.address import markdown_file, relative
from perfnotes.bib.citestyle import full_text
from perfnotes.link.graph import Edge, Links
from perfnotes.note import LEVELS, Meta, Note
from perfnotes.page import Page, block
from perfnotes.pages._numbers import NumbersSection
from perfnotes.pages._parts import quote_list, reference_links
from perfnotes.pages._tryit import try_it, try_it_twin
from perfnotes.render.markup import escape, markdown_words
from perfnotes.site import Site
from perfnotes.strings import string
from perfnotes.text.body import Body
from perfnotes.text.prose import reading_minutes
from perfnotes.translation import Translation


@dataclass(frozen=True)
class _Version:
    """A note in one language.

    ``lang`` is the part of the site that the page is in; ``words`` the language that it is written
    in. They differ where a foreign folder's notes are Chinese: those lie at the root.
    """

    site: Site
    note: Note
    meta: Meta
    body: Body
    file: str
    lang: str
    words: str

    @property
    def url(self) -> str:
        return self.site.addresses.note(self.note, self.lang)

    @property
    def links(self) -> Links:
        return self.site.graph.links[f"notes/{self.file}"]

    def string(self, key: str, **values: object) -> str:
        return string(key, self.words, **values)

    def link(self, note: Note) -> str:
        return self.site.note_link(self.url, note, self.lang)

    def href(self, address: str) -> str:
        return escape(relative(self.url, address))


def pages(site: Site, lang: str) -> Iterator[Page]:
    for group in site.library.by_topic.values():
        for i, note in enumerate(group):
            version = _version(site, note, lang)
            if version:
                before = group[i - 1] if i else None
                after = group[i + 1] if i + 1 < len(group) else None
                yield _page(version, before, after)


def _version(site: Site, note: Note, lang: str) -> _Version | None:
    if lang == "en":
        return _Version(site, note, note.meta, note.body, note.file, lang, note.lang)
    twin = site.library.translations.get(note.id)
    return _Version(site, note, twin.meta, twin.body, twin.file, lang, lang) if twin else None


def _page(version: _Version, before: Note | None, after: Note | None) -> Page:
    site, note, meta = version.site, version.note, version.meta
    renderer = site.renderers[version.words]
    rendered = renderer.render(version.links, version.url, drop_title=meta.title)
    path = f"{site.settings.notes}/{version.file}"
    edit = site.edit_url(path) if site.library.own else ""
    lab = site.library.labs.get(note.id)
    credited = 'class="pn-recorded"' in rendered.staged
    numbers = NumbersSection(site, version.url, version.words, version.lang)
    parts = [
        block(_title_block(version)),
        rendered.staged,
        try_it(site, lab, version.url, version.words, version.lang) if lab else "",
        _references(version),
        _backlinks(version),
        _related(version),
        numbers.staged(rendered.numbers),
        block(_foot(version, path, edit)) if edit else "",
    ]
    previous, following = (
        (site.title(n, version.lang), site.addresses.note(n, version.lang)) if n else None
        for n in (before, after)
    )
    lead = version.links.prose.sentence(version.body.document.start)[:200]
    return Page(
        url=version.url,
        lang=version.words,
        title=meta.title,
        title_id=note.slug,
        description=meta.description or lead,
        body="\n".join(parts),
        twin=_twin(version, rendered.twin, numbers.twin(rendered.numbers)),
        kind="note",
        topic=note.topic,
        note=note.id,
        alternates=_alternates(site, note),
        previous=previous,
        next=following,
        edit=edit,
        source=site.library.shown(version.file),
        files=rendered.files,
        findings=rendered.findings,
        styles=("evidence",) if lab or rendered.numbers or credited else (),
        scripts=("number",) if rendered.numbers else (),
    )


def _alternates(site: Site, note: Note) -> dict[str, str]:
    if len(site.library.languages) < 2:
        return {}
    twin = site.library.translations.get(note.id)
    return {"en": note.url} | ({"zh": twin.url} if twin else {})


def _title_block(version: _Version) -> str:
    site, original = version.site, version.note.meta
    rows = [f'<p class="pn-facts">{" · ".join(_facts(version))}</p>']
    tags = [site.library.tags[t] for t in original.tags if t in site.library.tags]
    if tags:
        items = " ".join(
            f'<a class="pn-tag" rel="tag" '
            f'href="{version.href(site.addresses.tag(tag.id, version.lang))}">'
            f"{escape(tag.name[version.words])}</a>"
            for tag in tags
        )
        rows.append(f'<p class="pn-tags">{items}</p>')
    requires = [site.library.notes[r] for r in original.requires if r in site.library.notes]
    if requires:
        items = ", ".join(version.link(note) for note in requires)
        rows.append(f'<p class="pn-requires">{version.string("requires")}: {items}</p>')
    twin = site.library.translations.get(version.note.id)
    if version.lang == "zh" and twin and twin.is_behind:
        rows.append(_behind(version, twin))
    return f'<div class="pn-title">{"".join(rows)}</div>'


def _facts(version: _Version) -> list[str]:
    original = version.note.meta
    facts = []
    if original.level in LEVELS:
        level = version.string(original.level)
        facts.append(f'<span class="pn-level pn-level-{original.level}">{level}</span>')
    minutes = reading_minutes(version.body.text)
    facts.append(f"<span>{version.string('minutes', n=minutes)}</span>")
    day = version.meta.updated or version.site.updated(version.note)
    if day:
        time = f'<time datetime="{day}">{day}</time>'
        facts.append(f"<span>{version.string('updated')} {time}</span>")
    authors = version.meta.authors or original.authors
    if authors:
        facts.append(f"<span>{escape(', '.join(authors))}</span>")
    return facts


def _behind(version: _Version, twin: Translation) -> str:
    return (
        f'<p class="pn-behind" role="note">{version.string("behind")} '
        f'<a href="{version.href(f"{twin.url}changes/")}">{version.string("behind_link")}</a></p>'
    )


def _section(version: _Version, key: str, items: list[str]) -> str:
    """A heading and a list, or nothing where the list is empty."""
    if not items:
        return ""
    heading = f"## {version.string(key)} {{#pn-{key}}}\n"
    return heading + block([f'<ul class="pn-{key}">', *items, "</ul>"])


def _references(version: _Version) -> str:
    items = []
    for key in _cited(version):
        reference = version.site.library.references[key]
        page = version.href(version.site.addresses.reference(key, version.lang))
        quotes = quote_list(version.links.cited[key])
        items.append(
            f'<li><a class="pn-ref" href="{page}">{escape(full_text(reference))}</a> '
            f"{reference_links(reference)}"
            f"<details><summary>{version.string('cited_for')}</summary>{quotes}</details></li>"
        )
    return _section(version, "references", items)


def _cited(version: _Version) -> list[str]:
    """The keys that the note cites, in the order of a bibliography."""
    references = version.site.library.references
    return sorted(version.links.cited, key=lambda k: (full_text(references[k]).casefold(), k))


def _backlinks(version: _Version) -> str:
    graph, notes = version.site.graph, version.site.library.notes
    groups: dict[str, list[Edge]] = {}
    for edge in graph.edges_in(graph.inbound.get(version.note.id, []), version.lang):
        groups.setdefault(edge.source, []).append(edge)
    order = sorted(groups, key=lambda id: (notes[id].meta.title.casefold(), id))
    items = [
        f"<li>{version.link(notes[id])}{quote_list(e.sentence for e in groups[id])}</li>"
        for id in order
    ]
    return _section(version, "backlinks", items)


def _related(version: _Version) -> str:
    found = version.site.related.to(version.note)
    return _section(version, "related", [f"<li>{version.link(note)}</li>" for note in found])


def _foot(version: _Version, path: str, edit: str) -> str:
    report = version.site.report_url(version.meta.title, path)
    return (
        f'<p class="pn-foot"><a href="{escape(edit)}">{version.string("edit")}</a> · '
        f'<a href="{escape(report)}">{version.string("report")}</a></p>'
    )


def _twin(version: _Version, text: str, numbers: str) -> str:
    """The page as Markdown for people's tools."""
    meta, site = version.meta, version.site
    parts = [f"# {markdown_words(meta.title)}\n"]
    if meta.description:
        parts.append(f"> {markdown_words(meta.description)}\n")
    parts.append(text)
    lab = site.library.labs.get(version.note.id)
    if lab:
        parts.append(try_it_twin(site, lab, version.url, version.words, version.lang))
    rows = []
    for key in _cited(version):
        page = relative(version.url, markdown_file(site.addresses.reference(key, version.lang)))
        rows.append(f"- [{markdown_words(full_text(site.library.references[key]))}]({page})\n")
    if rows:
        parts.append(f"## {version.string('references')}\n\n{''.join(rows)}")
    if numbers:
        parts.append(numbers)
    return "\n".join(parts)
