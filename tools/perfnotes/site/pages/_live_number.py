"""One number on the home page with its card open, in the sentence of the note that shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perfnotes.graph.address import to_place
from perfnotes.graph.binding import Binding, Found
from perfnotes.graph.site import Site
from perfnotes.site.page import block
from perfnotes.site.pages._numbers import NumbersSection
from perfnotes.site.pages._parts import note_link
from perfnotes.site.render.markup import escape
from perfnotes.site.render.numbers import evidence_address, evidence_key, is_shown
from perfnotes.site.render.spreads import on_card
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

WORDS = {
    "live_number": (
        "Every underlined number opens its evidence. Here is one with its card open, from",
        "每个带下划线的数字都能点开看依据。这里展开其中一个的卡片，出自",
    ),
}
add_words(WORDS)

_LONGEST = 240  # characters of the sentence


def live_number(site: Site, candidates: Iterable[Found], url: str, lang: str) -> str:
    """Return the first candidate that can be shown, in its sentence and with its card, as HTML.

    A candidate needs samples and a short sentence in ``lang`` that has its number once. The result
    is empty if none has them.
    """
    for found in candidates:
        if not on_card(site.graph.evidence, found):
            continue
        for binding, sentence in _sentences(site, found, lang):
            before, _, after = sentence.partition(binding.shown)
            at = escape(to_place(url, evidence_address(site.addresses, found, lang)))
            number = f'<a class="pn-n" href="{at}">{escape(binding.shown)}</a>'
            assert found.lab
            note = note_link(site, url, site.library.notes[found.lab.id], lang)
            colon = joins(lang).colon.strip()
            card = NumbersSection(site, url, lang, lang).open_card(found, binding.shown)
            return block(
                f'<div class="pn-live"><p>{string("live_number", lang)} {note}{colon}</p>'
                f"<blockquote>{escape(before)}{number}{escape(after)}</blockquote>{card}</div>"
            )
    return ""


def _sentences(site: Site, found: Found, lang: str) -> Iterator[tuple[Binding, str]]:
    """Yield the numbers of the lab's own note with this evidence, each with its sentence."""
    assert found.lab
    note = site.library.notes[found.lab.id]
    twin = site.library.translations.get(note.id)
    text = twin if lang == "zh" else note
    if text is None:
        return
    links = site.graph.links[f"notes/{text.file}"]
    wanted = evidence_key(found)
    for binding in links.bindings:
        if not is_shown(site.graph.evidence, binding) or evidence_key(binding.found) != wanted:
            continue
        at = binding.link.start
        if links.prose.is_in_table(at):
            continue  # a row does not stand alone
        sentence = links.prose.sentence(at)
        if len(sentence) <= _LONGEST and sentence.count(binding.shown) == 1:
            yield binding, sentence
