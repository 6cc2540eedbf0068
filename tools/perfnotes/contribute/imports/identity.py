"""Gives each draft its topic, title, slug, tags and aliases; no two notes have the same names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from perfnotes.contribute.imports import describe, naming
from perfnotes.contribute.imports.draft import Draft
from perfnotes.contribute.imports.imported_page import Guess
from perfnotes.contribute.imports.options import ImportOptions
from perfnotes.contribute.imports.vocabulary import Vocabulary
from perfnotes.model.library import Library
from perfnotes.text.source import LARGEST_FILE


def name_drafts(
    found: list[Draft], vocabulary: Vocabulary, options: ImportOptions, days: Mapping[str, str]
) -> tuple[list[Draft], list[Guess]]:
    """The drafts that will be written, with their names, and why others will not.

    ``days`` has the day of the last change of each source.
    """
    library = vocabulary.library
    notes = {**library.notes, **library.drafts}
    titles = {n.meta.title.casefold(): n.id for n in notes.values()}
    ids = set(notes) | set(_existing_ids(library.root))
    aliases = {a for n in notes.values() for a in n.meta.aliases}
    taken = aliases | ids | {n.slug for n in notes.values()}
    kept: list[Draft] = []
    problems: list[Guess] = []
    for draft in found:
        if draft.original:
            continue
        describe.describe(draft, vocabulary, days[draft.file])
        if not _topic(draft, vocabulary, options, problems):
            continue
        if not draft.tags:
            tag = vocabulary.usual_tag(draft.topic)
            draft.tags = (tag,) if tag else ()
            draft.tell(
                f"it uses no word of notes/tags.yml: tagged {tag!r}, as most notes of its topic",
                "take a tag that fits",
            )
        same = titles.get(draft.title.casefold(), "")
        if same in notes and not options.slug:
            what = f"not imported: {same} has the title {draft.title!r} already"
            problems.append(Guess(draft.file, draft.line, what))
            continue
        if same:
            _retitle(draft, titles)
        _slug(draft, library, options, ids | {f"{draft.topic}/{a}" for a in aliases})
        titles[draft.title.casefold()] = draft.id
        ids.add(draft.id)
        kept.append(draft)
    slugs = {d.slug for d in kept} | {d.id for d in kept}
    for draft in kept:
        describe.aliases(draft, taken | (slugs - {draft.slug, draft.id}))
        taken |= set(draft.aliases)
        _keep_rest_aside(draft)
    return [*kept, *_twins(found, kept, problems)], problems


def _keep_rest_aside(draft: Draft) -> None:
    """Keep those keys of the front matter aside that nothing has used."""
    draft.fields.take("slug")
    draft.fields.values.pop("draft", None)
    draft.asides += draft.fields.rest()


def _twins(found: list[Draft], kept: list[Draft], problems: list[Guess]) -> Iterator[Draft]:
    """The twins of the notes in ``kept``, whose names they share."""
    there = {id(draft) for draft in kept}
    for draft in found:
        if not draft.original:
            continue
        if id(draft.original) not in there:
            what = f"not imported: it translates {draft.original.file}, which is not imported"
            problems.append(Guess(draft.file, draft.line, what))
            continue
        describe.describe_twin(draft)
        _keep_rest_aside(draft)
        yield draft


def _existing_ids(notes: Path) -> Iterator[str]:
    """The ids at which a file or folder exists, also one that is no note."""
    for topic in notes.iterdir() if notes.is_dir() else ():
        if topic.is_dir():
            for entry in topic.iterdir():
                yield f"{topic.name}/{entry.name.partition('.')[0]}"


def _topic(
    draft: Draft, vocabulary: Vocabulary, options: ImportOptions, problems: list[Guess]
) -> bool:
    """Give the draft its topic; False, with a problem, if nothing tells which topic it has."""
    topic, why = options.topic, ""
    if not topic:
        given = draft.fields.line("topic", "section")
        topic = vocabulary.topic_of_folder([*PurePosixPath(draft.file).parts[:-1], given])
        why = "after the folder it lies in"
    if not topic and draft.tags:
        topic = vocabulary.topic_of_tags(draft.tags)
        why = f"whose notes use the tags {', '.join(draft.tags)} most"
    if not topic:
        what = "not imported: neither its folder nor its tags tell its topic"
        problems.append(Guess(draft.file, draft.line, what, "name one with --topic"))
        return False
    if why:
        draft.tell(f"topic: {topic}, {why}", "name another with --topic")
    draft.topic = topic
    return True


def _retitle(draft: Draft, titles: dict[str, str]) -> None:
    """Add the folder's name, and a number if needed, to a title that another draft has."""
    folder = PurePosixPath(draft.file).parent.name or naming.stem(draft.file)
    wanted = f"{draft.title} ({folder})" if folder else f"{draft.title} (2)"
    n = 2
    title = wanted
    while title.casefold() in titles:
        title, n = f"{wanted} {n}", n + 1
    draft.tell(f"another note of this import has the title {draft.title!r}: this one is {title!r}",
               "say what sets it apart")  # fmt: skip
    draft.title = title


def _slug(draft: Draft, library: Library, options: ImportOptions, ids: set[str]) -> None:
    """Give the draft a slug with which its id is not in ``ids``."""
    given = draft.fields.line("slug") if draft.first else ""
    stem = naming.stem(draft.file)
    wanted, why = options.slug if draft.first else "", ""
    if not wanted and draft.first:
        wanted = naming.slug(given) or naming.slug(stem)
    wanted = wanted or naming.slug(draft.title)
    if not wanted:
        wanted = naming.slug_from_terms(draft.title, library.terms.values())
        why = f"{draft.title!r} by the terms of the glossary"
    if not wanted:
        base = naming.slug(given) or naming.slug(stem)
        wanted = f"{base}-{draft.line}" if base and not draft.first else ""
        wanted = wanted or naming.hashed(
            f"{draft.file}:{draft.line}" if not draft.first else draft.file
        )
        why = "its name and title have no Latin letters"
    if why:
        draft.tell(f"the name {wanted!r}: {why}", "rename it with: perfnotes move, or give --slug")
    free = naming.free_name(f"{draft.topic}/{wanted}", ids).rpartition("/")[2]
    if free != wanted:
        draft.tell(
            f"{draft.topic}/{wanted} is taken: this note is {free}", "give a name with --slug"
        )
    draft.slug = free


def short_enough(found: list[Draft]) -> tuple[list[Draft], list[Guess]]:
    """The drafts that are short enough for a note, and a problem for each that is not."""
    kept, problems = [], []
    for draft in found:
        size = len(draft.text().encode("utf-8", "replace"))
        if size > LARGEST_FILE:
            what = f"not imported: the note would have {size:,} bytes, more than {LARGEST_FILE:,}"
            hint = "split it with --split-at h1, h2 or h3"
            problems.append(Guess(draft.file, draft.line, what, hint))
        else:
            kept.append(draft)
    there = {id(draft) for draft in kept}
    for draft in [d for d in kept if d.original and id(d.original) not in there]:
        what = "not imported: the note that it translates is too long"
        problems.append(Guess(draft.file, draft.line, what))
        kept.remove(draft)
    return kept, problems
