"""The box "Try it", which invites readers to repeat a note's lab."""

from __future__ import annotations

from perfnotes.graph.address import relative, to_place
from perfnotes.graph.site import Site
from perfnotes.model.lab import Lab
from perfnotes.model.quantity.amount import seconds
from perfnotes.site.page import block
from perfnotes.site.pages._lab_parts import definitions
from perfnotes.site.pages._results import needs_words
from perfnotes.site.render.markup import escape, fenced
from perfnotes.site.strings import add_words, string

WORDS = {
    "lab_page": ("Sources, claims and all results", "源代码、论断与全部结果"),
    "try_it": ("Try it", "动手试试"),
}
add_words(WORDS)


def try_it(site: Site, lab: Lab, url: str, lang: str, site_lang: str) -> str:
    """Return staged Markdown with the command, what it needs and how long it takes."""
    page = site.addresses.lab(lab.id, site_lang)
    needs = needs_words(lab.needs, lang)
    rows = [(string("needs", lang), string("needs_nothing", lang))] if not needs else []
    rows += [(name, value) for name, value in needs]
    rows.append((string("takes", lang), seconds(lab.duration, lang)))
    link = f'<a href="{escape(relative(url, page))}">{string("lab_page", lang)}</a>'
    rows.append((string("lab", lang), link))
    return f"## {string('try_it', lang)} {{#pn-try}}\n" + block(
        f'<div class="pn-try"><p>{escape(lab.question[lang])}</p>'
        f'<div class="highlight"><pre><code>{escape(lab.command)}</code></pre></div>'
        f"{definitions(rows)}</div>"
    )


def try_it_markdown(site: Site, lab: Lab, url: str, lang: str, site_lang: str) -> str:
    """Return the box for the Markdown copy of the page."""
    href = to_place(url, f"{site.addresses.lab(lab.id, site_lang)}#lab--top", markdown=True)
    link = f"[{string('lab_page', lang)}]({href.partition('#')[0]})"
    return f"## {string('try_it', lang)}\n\n{fenced(lab.command, 'sh')}\n{link}\n"
