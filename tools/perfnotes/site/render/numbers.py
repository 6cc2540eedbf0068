"""Renders bound numbers: each becomes a link to the evidence for it."""

from __future__ import annotations

from collections.abc import Iterable

from perfnotes.graph.address import Addresses, to_place
from perfnotes.graph.binding import Binding, Found
from perfnotes.graph.evidence import Evidence
from perfnotes.graph.links import Links
from perfnotes.graph.outputs import outputs
from perfnotes.model.verdict import is_stale
from perfnotes.site.render import markup
from perfnotes.site.render.edits import Edits, without_link
from perfnotes.site.strings import add_words, string

WORDS = {
    "numbers_hint": (
        "Underlined numbers open their evidence: how each was measured, and on what.",
        "带下划线的数字可以点开看依据：怎样测得，在什么机器上。",
    ),
}
add_words(WORDS)

Key = tuple[str, ...]


def evidence_key(found: Found) -> Key:
    """Return a key of the evidence. All addresses of the same evidence give the same key."""
    if found.fact:
        return (found.fact.id,)
    assert found.lab
    assert found.value
    return (found.lab.id, found.machine, found.value.id, found.stat)


def is_shown(evidence: Evidence, binding: Binding) -> bool:
    """Return whether a number is the one that its evidence gives, and the evidence is not stale."""
    there = binding.found.number is not None and binding.problem is None
    return there and not evidence.is_stale(binding.found)


def evidence_address(addresses: Addresses, found: Found, lang: str) -> str:
    """Return the address of the evidence: a value on its lab's page, or a fact among all facts."""
    if found.fact:
        return addresses.fact(found.fact.id, lang)
    assert found.lab
    assert found.value
    return f"{addresses.lab(found.lab.id, lang)}#{found.value.id}"


class Numbers:
    """The bound numbers of one page, counted from 1 in the order of the text.

    Numbers with the same evidence have the same count. The attribute ``data-n`` of a link holds the
    count, and so does a row in the list at the end of the page. A script makes the link's card from
    that row.
    """

    def __init__(self, evidence: Evidence, addresses: Addresses, lang: str, url: str) -> None:
        self._evidence, self._addresses = evidence, addresses
        self._lang, self._url = lang, url
        self._all: dict[Key, tuple[int, Binding]] = {}

    @property
    def shown(self) -> tuple[Binding, ...]:
        """The first binding to each piece of evidence."""
        return tuple(binding for _, binding in self._all.values())

    def edit(self, bindings: Iterable[Binding], edits: Edits) -> None:
        """Write the links. A number that its evidence does not support becomes plain text."""
        for binding in bindings:
            link = binding.link
            if link.kind in ("auto", "html"):
                continue
            found = self.link(binding)
            if found is None:
                without_link(link, edits)
                continue
            edits.add(link.start, link.label_start, found[0], "[")
            edits.add(link.label_end, link.end, "</a>", f"]({found[1]})")

    def credit(self, links: Links, edits: Edits) -> None:
        """Add a line below recorded output that names the lab's run and machine it comes from."""
        text = links.text.body.document.text
        for output in outputs(links, self._evidence):
            fence, lab = output.fence, output.lab
            alone = text.rfind("\n", 0, fence.start) + 1 == fence.start and fence.closed
            result = self._evidence.reference(lab) if lab else None
            if lab is None or result is None or not alone or is_stale(lab, result):
                continue
            machine = result.machine.id
            at = f"{self._addresses.lab(lab.id, self._lang)}#lab--m-{machine}"
            href = markup.attribute_url(to_place(self._url, at))
            words = string("recorded", links.text.lang, run=output.run, machine=machine)
            line = f'<p class="pn-recorded"><a href="{href}">{markup.escape_staged(words)}</a></p>'
            edits.add(fence.end, fence.end, f"\n\n{line}\n", "")

    def hint(self, links: Links, edits: Edits) -> None:
        """Say below the first paragraph of a note that numbers open their evidence.

        A script hides the hint from readers who know it. There is no hint if the note shows no such
        number, or if its first paragraph does not begin with a letter.
        """
        start, end = links.text.body.opening
        text = links.text.body.document.text
        if links.text.kind != "note" or not self._all or not text[start : start + 1].isalpha():
            return
        words = string("numbers_hint", links.text.lang)
        edits.add(end, end, f'\n\n<p class="pn-hint">{words}</p>', "")

    def link(self, binding: Binding) -> tuple[str, str] | None:
        """Return the opening tag for the page and the destination for the Markdown copy.

        Returns None if the number has to be plain text.
        """
        if not is_shown(self._evidence, binding):
            return None
        n, _ = self._all.setdefault(evidence_key(binding.found), (len(self._all) + 1, binding))
        at = evidence_address(self._addresses, binding.found, self._lang)
        href = markup.attribute_url(to_place(self._url, at))
        opening = f'<a class="pn-n" data-n="{n}" href="{href}">'
        return opening, to_place(self._url, at, markdown=True)
