"""Records which sentences of a text a person has read: makes the text of ``<slug>.review.yml``.

If a person reads a text again, the new reading replaces the former one. It keeps those sentences of
the former reading that the text still has. A sentence that the text no longer has is kept too,
until the sentences in its place have been read, so that it is shown as changed. A remark, that a
sentence was mended or could not be verified, stays with the sentence.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

from perfnotes.model.review import CHECKED, MENDED, UNVERIFIED, Reading, ReadSentence, Review
from perfnotes.text.alignment import changes

_LONGEST_WORDS = 60  # characters of a sentence that a review repeats
_HEAD = "# Written by `perfnotes reviewed`: every sentence that was read, its digest first.\n"


def first_words(words: str) -> str:
    """Return the first words of a sentence as a review records them: one printable line."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in words).split())
    return plain if len(plain) <= _LONGEST_WORDS else f"{plain[: _LONGEST_WORDS - 1].rstrip()}…"


def with_reading(
    review: Review | None,
    new: Reading,
    statements: Sequence[str],
    verified: Collection[str] = (),
) -> list[Reading]:
    """Return all readings of a text, oldest first, after the reading ``new``.

    ``statements`` are the digests of all sentences of the text that state a fact, in their order.
    ``verified`` are the digests of sentences that could not be verified before and now were.
    """
    others: list[Reading] = []
    former: list[Reading] = []
    for reading in review.readings if review else ():
        same = (reading.by, reading.kind) == (new.by, new.kind)
        (former if same else others).append(reading)
    known = {s.digest: s for reading in former for s in reading.sentences}
    for sentence in new.sentences:
        earlier = known.get(sentence.digest)
        if sentence.state != CHECKED or earlier is None or _is_verified(earlier, verified):
            known[sentence.digest] = sentence
    before = list(dict.fromkeys(s.digest for reading in former for s in reading.sentences))
    order = _merged(before, list(dict.fromkeys(statements)), known)
    merged = Reading(new.by, new.kind, new.date, new.text, tuple(known[d] for d in order))
    return sorted([*others, merged], key=lambda reading: reading.date)


def _is_verified(earlier: ReadSentence, verified: Collection[str]) -> bool:
    return earlier.state == UNVERIFIED and earlier.digest in verified


def _merged(before: list[str], now: list[str], known: Collection[str]) -> list[str]:
    """Return the digests to record, in the order of the text.

    ``before`` are those of the former reading, ``now`` those of the present text, ``known`` those
    of the former and the new reading.
    """
    order: list[str] = []
    there = set(now)
    for _, start, end, first, last in changes(before, now):
        in_place = now[first:last]
        if not all(digest in known for digest in in_place):
            order += [digest for digest in before[start:end] if digest not in there]
        order += [digest for digest in in_place if digest in known]
    return order


def as_yaml(readings: Sequence[Reading]) -> str:
    """Return the text of a review's file."""
    lines = [_HEAD, "readings:\n"]
    for reading in readings:
        keys = {"by": reading.by, "kind": reading.kind, "date": reading.date, "text": reading.text}
        for i, (key, value) in enumerate(keys.items()):
            lines.append(f"{'  ' if i else '- '}{key}: {_quoted(value)}\n")
        lines.append("  statements: |\n" if reading.sentences else '  statements: ""\n')
        lines += [f"    {s.digest} {s.words}".rstrip() + "\n" for s in reading.sentences]
        for state, key in ((MENDED, "what"), (UNVERIFIED, "why")):
            marked = [s for s in reading.sentences if s.state == state]
            lines += [f"  {state}:\n"] if marked else []
            for each in marked:
                remark = f"{key}: {_quoted(each.remark)}"
                lines.append(f'  - {{sentence: "{each.digest}", {remark}}}\n')
    return "".join(lines)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def recorded_sentence(
    digest: str, words: str, mended: Mapping[str, str], unverified: Mapping[str, str]
) -> ReadSentence:
    """Return a sentence as a reading records it.

    ``mended`` and ``unverified`` have remarks by digest.
    """
    for state, remarks in ((MENDED, mended), (UNVERIFIED, unverified)):
        if digest in remarks:
            return ReadSentence(digest, first_words(words), state, remarks[digest])
    return ReadSentence(digest, first_words(words))
