"""Reviews held against the texts as they are now: which of the sentences that were read changed."""

from __future__ import annotations

from perfnotes.graph.site import Site
from perfnotes.model.note import Note
from perfnotes.model.review import ReviewState, front_sentences, states
from perfnotes.model.translation import Translation


def review_states(site: Site, text: Note | Translation) -> list[ReviewState]:
    """Return the states of the readings of a text; none if nobody has read it."""
    review = site.library.reviews.get(text.file)
    if not review:
        return []
    known = site.derived(_known_states)
    if text.file not in known:
        known[text.file] = states(review, digests_now(site, text))
    return known[text.file]


def _known_states(site: Site) -> dict[str, list[ReviewState]]:
    """Return the table of states by file, which ``review_states`` fills."""
    del site
    return {}


def digests_now(site: Site, text: Note | Translation) -> frozenset[str]:
    """Return the digests of all sentences of a text."""
    links = site.graph.links[f"notes/{text.file}"]
    of_body = site.memo.of(lambda: links.sentence_digests, [], "sentences", links.prose_digest)
    return of_body | {s.digest for s in front_sentences(text.meta)}


def unread(site: Site) -> list[Note]:
    """Return the notes whose text nobody has read yet, in the order of the site."""
    reviews = site.library.reviews
    groups = site.library.by_topic.values()
    return [note for group in groups for note in group if note.file not in reviews]
