"""Structured data of a note for search engines: JSON-LD with the vocabulary of schema.org.

Its addresses have to be absolute, so they are left out if the site's address is not set.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from perfnotes.model.note import LEVELS
from perfnotes.model.reference import Reference
from perfnotes.site.pages._note_title import NoteVersion, last_change
from perfnotes.source.bib.citestyle import links

_LICENSE = "https://creativecommons.org/licenses/by/4.0/"
_ARTICLES = frozenset({"article", "inproceedings", "conference"})
_IN_SCRIPT = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def structured_data(version: NoteVersion, cited: list[str]) -> str:
    """Return JSON, escaped for a script element. ``cited`` are the keys that the note cites."""
    things = [_article(version, cited)]
    if version.site.settings.url:
        things.append(_breadcrumbs(version))
    data = {"@context": "https://schema.org", "@graph": things}
    text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.translate(_IN_SCRIPT)


def _article(version: NoteVersion, cited: list[str]) -> dict[str, Any]:
    site, note, meta = version.site, version.note, version.meta
    library, settings = site.library, site.settings
    authors = meta.authors or note.meta.authors
    topic = library.topics.get(note.topic)
    found: dict[str, Any] = {
        "@type": "TechArticle",
        "headline": meta.title,
        "description": meta.description,
        "inLanguage": version.text_lang,
        "datePublished": note.meta.date,
        "dateModified": last_change(version),
        "author": [_author(name, settings.name) for name in authors],
        "keywords": [library.tags[t].name[version.text_lang]
                     for t in note.meta.tags if t in library.tags],
        "proficiencyLevel": version.string(note.meta.level) if note.meta.level in LEVELS else "",
        "timeRequired": f"PT{version.body.minutes}M",
        "articleSection": topic.title[version.text_lang] if topic else "",
        "dependencies": [site.title(library.notes[r], version.lang)
                         for r in note.meta.requires if r in library.notes],
        # A translation cites what the original does, which its data names.
        "citation": [_citation(library.references[key])
                     for key in cited if version.lang == "en"],
        "license": _LICENSE,
        "isPartOf": {"@type": "WebSite", "name": settings.name},
    }  # fmt: skip
    if settings.url:
        found["isPartOf"]["url"] = settings.url
        found["url"] = found["mainEntityOfPage"] = _absolute(version, version.url)
        twin = library.translations.get(note.id)
        if twin and version.lang == "en":
            found["workTranslation"] = {"@id": _absolute(version, twin.url)}
        elif twin:
            found["translationOfWork"] = {"@id": _absolute(version, note.url)}
    return {key: value for key, value in found.items() if value}


def _author(name: str, site: str) -> dict[str, str]:
    kind = "Organization" if name == f"{site} contributors" else "Person"
    return {"@type": kind, "name": name}


def _citation(reference: Reference) -> dict[str, str]:
    kind = "ScholarlyArticle" if reference.type in _ARTICLES else "CreativeWork"
    found = {"@type": kind, "name": reference.title or reference.key}
    places = links(reference)
    return found | {"url": places[0][1]} if places else found


def _breadcrumbs(version: NoteVersion) -> dict[str, Any]:
    """Return the path from the home page to the note, as the page shows it."""
    site, addresses = version.site, version.site.addresses
    steps = [(version.string("home"), addresses.home(version.lang))]
    parts = version.note.topic.split("/")
    for i in range(1, len(parts) + 1):
        topic = site.library.topics.get("/".join(parts[:i]))
        if topic and topic.id:
            steps.append((topic.title[version.text_lang], addresses.topic(topic.id, version.lang)))
    steps.append((version.meta.title, version.url))
    items = [
        {"@type": "ListItem", "position": i, "name": name, "item": _absolute(version, address)}
        for i, (name, address) in enumerate(steps, start=1)
    ]
    return {"@type": "BreadcrumbList", "itemListElement": items}


def _absolute(version: NoteVersion, address: str) -> str:
    return version.site.settings.url + quote(address)
