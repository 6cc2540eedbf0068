"""temp"""
from __future__ import annotations
from perfnotes.model.note import Meta
from perfnotes.text.body import Body
from perfnotes.text.sentences import DESCRIPTION, TITLE, Sentence, sentences


def sentences_of(meta: Meta, body: Body) -> list[Sentence]:
    """Return the sentences of a note or translation, its title and description first."""
    front = [
        Sentence(meta.place(key), meta.place(key), key, words)
        for key, words in ((TITLE, meta.title), (DESCRIPTION, meta.description))
        if words
    ]
    return [*front, *sentences(body.document, body.prose)]
