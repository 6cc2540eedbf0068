"""The Markdown copy of a lab's page: the claims with every machine's result, and the sources."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.address import markdown_file, relative
from perfnotes.graph.site import Site
from perfnotes.model.lab import Claim, Lab, Value
from perfnotes.model.quantity.amount import amount
from perfnotes.site.pages import _lab_parts as parts_of
from perfnotes.site.pages._results import verdicts, without_hidden
from perfnotes.site.render.markup import escape_markdown, fenced
from perfnotes.site.render.sentence import sentence_markdown
from perfnotes.site.strings import string
from perfnotes.text.joining import joins


def lab_markdown(site: Site, lab: Lab, url: str, lang: str) -> str:
    """Return the Markdown copy of the page of ``lab`` at ``url``."""
    note = site.library.notes[lab.id]
    up = relative(url, markdown_file(site.addresses.note(note, lang)))
    title = escape_markdown(site.title(note, lang))
    parts = [
        f"# {escape_markdown(lab.title[lang])}\n\n{string('lab_of', lang)} [{title}]({up})\n\n"
        f"{escape_markdown(lab.question[lang])}\n\n{fenced(lab.command, 'sh')}"
    ]
    for value in lab.shown.values():
        parts += _value(site, lab, value, url, lang)
    for name, text, _ in parts_of.sources(lab):
        if text is not None:
            code = fenced(text.rstrip(), parts_of.language(name))
            parts.append(f"\n## {escape_markdown(name)}\n\n{code}")
    return "".join(parts)


def _value(site: Site, lab: Lab, value: Value, url: str, lang: str) -> Iterator[str]:
    """Yield the section of a claim or of another value, with its result on each machine."""
    signs = joins(lang)
    yield f"\n## {sentence_markdown(value.what[lang])}\n\n"
    if isinstance(value, Claim):
        expected = escape_markdown(value.expect.shown(lang))
        yield f"{string('expected', lang)}{signs.colon}{expected}{signs.stop}"
        because = sentence_markdown(value.because[lang])
        yield f"{string('because', lang)}{signs.colon}{because}\n\n"
    yield fenced(value.expression.text, "text") + "\n"
    for result, verdict in verdicts(site, lab, value):
        raw = relative(url, site.addresses.lab_file(lab.id, result.machine.id))
        number = amount(verdict.number, value.unit) if verdict.spread else verdict.why
        state = string(verdict.state, lang)
        words = f"{escape_markdown(without_hidden(number))}{signs.comma}{state}"
        yield f"- [{result.machine.id}]({raw}){signs.colon}{words}\n"
