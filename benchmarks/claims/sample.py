"""Chooses sentences of the notes at random, for labels that a person writes.

    .venv/bin/python -m benchmarks.claims.sample 201 >sample.tsv
    .venv/bin/python -m benchmarks.claims.sample 101 "another seed" >fresh.tsv

A sentence's rank is the SHA-256 of a seed, its file and its digest, so nobody can choose. Each
language has its share of all sentences, rounded down. First rows of tables, which never state a
fact, and how to confirm a symptom, which always does, are not among them. Sentences of even rank
are the half for tuning the rule, those of odd rank the half that is held back; with another seed
all are ``fresh``.
The column ``fact`` is left to be filled in.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from perfnotes.model.note import Note
from perfnotes.model.review import sentences_of
from perfnotes.model.translation import Translation
from perfnotes.source.read.folder import read_library
from perfnotes.text.sentences import CONFIRM, HEADER

SEED = "claims of November 2026"


def main() -> None:
    """Write as many lines as asked for, with tabs between the columns."""
    wanted = int(sys.argv[1])
    seed = sys.argv[2] if len(sys.argv) > 2 else SEED
    library = read_library(Path("notes"))
    ranked: dict[str, list[tuple[str, str, str, str]]] = {"en": [], "zh": []}
    texts: list[Note | Translation] = [*library.notes.values(), *library.translations.values()]
    for text in texts:
        for each in sentences_of(text.meta, text.body):
            if each.kind not in (HEADER, CONFIRM):
                rank = hashlib.sha256(f"{seed} {text.file} {each.digest}".encode()).hexdigest()
                words = " ".join(each.markdown.split())
                ranked[text.lang].append((rank, text.file, each.kind, words))
    total = sum(map(len, ranked.values()))
    print("half", "fact", "lang", "kind", "file", "sentence", sep="\t")
    for lang, found in ranked.items():
        for i, (_, file, kind, words) in enumerate(sorted(found)[: wanted * len(found) // total]):
            half = "fresh" if seed != SEED else "held" if i % 2 else "tuning"
            print(half, "?", lang, kind, file, words, sep="\t")


if __name__ == "__main__":
    main()
