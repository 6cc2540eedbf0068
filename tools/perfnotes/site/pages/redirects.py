"""Redirects from the old addresses of notes and tags, which are among their aliases."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from perfnotes.graph.address import relative
from perfnotes.graph.site import Site
from perfnotes.model.note import NOTE_ID, Note
from perfnotes.site.page_addresses import old_addresses
from perfnotes.site.render.markup import escape


def old_ids(note: Note) -> list[str]:
    """Return those aliases of a note that are old addresses; they redirect to it."""
    return [alias for alias in note.meta.aliases if NOTE_ID.fullmatch(alias)]


FILES_SHOW = frozenset({"note", "tag", "tags"})


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    for each in old_addresses(site):
        yield f"{each.old}index.html", _redirect(site, each.old, each.new, each.title)


def _redirect(site: Site, old: str, new: str, title: str) -> bytes:
    """Return a page that redirects from ``old`` to ``new``.

    Its script keeps the query and the section of the address that was asked for. It also works for
    pages opened from a folder on disk.
    """
    to = escape(relative(old, new))
    script = escape(relative(old, "assets/perfnotes/moved.js"))
    lang = "zh" if old.startswith("zh/") and "zh" in site.library.languages else "en"
    canonical = ""
    if site.settings.url:
        canonical = f'<link rel="canonical" href="{escape(site.settings.url + quote(new))}">\n'
    return (
        f'<!doctype html>\n<html lang="{lang}"><head><meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; script-src 'self'\">\n"
        f'<script src="{script}" data-to="{to}"></script>\n'
        f'<noscript><meta http-equiv="refresh" content="0; url={to}"></noscript>\n'
        f'{canonical}<meta name="robots" content="noindex">\n'
        f"<title>{escape(title)}</title></head>\n"
        f'<body><p><a href="{to}">{escape(title)}</a></p></body></html>\n'
    ).encode()
