"""Papers related to a reference: often cited with it, on the same topic, before and after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from perfnotes.graph.address import relative
from perfnotes.graph.site import Site
from perfnotes.model.reference import Reference
from perfnotes.site.page import block
from perfnotes.site.pages._timeline import year_of
from perfnotes.site.pages.references import times_used
from perfnotes.site.render.language import lang_attribute
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import add_words, string
from perfnotes.source.bib.citestyle import label

WORDS = {
    "cited_together": ("Often cited together", "常被一同引用"),
    "neighbours": ("Near it", "相邻文献"),
    "same_topic": ("On the same topic", "同一主题"),
}
add_words(WORDS)

_MOST_TOGETHER = 6
_MOST_SAME = 6


@dataclass(frozen=True)
class RelatedPapers:
    """Finds the papers related to a reference: earlier, later and other ones of the same topic."""

    site: Site

    @cached_property
    def uses(self) -> dict[str, int]:
        return {r.key: times_used(self.site, r) for r in self.site.library.references.values()}

    @cached_property
    def by_topic(self) -> dict[str, list[Reference]]:
        """The references by their first keyword, sorted by year; those without a year come last."""
        found: dict[str, list[Reference]] = {}
        for reference in self.site.library.references.values():
            for keyword in reference.keywords[:1]:
                found.setdefault(keyword, []).append(reference)
        for group in found.values():
            group.sort(key=lambda r: (year_of(r) or 9999, r.key))
        return found

    @cached_property
    def _best(self) -> dict[str, list[Reference]]:
        return {
            topic: sorted(group, key=lambda r: -self.uses[r.key])
            for topic, group in self.by_topic.items()
        }

    @cached_property
    def _earlier_and_later(self) -> dict[str, tuple[Reference | None, Reference | None]]:
        found: dict[str, tuple[Reference | None, Reference | None]] = {}
        for group in self.by_topic.values():
            dated = [r for r in group if year_of(r)]
            for before, reference, after in zip(
                [None, *dated], dated, [*dated[1:], None], strict=False
            ):
                found[reference.key] = before, after
        return found

    def earlier_and_later(self, reference: Reference) -> tuple[Reference | None, Reference | None]:
        """Return the references before and after this one among those of its topic with a year."""
        return self._earlier_and_later.get(reference.key, (None, None))

    def same_topic(self, reference: Reference, but: Sequence[str]) -> list[Reference]:
        """Return the references of the same topic that are used most, without the keys ``but``."""
        group = [r for k in reference.keywords[:1] for r in self._best[k][: 3 * _MOST_SAME]]
        used = [r for r in group if r.key not in but and r is not reference and self.uses[r.key]]
        return used[:_MOST_SAME]

    def together(self, reference: Reference) -> list[str]:
        """Return the keys of the references that are cited most often beside this one."""
        citing = frozenset(e.source for e in self.site.graph.cited_by.get(reference.key, []))
        if citing not in self._cited_most:
            self._cited_most[citing] = self._most_cited_in(citing)
        return [k for k in self._cited_most[citing] if k != reference.key][:_MOST_TOGETHER]

    def _most_cited_in(self, notes: Iterable[str]) -> list[str]:
        """Return the keys that most of these notes cite, one more than are shown."""
        counts: Counter[str] = Counter()
        for id in notes:
            counts.update(self.site.graph.cites[id])
        return sorted(counts, key=lambda k: (-counts[k], -self.uses[k], k))[: _MOST_TOGETHER + 1]

    @cached_property
    def _cited_most(self) -> dict[frozenset[str], list[str]]:
        """What ``_most_cited_in`` returned, since many references share their citing notes."""
        return {}

    def shown(self, reference: Reference) -> tuple[tuple[str, ...], ...]:
        """Return the keys of all that ``section_of_related_papers`` lists, by the list."""
        together = self.together(reference)
        same = tuple(r.key for r in self.same_topic(reference, together))
        beside = tuple(r.key if r else "" for r in self.earlier_and_later(reference))
        return tuple(together), same, beside


def section_of_related_papers(
    related: RelatedPapers, reference: Reference, url: str, lang: str
) -> str:
    """Return a section with references cited together with this one and others of its topic."""
    site = related.site
    together = related.together(reference)
    parts = []
    if together:
        items = [_link(site, site.library.references[k], url, lang) for k in together]
        parts.append(_named("pn-together", string("cited_together", lang), items))
    same = related.same_topic(reference, together)
    if same:
        items = [_link(site, r, url, lang) for r in same]
        parts.append(_named("pn-same", string("same_topic", lang), items))
    beside = []
    for key, other in zip(("earlier", "later"), related.earlier_and_later(reference), strict=True):
        if other:
            way = f'<span class="pn-count">{string(key, lang)}</span>'
            beside.append(f"<li>{way} {_link(site, other, url, lang)}</li>")
    if beside:
        parts.append(block(['<ul class="pn-around">', *beside, "</ul>"]))
    if not parts:
        return ""
    return f"## {string('neighbours', lang)} {{#pn-near}}\n" + "\n".join(parts)


def _named(id: str, name: str, items: Sequence[str]) -> str:
    rows = "".join(f"<li>{item}</li>" for item in items)
    return f"### {name} {{#{id}}}\n" + block(f"<ul>{rows}</ul>")


def _link(site: Site, reference: Reference, url: str, lang: str) -> str:
    href = escape(relative(url, site.addresses.reference(reference.key, lang)))
    who = escape(label(reference, lang))
    if not reference.title:
        return f'<a href="{href}">{who}</a>'
    own = lang_attribute(reference.title, lang)
    title = f'<a href="{href}"{own}>{escape(reference.title)}</a>'
    return f'{title} <span class="pn-count">{who}</span>'
