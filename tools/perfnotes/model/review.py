"""A Review: which sentences of one text somebody read against their sources.

The file lies beside the text: ``index.review.yml`` beside ``index.md``, ``index.zh.review.yml``
beside ``index.zh.md``. A review keeps a digest of each sentence that was read. If a sentence of the
text changes later, only the reading of that sentence is stale.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct

from perfnotes.model.note import Meta
from perfnotes.text.body import Body
from perfnotes.text.lazy_field import lazy_field, state_without_loading
from perfnotes.text.prose import Prose
from perfnotes.text.sentences import CONFIRM, DESCRIPTION, TITLE, Sentence, sentences
from perfnotes.text.source import Source

SOURCES, EXPERT = "sources", "expert"
KINDS = (SOURCES, EXPERT)
CHECKED, MENDED, UNVERIFIED = "checked", "mended", "unverified"
MAINTAINERS = "maintainers"


class ReadSentence(Struct, frozen=True):
    """A sentence as it was read: its digest and its first words.

    ``state`` is ``checked``, ``mended`` (it was wrong and now says what is right) or ``unverified``
    (its source is out of reach). ``remark`` says what was wrong, or why it cannot be verified.
    """

    digest: str
    words: str
    state: str = CHECKED
    remark: str = ""
    offset: int = 0  # in the file of the review


class Reading(Struct, frozen=True):
    """What one reader read on one day.

    ``kind`` is ``sources`` (each sentence was held against the sources that it cites) or ``expert``
    (somebody who works in the field judged it). ``text`` is the digest of the whole text on that
    day.
    """

    by: str
    kind: str
    date: str
    text: str
    sentences: tuple[ReadSentence, ...] = ()


@dataclass(frozen=True)
class Review:
    """The readings of one text; ``file`` is the text's path below the notes folder.

    The store keeps a review without its readings; they are loaded at the first access.
    """

    file: str
    source: Source
    readings: tuple[Reading, ...] = lazy_field()

    def __getstate__(self) -> dict[str, object]:
        """Pickle without the digests, which come from the readings."""
        return {k: v for k, v in state_without_loading(self).items() if k != "digests"}

    @cached_property
    def digests(self) -> frozenset[str]:
        """The digests of all sentences that somebody has read."""
        return frozenset(s.digest for reading in self.readings for s in reading.sentences)


class ReviewState(Struct, frozen=True):
    """The readings of one kind, compared with the present text.

    ``read``, ``mended`` and ``unverified`` count sentences that were read; ``changed`` lists those
    that the text no longer has. ``date`` is the day of the latest reading; ``by`` names the
    readers.
    """

    kind: str
    date: str
    by: tuple[str, ...]
    read: int
    mended: int
    unverified: int
    changed: tuple[ReadSentence, ...] = ()


def review_path(file: str) -> str:
    """Return the path of the review of a text: ``rows.review.yml`` for ``rows.md``."""
    return f"{file.removesuffix('.md')}.review.yml"


def text_path(file: str) -> str:
    """Return the path of the text that a review belongs to."""
    return f"{file.removesuffix('.review.yml')}.md"


def sentences_of(meta: Meta, body: Body, prose: Prose | None = None) -> list[Sentence]:
    """Return the sentences of a note or translation, those of its front matter first.

    ``prose`` is the body in plain words, if the caller has it already.
    """
    return [*front_sentences(meta), *sentences(body.document, prose or body.prose)]


def front_sentences(meta: Meta) -> list[Sentence]:
    """Return the title, the description and how to confirm each symptom, each as one sentence."""
    found = [(meta.place(TITLE), TITLE, meta.title)]
    found.append((meta.place(DESCRIPTION), DESCRIPTION, meta.description))
    for i, symptom in enumerate(meta.symptoms):
        found.append((meta.place("symptoms", i, CONFIRM), CONFIRM, symptom.confirm))
    return [Sentence(at, at, kind, words) for at, kind, words in found if words]


def states(review: Review, digests: Iterable[str]) -> list[ReviewState]:
    """Return the state of each kind of reading that the review has.

    ``digests`` are those of the sentences of the present text. A sentence that several people read
    counts once.
    """
    present = frozenset(digests)
    found = []
    for kind in KINDS:
        readings = [r for r in review.readings if r.kind == kind and r.sentences]
        read = {s.digest: s for reading in readings for s in reading.sentences}
        if not read:
            continue
        found.append(
            ReviewState(
                kind,
                max(reading.date for reading in readings),
                tuple(dict.fromkeys(reading.by for reading in readings)),
                len(read),
                sum(s.state == MENDED for s in read.values()),
                sum(s.state == UNVERIFIED for s in read.values()),
                tuple(s for s in read.values() if s.digest not in present),
            )
        )
    return found
