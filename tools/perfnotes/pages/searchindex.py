"""The index for Material's own search, made from the notes rather than from rendered HTML.

It stands in until the site has a search of its own. Material's worker shows ``text`` as HTML, so
everything is escaped; a zero-width space stands between Chinese characters, because the worker
splits words there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from perfnotes.page import Page
from perfnotes.render.markup import escape
from perfnotes.site import Site
from perfnotes.text.body import Body, Section
from perfnotes.text.prose import Prose

_HAN = re.compile(r"(?<=[\u3400-\u9fff])(?=[\u3400-\u9fff])")
_CONFIG = {
    "lang": ["en"],
    "separator": r"[\s\-\u200b,:!=\[\]()\"/]+|(?!\b)(?=[A-Z][a-z])|\.(?!\d)|&[lg]t;",
    "pipeline": [],  # the worker looks for beginnings of words, which no stemmer must cut
    "fields": {"title": {"boost": 1000.0}, "text": {"boost": 1.0}, "tags": {"boost": 1000000.0}},
}


def listings(site: Site, pages: Iterable[Page]) -> Iterator[tuple[str, bytes]]:
    docs: list[dict[str, object]] = []
    bodies = {
        site.addresses.note(n, "en"): (f"notes/{n.file}", n.body)
        for n in site.library.notes.values()
    }
    for t in site.library.translations.values():
        bodies[t.url] = (f"notes/{t.file}", t.body)
    for page in pages:
        found = bodies.get(page.url)
        tags = []
        if page.note:
            note = site.library.notes[page.note]
            names = (site.library.tags.get(t) for t in note.meta.tags)
            tags = [escape(t.name[page.lang]) for t in names if t]
        entry: dict[str, object] = {"location": quote(page.url), "title": _text(page.title)}
        if tags:
            entry["tags"] = tags
        if not found:
            docs.append({**entry, "text": _text(page.description)})
            continue
        path, body = found
        prose = site.graph.links[path].prose
        first = body.sections[0].start if body.sections else len(body.document.text)
        lead = prose.plain(body.document.start, first)
        docs.append({**entry, "text": _text(f"{page.description} {lead}")})
        docs += [
            {
                "location": f"{quote(page.url)}#{quote(section.id)}",
                "title": _text(section.title),
                "text": _text(own_text(body, i, prose)),
            }
            for i, section in enumerate(body.sections)
        ]
    index = {"config": _CONFIG, "docs": docs}
    text = json.dumps(index, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    yield "search/search_index.json", text.encode()


def own_text(body: Body, i: int, prose: Prose) -> str:
    """A section's plain words without those of the sections below it."""
    section: Section = body.sections[i]
    end = body.sections[i + 1].start if i + 1 < len(body.sections) else len(body.document.text)
    return prose.plain(section.heading.end, end)


def _text(text: str) -> str:
    return _HAN.sub("\u200b", escape(text))
