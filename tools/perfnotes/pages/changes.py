"""What changed in an English note since its translation was written: a page for each late twin."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

from perfnotes.page import Page
from perfnotes.read.frontmatter import read as read_front_matter
from perfnotes.render.markup import words
from perfnotes.site import Site
from perfnotes.source import Source
from perfnotes.strings import string
from perfnotes.translation import Translation, text_hash


def pages(site: Site, lang: str) -> Iterator[Page]:
    if lang != "zh":
        return
    for twin in site.library.translations.values():
        if not twin.is_behind:
            continue
        title = f"{string('changes_title', 'zh')}: {twin.meta.title}"
        before = text_followed(site, twin)
        if before is None:
            body = string("changes_none", "zh") + "\n"
        else:
            after = twin.note.body.source
            body = _fenced(_readable(Source(after.path, before)), _readable(after))
        yield Page(
            url=f"{twin.url}changes/",
            lang="zh",
            title=title,
            description=string("behind", "zh"),
            body=body,
            twin=f"# {words(title)}\n\n{body}",
            kind="changes",
            topic=twin.note.topic,
            source=site.library.shown(twin.file),
        )


def text_followed(site: Site, twin: Translation) -> str | None:
    """The English text with the hash that the twin records, from the history."""
    file = f"{site.settings.notes}/{twin.note.file}"
    for text in site.history.versions(file):
        source = Source(file, text)
        meta, start, _ = read_front_matter(source, "note", lenient=True)
        if text_hash(meta.title, meta.description, text[start:]) == twin.meta.translates:
            return text
    return None


def _readable(source: Source) -> str:
    """What a translation follows. The rest of the front matter is not for readers: it names people
    with their addresses."""
    meta, start, _ = read_front_matter(source, "note", lenient=True)
    return "\n".join([meta.title, meta.description, "", source.text[start:].lstrip("\n")])


def _fenced(before: str, after: str) -> str:
    lines = unified_diff(before.splitlines(), after.splitlines(), "before", "now", lineterm="")
    diff = "\n".join(lines)
    fence = "```"
    while fence in diff:
        fence += "`"
    return f"{fence}diff\n{diff}\n{fence}\n"
