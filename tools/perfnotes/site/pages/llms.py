"""``llms.txt``: links to the Markdown copies of the pages, for programs that read text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import quote

from perfnotes.graph.address import markdown_file
from perfnotes.graph.site import Site
from perfnotes.site.page import Page
from perfnotes.site.pages import sections
from perfnotes.site.render.markup import escape_markdown


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
        lines.append(f"\n## {escape_markdown(topic.title.en)}\n\n")
        for note in notes:
            about = f": {escape_markdown(note.meta.description)}" if note.meta.description else ""
            href = base + quote(markdown_file(note.url))
            lines.append(f"- [{escape_markdown(note.meta.title)}]({href}){about}\n")
            twin = library.translations.get(note.id)
            if twin:
                href = base + quote(markdown_file(twin.url))
                lines.append(f"- [{escape_markdown(twin.meta.title)}]({href}) (zh)\n")
            if note.id in library.labs:
                href = base + quote(markdown_file(site.addresses.lab(note.id, "en")))
                name = escape_markdown(library.labs[note.id].title.en)
                lines.append(f"- [{name}]({href}) (lab)\n")
    lines.append("\n## Optional\n\n")
    listed = [each for each in sections().values() if each.llms is not None and each.exists(site)]
    for section in sorted(listed, key=lambda each: each.llms or 0):
        href = base + quote(markdown_file(section.url(site, "en")))
        lines.append(f"- [{section.title_in('en')}]({href})\n")
    yield "llms.txt", "".join(lines).encode()
