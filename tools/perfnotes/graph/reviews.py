"""Reviews held against the texts as they are now: which of the sentences that were read changed."""

from __future__ import annotations

from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.model.review import ReviewState, sentences_of, states
from perfnotes.model.translation import Translation


def review_states(site: Site) -> dict[str, list[ReviewState]]:
    """Return by its path below the notes folder the state of each text that somebody read.

    Use it as ``site.derived(review_states)``: several pages and checks ask for it. Reviews without
    a published text are left out.
    """
    library = site.library
    found = {}
    for text in library.texts:
        review = library.reviews.get(text.file)
        if review:
            found[text.file] = states(review, digests_now(site, text))
    return found


def digests_now(site: Site, text: Note | Translation) -> frozenset[str]:
    """Return the digests of all sentences of a text."""
    links = site.graph.links[f"notes/{text.file}"]
    return frozenset(s.digest for s in sentences_of(text.meta, text.body, links.prose))


def unread(site: Site) -> list[Note]:
    """Return the notes whose text nobody has read yet, in the order of the site."""
    reviews = site.library.reviews
    groups = site.library.by_topic.values()
    return [note for group in groups for note in group if note.file not in reviews]
