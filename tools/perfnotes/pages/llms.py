"""``llms.txt``: the site for programs that read text, as links to the Markdown twins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import quote

from perfnotes.address import markdown_file
from perfnotes.page import Page
from perfnotes.render.markup import markdown_words
from perfnotes.site import Site


def listings(site: Site, pages: Iterable[Page]) -> Iterator[tuple[str, bytes]]:
    del pages
    base = site.settings.url
    library = site.library
    lines = [f"# {site.settings.name}\n"]
    if site.settings.description:
        lines.append(f"\n> {site.settings.description}\n")
    for topic in library.topics.values():
        notes = library.by_topic.get(topic.id, [])
        if not notes:
            continue
        lines.append(f"\n## {markdown_words(topic.title.en)}\n\n")
        for note in notes:
            about = f": {markdown_words(note.meta.description)}" if note.meta.description else ""
            href = base + quote(markdown_file(note.url))
            lines.append(f"- [{markdown_words(note.meta.title)}]({href}){about}\n")
            twin = library.translations.get(note.id)
            if twin:
                href = base + quote(markdown_file(twin.url))
                lines.append(f"- [{markdown_words(twin.meta.title)}]({href}) (zh)\n")
            if note.id in library.labs:
                href = base + quote(markdown_file(site.addresses.lab(note.id, "en")))
                name = markdown_words(library.labs[note.id].title.en)
                lines.append(f"- [{name}]({href}) (lab)\n")
    sections = [
        ("Facts", "facts", bool(library.facts.by_id)),
        ("Latency numbers", "latency-numbers", any(not time.why for time in site.latency)),
        ("Machines", "machines", any(library.results.values())),
        ("Glossary", "glossary", bool(library.terms)),
        ("References", "references", bool(library.references)),
    ]
    lines.append("\n## Optional\n\n")
    for name, section, there in sections:
        if there:
            href = base + quote(markdown_file(site.addresses.section(section, "en")))
            lines.append(f"- [{name}]({href})\n")
    yield "llms.txt", "".join(lines).encode()
