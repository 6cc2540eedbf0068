"""How pages show a fact: its name, its value, and its source or formula."""

from __future__ import annotations

import re

from perfnotes.graph.address import relative, to_place
from perfnotes.graph.site import Site
from perfnotes.model.fact import Fact, FactError
from perfnotes.model.quantity.amount import exact, with_unit
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import add_words, string
from perfnotes.source.bib.citestyle import label
from perfnotes.text.joining import joins

WORDS = {"fact_printed": ("{name}, as printed", "{name}（厂商值）")}
add_words(WORDS)

_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?")


def fact_value(site: Site, fact: Fact) -> str:
    """Return the value in the fact's unit, or a dash if its formula cannot be computed."""
    try:
        value = site.library.facts.value(fact.id).median
    except FactError:
        return "—"
    return with_unit(exact(value, significant_digits(fact)), fact.unit)


def significant_digits(fact: Fact) -> int:
    """Return to how many digits a value is shown. One from a formula is rounded more."""
    return 5 if fact.formula else 7


def own_name(fact: Fact, lang: str) -> str:
    """Return the fact's title in its file, or its name as words: ``memory bandwidth``."""
    title = fact.title[lang]
    if title and fact.name.endswith("-published"):
        return string("fact_printed", lang, name=title)
    return title or fact.name.replace("-", " ")


def fact_name(site: Site, fact: Fact, lang: str) -> str:
    """Return HTML that names the fact's entity and the fact."""
    entity = site.library.facts.entities[fact.entity].name[lang]
    what = fact.what[lang] or own_name(fact, lang)
    return f"{escape(entity)}{joins(lang).colon}{escape(what)}"


def locators(fact: Fact, key: str, lang: str) -> str:
    """Return the places in the reference ``key`` that give the fact, such as pages."""
    items = (item for citation in fact.citations for item in citation.items)
    semicolon = joins(lang).semicolon
    return semicolon.join(item.locator for item in items if item.key == key and item.locator)


def derivation(
    site: Site, fact: Fact, url: str, lang: str, site_lang: str, *, values: bool = False
) -> str:
    """Return HTML with the formula, its inputs as links, and the references with places in them.

    With ``values``, the links to the inputs follow the formula, each with its value.
    """
    parts = []
    if fact.formula is not None and values:
        parts.append(f"<code>{_readable(fact.formula.text)}</code>")
        inputs = (site.library.facts.by_id.get(id) for id in fact.inputs.values())
        seen = {f.id: f for f in inputs if f}
        parts += [
            f"{_input(fact, f, url, site, site_lang)} {escape(fact_value(site, f))}"
            for f in seen.values()
        ]
    elif fact.formula is not None:
        parts.append(_formula(site, fact, url, site_lang))
    parts += _sources(site, fact, url, lang, site_lang)
    return joins(lang).semicolon.join(parts)


def _formula(site: Site, fact: Fact, url: str, site_lang: str) -> str:
    """Return HTML of the formula, with a link for each name in it."""
    assert fact.formula
    text = fact.formula.text
    out, at = [], 0
    for name in _NAME.finditer(text):
        id = fact.inputs.get(name[0])
        out.append(_readable(text[at : name.start()]))
        href = _href(site, id, url, site_lang) if id else ""
        out.append(f'<a href="{href}">{escape(name[0])}</a>' if href else escape(name[0]))
        at = name.end()
    out.append(_readable(text[at:]))
    return f"<code>{''.join(out)}</code>"


def _readable(text: str) -> str:
    """Return a part of a formula as HTML, with ``^`` and ``×`` instead of Python's operators."""
    return escape(text.replace("**", "^").replace("*", "×"))


def _input(of: Fact, fact: Fact, url: str, site: Site, site_lang: str) -> str:
    name = own_name(fact, site_lang)
    name = name if fact.entity == of.entity else f"{fact.entity} {name}"
    return f'<a href="{_href(site, fact.id, url, site_lang)}">{escape(name)}</a>'


def _href(site: Site, id: str, url: str, site_lang: str) -> str:
    return escape(to_place(url, site.addresses.fact(id, site_lang)))


def _sources(site: Site, fact: Fact, url: str, lang: str, site_lang: str) -> list[str]:
    found = []
    comma = joins(lang).comma
    for citation in fact.citations:
        for item in citation.items:
            reference = site.library.references.get(item.key)
            if reference is None:
                continue
            href = escape(relative(url, site.addresses.reference(item.key, site_lang)))
            where = f"{comma}{escape(item.locator)}" if item.locator else ""
            found.append(f'<a href="{href}">{escape(label(reference, lang))}</a>{where}')
    return found
