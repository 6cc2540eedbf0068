"""A note in one language, and the block below its title: level, length, tags, required notes."""

from __future__ import annotations

from msgspec import Struct

from perfnotes.graph.address import relative
from perfnotes.graph.coverage import share
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.model.note import LEVELS, Meta, Note
from perfnotes.model.translation import Translation
from perfnotes.site.pages._parts import note_link
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import add_words, string
from perfnotes.text.body import Body
from perfnotes.text.joining import joins

WORDS = {
    "behind_link": ("See what changed", "查看改动"),
    "requires": ("Read before", "先读"),
    "traced": ("{n} of {total} quantities with evidence", "{total} 个量中 {n} 个有依据"),
    "updated": ("updated", "更新于"),
}
add_words(WORDS)


class NoteVersion(Struct, frozen=True):
    """A note in one language.

    ``lang`` is the language of the part of the site that the page is in, ``text_lang`` that of its
    text. They differ in a foreign folder with Chinese notes: their pages are not below ``zh/``.
    """

    site: Site
    note: Note
    meta: Meta
    body: Body
    file: str
    lang: str
    text_lang: str

    @property
    def url(self) -> str:
        return self.site.addresses.note(self.note, self.lang)

    @property
    def links(self) -> Links:
        return self.site.graph.links[f"notes/{self.file}"]

    def string(self, key: str, **values: object) -> str:
        return string(key, self.text_lang, **values)

    def link(self, note: Note) -> str:
        return note_link(self.site, self.url, note, self.lang)

    def href(self, address: str) -> str:
        return escape(relative(self.url, address))


def title_block(version: NoteVersion, *, numbered: bool) -> str:
    """Return the block as HTML. ``numbered`` says that the page ends with a list of its numbers."""
    site, original = version.site, version.note.meta
    rows = [f'<p class="pn-facts">{" ".join(_facts(version, numbered=numbered))}</p>']
    tags = [site.library.tags[t] for t in original.tags if t in site.library.tags]
    if tags:
        items = " ".join(
            f'<a class="pn-tag" rel="tag" '
            f'href="{version.href(site.addresses.tag(tag.id, version.lang))}">'
            f"{escape(tag.name[version.text_lang])}</a>"
            for tag in tags
        )
        rows.append(f'<p class="pn-tags">{items}</p>')
    requires = [site.library.notes[r] for r in original.requires if r in site.library.notes]
    if requires:
        signs = joins(version.text_lang)
        items = signs.item.join(version.link(note) for note in requires)
        label = f"{version.string('requires')}{signs.colon}"
        rows.append(f'<p class="pn-requires">{label}{items}</p>')
    twin = site.library.translations.get(version.note.id)
    if version.lang == "zh" and twin and twin.is_behind:
        rows.append(_behind(version, twin))
    return f'<div class="pn-title">{"".join(rows)}</div>'


def _facts(version: NoteVersion, *, numbered: bool) -> list[str]:
    original = version.note.meta
    facts = []
    if original.level in LEVELS:
        level = version.string(original.level)
        facts.append(f'<span class="pn-level pn-level-{original.level}">{level}</span>')
    minutes = version.body.minutes
    facts.append(f"<span>{version.string('minutes', n=minutes)}</span>")
    day = last_change(version)
    if day:
        time = f'<time datetime="{day}">{day}</time>'
        facts.append(f"<span>{version.string('updated')} {time}</span>")
    facts += [
        f"<span>{each}</span>" for each in (_traced(version, numbered), _twin(version)) if each
    ]
    authors = version.meta.authors or original.authors
    if authors and authors != (f"{version.site.settings.name} contributors",):
        names = joins(version.text_lang).item.join(authors)
        facts.append(f'<span class="pn-authors">{escape(names)}</span>')
    return facts


def last_change(version: NoteVersion) -> str:
    """Return the day of the last change from the front matter, else from git; empty if unknown."""
    return version.meta.updated or version.site.updated(version.note)


def _traced(version: NoteVersion, numbered: bool) -> str:
    """Return how many of the note's numbers have evidence, with a link to the list of numbers."""
    coverage = version.site.coverages.get(f"notes/{version.file}")
    of = share(coverage.judged) if coverage else None
    if not of or not of.total:
        return ""
    words = version.string("traced", n=of.evident, total=of.total)
    return f'<a href="#pn-numbers">{words}</a>' if numbered else words


def _twin(version: NoteVersion) -> str:
    """Return a link to the note in the other language; empty if it is not translated."""
    twin = version.site.library.translations.get(version.note.id)
    if not twin or version.text_lang != version.lang:
        return ""
    lang, name, address = (
        ("zh", "中文版", twin.url) if version.lang == "en" else ("en", "English", version.note.url)
    )
    return f'<a href="{version.href(address)}" hreflang="{lang}" lang="{lang}">{name}</a>'


def _behind(version: NoteVersion, twin: Translation) -> str:
    return (
        f'<p class="pn-behind" role="note">{version.string("behind")} '
        f'<a href="{version.href(f"{twin.url}changes/")}">{version.string("behind_link")}</a></p>'
    )
