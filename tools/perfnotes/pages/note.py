"""The page of a note, in each language that it is written in."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.address import markdown_file, relative
from perfnotes.bib.citestyle import full_text
from perfnotes.link.graph import Edge, Links
from perfnotes.note import Meta, Note
from perfnotes.page import Page, block
from perfnotes.pages._parts import quote_list, reference_links
from perfnotes.render.markup import escape, markdown_words
from perfnotes.site import Site
from perfnotes.strings import string
from perfnotes.text.body import Body
from perfnotes.text.prose import reading_minutes


def pages(site: Site, lang: str) -> Iterator[Page]:
    library = site.library
    for group in library.by_topic.values():
        for i, note in enumerate(group):
            twin = library.translations.get(note.id)
            if lang == "zh" and twin is None:
                continue
            before = group[i - 1] if i else None
            after = group[i + 1] if i + 1 < len(group) else None
            if lang == "zh" and twin:
                yield _page(site, note, twin.meta, twin.body, twin.file, "zh", before, after)
            else:
                yield _page(site, note, note.meta, note.body, note.file, lang, before, after)


def _page(
    site: Site,
    note: Note,
    meta: Meta,
    body: Body,
    file: str,
    lang: str,
    before: Note | None,
    after: Note | None,
) -> Page:
    url = site.addresses.note(note, lang)
    links = site.graph.links[f"notes/{file}"]
    words = note.lang if lang == "en" else lang  # a foreign note may be Chinese at the root
    rendered = site.renderers[words].render(links, url, drop_title=meta.title)
    path = f"{site.settings.notes}/{file}"
    edit = site.edit_url(path) if site.library.own else ""
    sections = [
        block(_title_block(site, note, meta, body, url, words, lang)),
        rendered.staged,
        _references(site, links, url, words, lang),
        _backlinks(site, note, url, words, lang),
        _related(site, note, url, words, lang),
        block(_foot(site, meta, path, edit, words)) if edit else "",
    ]
    neighbour = [
        (site.title(n, lang), site.addresses.note(n, lang)) if n else None for n in (before, after)
    ]
    return Page(
        url=url,
        lang=words,
        title=meta.title,
        title_id=note.slug,
        description=meta.description or links.prose.sentence(body.document.start)[:200],
        body="\n".join(sections),
        twin=_twin(site, note, meta, rendered.twin, links, words, url),
        kind="note",
        topic=note.topic,
        note=note.id,
        alternates=_alternates(site, note),
        previous=neighbour[0],
        next=neighbour[1],
        edit=edit,
        source=site.library.shown(file),
        files=rendered.files,
        findings=rendered.findings,
    )


def _alternates(site: Site, note: Note) -> dict[str, str]:
    if len(site.library.languages) < 2:
        return {}
    found = {"en": note.url}
    if note.id in site.library.translations:
        found["zh"] = site.library.translations[note.id].url
    return found


def _title_block(
    site: Site, note: Note, meta: Meta, body: Body, url: str, words: str, lang: str
) -> str:
    original = note.meta
    facts = []
    if original.level in ("introductory", "intermediate", "advanced"):
        level = string(original.level, words)
        facts.append(f'<span class="pn-level pn-level-{original.level}">{level}</span>')
    minutes = string("minutes", words, n=reading_minutes(body.text))
    facts.append(f"<span>{minutes}</span>")
    updated = meta.updated or site.updated(note)
    if updated:
        facts.append(f'<span>{string("updated", words)} <time datetime="{updated}">{updated}</time></span>')
    authors = meta.authors or original.authors
    if authors:
        facts.append(f"<span>{escape(', '.join(authors))}</span>")
    rows = [f'<p class="pn-facts">{" · ".join(facts)}</p>']
    tags = [t for t in original.tags if t in site.library.tags]
    if tags:
        items = " ".join(
            f'<a class="pn-tag" rel="tag" href="{escape(relative(url, site.addresses.tag(t, lang)))}">'
            f"{escape(site.library.tags[t].name[words])}</a>"
            for t in tags
        )
        rows.append(f'<p class="pn-tags">{items}</p>')
    requires = [site.library.notes[r] for r in original.requires if r in site.library.notes]
    if requires:
        items = ", ".join(site.note_link(url, r, lang) for r in requires)
        rows.append(f'<p class="pn-requires">{string("requires", words)}: {items}</p>')
    twin = site.library.translations.get(note.id)
    if lang == "zh" and twin and twin.is_behind:
        href = escape(relative(url, f"{twin.url}changes/"))
        rows.append(
            f'<p class="pn-behind" role="note">{string("behind", "zh")} '
            f'<a href="{href}">{string("behind_link", "zh")}</a></p>'
        )
    return f'<div class="pn-title">{"".join(rows)}</div>'


def _references(site: Site, links: Links, url: str, words: str, lang: str) -> str:
    if not links.cited:
        return ""
    items = []
    for key in sorted(links.cited, key=lambda k: _sort_key(site, k)):
        reference = site.library.references[key]
        page = escape(relative(url, site.addresses.reference(key, lang)))
        quotes = quote_list(links.cited[key])
        items.append(
            f'<li><a class="pn-ref" href="{page}">{escape(full_text(reference))}</a> '
            f"{reference_links(reference)}"
            f'<details><summary>{string("cited_for", words)}</summary>{quotes}</details></li>'
        )
    heading = f"## {string('references', words)} {{#pn-references}}"
    return f'{heading}\n{block(["""<ul class="pn-references">""", *items, "</ul>"])}'


def _sort_key(site: Site, key: str) -> tuple[str, str]:
    reference = site.library.references[key]
    return full_text(reference).casefold(), key


def _backlinks(site: Site, note: Note, url: str, words: str, lang: str) -> str:
    edges = site.graph.edges_in(site.graph.inbound.get(note.id, []), lang)
    if not edges:
        return ""
    groups: dict[str, list[Edge]] = {}
    for edge in edges:
        groups.setdefault(edge.source, []).append(edge)
    items = []
    order = sorted(groups, key=lambda s: (site.library.notes[s].meta.title.casefold(), s))
    for source in order:
        link = site.note_link(url, site.library.notes[source], lang)
        items.append(f"<li>{link}{quote_list([e.sentence for e in groups[source]])}</li>")
    heading = f"## {string('backlinks', words)} {{#pn-backlinks}}"
    return f'{heading}\n{block(["""<ul class="pn-backlinks">""", *items, "</ul>"])}'


def _related(site: Site, note: Note, url: str, words: str, lang: str) -> str:
    found = site.related.to(note)
    if not found:
        return ""
    items = [f"<li>{site.note_link(url, other, lang)}</li>" for other in found]
    heading = f"## {string('related', words)} {{#pn-related}}"
    return f'{heading}\n{block(["""<ul class="pn-related">""", *items, "</ul>"])}'


def _foot(site: Site, meta: Meta, path: str, edit: str, words: str) -> str:
    report = site.report_url(meta.title, path)
    return (
        f'<p class="pn-foot"><a href="{escape(edit)}">{string("edit", words)}</a> · '
        f'<a href="{escape(report)}">{string("report", words)}</a></p>'
    )


def _twin(
    site: Site, note: Note, meta: Meta, text: str, links: Links, words: str, url: str
) -> str:
    parts = [f"# {markdown_words(meta.title)}\n"]
    if meta.description:
        parts.append(f"> {markdown_words(meta.description)}\n")
    parts.append(text)
    if links.cited:
        parts.append(f"## {string('references', words)}\n")
        lang = words if words in site.library.languages else "en"
        rows = []
        for key in sorted(links.cited, key=lambda k: _sort_key(site, k)):
            page = relative(url, markdown_file(site.addresses.reference(key, lang)))
            rows.append(f"- [{markdown_words(full_text(site.library.references[key]))}]({page})\n")
        parts.append("".join(rows))
    return "\n".join(parts)
