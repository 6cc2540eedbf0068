"""Claims: the sentences of a text that state a fact, each with its evidence and signs of faults.

A second reader works through these claims. The evidence of a sentence is what stands in it
(numbers bound to a lab or fact, citations, formulas), the recorded output beside its paragraph,
and citations in other sentences of the same paragraph. A title, a description and the ``confirm``
text of a symptom can hold no link or citation, so their claims have no evidence of their own: the
text of the note has it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from msgspec import Struct

from perfnotes.graph.binding import describe
from perfnotes.graph.coverage import BOUND, CITED, Coverage, JudgedQuantity
from perfnotes.graph.links import Links
from perfnotes.graph.outside_prose import SYMPTOM
from perfnotes.model.note import Meta
from perfnotes.model.review import sentences_of
from perfnotes.model.symptom import code_and_words
from perfnotes.text.assertions import states_fact
from perfnotes.text.sentences import CONFIRM, DESCRIPTION, TITLE, Sentence
from perfnotes.text.signs import Sign, signs

LAB, FACT, SOURCE, FORMULA, OUTPUT, NEAR = "lab", "fact", "source", "formula", "output", "near"


class ClaimEvidence(Struct, frozen=True):
    """One thing that a sentence rests on.

    ``kind`` is ``lab`` or ``fact`` (a bound number), ``source`` (a citation), ``formula``,
    ``output`` (recorded output beside the paragraph) or ``near`` (a citation of another sentence
    in the paragraph). ``words`` say which, such as ``lab:slowdown, 9.4 ×``.
    """

    kind: str
    words: str


class Claim(Struct, frozen=True):
    """A sentence that states a fact. ``words`` is the sentence without markup.

    ``line`` and ``column``, from 1, are the place where it begins. ``without_evidence`` lists its
    quantities that have no evidence.
    """

    sentence: Sentence
    line: int
    column: int
    words: str
    evidence: tuple[ClaimEvidence, ...]
    without_evidence: tuple[str, ...]
    signs: tuple[Sign, ...]


def claims(links: Links, meta: Meta, coverage: Coverage | None = None) -> Iterator[Claim]:
    """Yield the claims of a text in its order; those of its front matter come first."""
    body = links.text.body
    evidence = _Evidence(links)
    judged = [j for j in coverage.judged if not j.figure] if coverage else []
    in_symptoms = [j for where, j in coverage.outside if where == SYMPTOM] if coverage else []
    for each in sentences_of(meta, body, links.prose):
        if not states_fact(each):
            continue
        front = each.kind in (TITLE, DESCRIPTION, CONFIRM)
        within = _within(each, in_symptoms if each.kind == CONFIRM else judged)
        yield Claim(
            each,
            *body.source.position(each.start),
            _plain(each, links),
            () if front else tuple(evidence.of(each)),
            tuple(j.quantity.text for j in within if j.state not in (BOUND, CITED)),
            signs(each),
        )


def _within(sentence: Sentence, judged: Iterable[JudgedQuantity]) -> list[JudgedQuantity]:
    """Return those of the quantities that stand in a sentence.

    A sentence of the front matter begins and ends at its key, where its quantities are placed too.
    """
    end = max(sentence.end, sentence.start + 1)
    return [j for j in judged if sentence.start <= j.quantity.start < end]


def _plain(sentence: Sentence, links: Links) -> str:
    """Return a sentence without markup."""
    if sentence.kind == CONFIRM:
        return "".join(words for _, words in code_and_words(sentence.markdown))
    if sentence.kind in (TITLE, DESCRIPTION):
        return sentence.markdown
    return links.prose.without_markup(sentence.start, sentence.end).strip(" |")


class _Evidence:
    """Finds the evidence of the sentences of one text."""

    def __init__(self, links: Links) -> None:
        self._links = links
        document = links.text.body.document
        self._found = sorted(self._in_text(), key=lambda pair: pair[0])
        self._starts = [at for at, _ in self._found]
        self._outputs = [
            (fence.start, fence.end, document.text[fence.info_start : fence.info_end].strip())
            for fence in document.blocks.fences
            if "lab=" in document.text[fence.info_start : fence.info_end]
        ]

    def _in_text(self) -> Iterator[tuple[int, ClaimEvidence]]:
        for binding in self._links.bindings:
            kind = FACT if binding.address.lower().startswith("fact:") else LAB
            value = "" if binding.found.number is None else f", {describe(binding.found)}"
            yield binding.link.start, ClaimEvidence(kind, f"{binding.address}{value}")
        for citation, _ in self._links.citations:
            for item in citation.items:
                words = f"@{item.key}" + (f", {item.locator}" if item.locator else "")
                yield citation.start, ClaimEvidence(SOURCE, words)
        for math in self._links.text.body.document.maths:
            yield math.start, ClaimEvidence(FORMULA, " ".join(math.tex.split()))

    def _between(self, start: int, end: int) -> list[ClaimEvidence]:
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return [found for _, found in self._found[first:last]]

    def of(self, sentence: Sentence) -> Iterator[ClaimEvidence]:
        """Yield the evidence in the sentence, and what stands beside it that may support it."""
        yield from dict.fromkeys(self._between(sentence.start, sentence.end))
        start, end = self._links.prose.paragraph(sentence.start)
        around = [*self._between(start, sentence.start), *self._between(sentence.end, end)]
        for each in dict.fromkeys(found for found in around if found.kind == SOURCE):
            yield ClaimEvidence(NEAR, each.words)
        text = self._links.text.body.document.text
        for opened, closed, info in self._outputs:
            before, after = text[end:opened], text[closed:start]
            if (end <= opened and not before.strip()) or (closed <= start and not after.strip()):
                yield ClaimEvidence(OUTPUT, info)
