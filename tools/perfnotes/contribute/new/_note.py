"""``perfnotes new note``: a draft with valid front matter and the usual sections."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from perfnotes.contribute.new._answers import Answers, one_of, parts
from perfnotes.contribute.new._author import author
from perfnotes.contribute.new._creation_plan import (
    CreationPlan,
    note_ids,
    too_long,
    wrong_names,
    wrong_notes,
)  # fmt: skip
from perfnotes.contribute.new._names import slug_of, taken, why_not
from perfnotes.contribute.new._twin import note_from
from perfnotes.fixes.move.changes import Changes
from perfnotes.model.bilingual import Bilingual
from perfnotes.model.note import LEVELS, Meta
from perfnotes.model.symptom import Symptom
from perfnotes.source.names import NAMES
from perfnotes.source.read.frontmatter import read
from perfnotes.source.read.symptoms import read_symptoms
from perfnotes.source.read.tables import tags, topics
from perfnotes.source.read.wanted import read_wanted
from perfnotes.source.twin import skeleton
from perfnotes.source.yamltext import YamlEditError, YamlText, yaml_scalar
from perfnotes.text.nearest import no_such
from perfnotes.text.source import Source, read_source
from perfnotes.text.tokens import TextEdit

# A placeholder, which `perfnotes check` reports until it is replaced (PN805).
_CONFIRM = "One command, or what to look at, and what it says if this is the cause."
_NEEDED = {
    "TOPIC/SLUG": "the note's id, such as caches/row-order, or its topic alone",
    "title": "the title, as readers see it",
    "tags": "tags from notes/tags.yml, with commas",
    "level": f"the level ({', '.join(LEVELS)})",
}


def planned_note(root: Path, answers: Answers) -> CreationPlan:
    """Plans a new note as a draft, with its Chinese twin if ``--twin`` was given."""
    notes = root / "notes"
    known_topics, table, _ = topics(notes / "topics.yml", "notes/topics.yml")
    wanted = read_wanted(notes / "wanted.yml", "notes/wanted.yml")[0].topics if table else {}
    known_tags, _, _ = tags(notes / "tags.yml", "notes/tags.yml")
    ids = set(NAMES["NOTE"](notes))
    answers.expect(_NEEDED)
    given = answers.need(
        "TOPIC/SLUG",
        _NEEDED["TOPIC/SLUG"],
        lambda id: _wrong_id(notes, id, [*known_topics, *wanted]),
    )
    title = answers.need("title", _NEEDED["title"], lambda t: _wrong_title(notes, t))
    topic, _, slug = given.partition("/")
    slug = slug or _slug(notes, topic, title, answers)
    tagged = answers.need(
        "tags",
        _NEEDED["tags"],
        lambda t: wrong_names(t, "tag", known_tags, "notes/tags.yml"),
    )
    level = answers.need("level", _NEEDED["level"], one_of(LEVELS))
    description = answers.or_placeholder(
        "description", "what the reader will know, in one sentence", _template()[0], too_long
    )
    requires = answers.optional(
        "requires",
        "notes to read first, with commas",
        "",
        lambda n: wrong_notes(n, ids, notes),
    )
    symptom = _symptom(notes, answers)
    text = _text(
        title,
        description,
        parts(tagged),
        level,
        note_ids(requires, ids, notes),
        symptom,
        named=author(root),
    )
    id = f"{topic}/{slug}"
    note = note_from(id, f"{id}.md", text)
    path = f"notes/{id}.md"
    changes = Changes(created={path: text})
    if answers.has("twin"):
        changes.created[f"notes/{id}.zh.md"] = skeleton(note, is_new=True)
    is_new_topic = topic not in known_topics
    if table and is_new_topic:
        changes.edit(table.path, _new_topic(table.text, topic, wanted[topic], slug))
    elif table:
        _add_to_reading_order(changes, table, topic, slug)
    recorded = (
        (
            f"perfnotes translated {id}",
            "when both are written: records that the Chinese text follows the English one",
        ),
    )
    return CreationPlan(
        changes,
        (
            (f"$EDITOR {path}", "write; remove `draft: true` to see it and have it checked"),
            ("perfnotes cite DOI", "add a paper; without a DOI: perfnotes new reference"),
            (f"perfnotes new lab {id}", "an experiment for its numbers"),
            (f"perfnotes check {path}", "says what to mend"),
            ("perfnotes serve", "shows it"),
            *(
                (("$EDITOR notes/topics.yml", "say what the new topic is about"),)
                if is_new_topic
                else ()
            ),
            *(recorded if answers.has("twin") else ()),
        ),
    )


def _new_topic(table: str, topic: str, title: Bilingual, slug: str) -> TextEdit:
    """Return the edit that adds a topic, which ``wanted.yml`` names, with its first note."""
    en, zh = yaml_scalar(title["en"]), yaml_scalar(title["zh"])
    entry = (
        f"- id: {topic}\n  title: {{en: {en}, zh: {zh}}}\n"
        f"  description: {{en: {en}, zh: {zh}}}\n  notes: [{slug}]\n"
    )
    end = len(table.rstrip())
    return TextEdit(end, len(table), f"\n\n{entry}")


def _add_to_reading_order(changes: Changes, table: Source, topic: str, slug: str) -> None:
    """Put the note at the end of its topic's reading order, if ``topics.yml`` can be edited so."""
    text = YamlText(table.text)
    at = text.entry(topic)
    if slug in text.items((at, "notes")):
        return
    try:
        if (at, "notes") in text:
            changes.edit(table.path, text.appended((at, "notes"), slug))
        else:
            keys = ("introduction", "description", "title")
            changes.edit(table.path, text.added_key((at,), f"notes: [{slug}]", keys))
    except YamlEditError as error:
        changes.remarks.append(f"{table.path}: {error}; its reading order stays as it is")


def _wrong_id(notes: Path, id: str, topics: list[str]) -> str:
    """Return why a new note cannot have this id, or "" if it can. The slug may be missing yet."""
    topic, slash, slug = id.removeprefix("notes/").removesuffix(".md").partition("/")
    if id.startswith("notes/") or id.endswith(".md"):
        return f"write {topic}{slash}{slug}, without notes/ and .md"
    if wrong := why_not(topic) or (why_not(slug) if slash else ""):
        return wrong
    if topic not in topics:
        guess = no_such("topic", topic, topics, "notes/topics.yml")
        return f"{guess}\na new topic begins with an entry there:\n{_topic_entry(topic)}"
    if not (notes / topic).resolve().is_relative_to(notes.resolve()):
        return f"notes/{topic} leads out of notes/"
    if there := taken(notes / topic, slug) if slug else "":
        return f"notes/{topic}/{there} is there already"
    for file, meta in _notes_with(notes, slug) if slug else ():
        if alias := {slug, f"{topic}/{slug}"} & set(meta.aliases):
            return f"notes/{file} is known as {min(alias)!r}: choose another name"
    return ""


def _topic_entry(topic: str) -> str:
    return (
        f"  - id: {topic}\n    title: {{en: Its title, zh: 标题}}\n"
        "    description: {en: What its notes are about., zh: 这些笔记讲什么。}\n    notes: []"
    )


def _slug(notes: Path, topic: str, title: str, answers: Answers) -> str:
    """Return a slug made from the title, or ask for one if none can be made or it is taken."""
    slug = slug_of(title)
    why = _wrong_id(notes, f"{topic}/{slug}", [topic])
    if not slug:
        letters = "" if title.isascii() else "the title has letters that are not Latin, so "
        why = f"{letters}no slug can be made from the title"
    if not why:
        return slug
    question = f"{why}: the slug, in lower case Latin letters, digits and hyphens"
    otherwise = f"{why}; write one: perfnotes new note {topic}/my-slug"
    return answers.ask(
        "TOPIC/SLUG", question, lambda s: _wrong_id(notes, f"{topic}/{s}", [topic]), otherwise
    )


def _wrong_title(notes: Path, title: str) -> str:
    """Return why a title cannot be used (too long, or another note's), or "" if it can."""
    if len(title) > 120:
        return f"{len(title)} characters: at most 120"
    for file, meta in _notes_with(notes, title):
        if meta.title.casefold() == title.casefold():
            return f"notes/{file} has this title: say what sets the new note apart"
    return ""


def _notes_with(notes: Path, words: str) -> Iterator[tuple[str, Meta]]:
    """Yield the file and front matter of each note whose text has the words anywhere."""
    for id in NAMES["NOTE"](notes):
        for file in (f"{id}.md", f"{id}/index.md"):
            source = read_source(notes / file, file)[0] if (notes / file).is_file() else None
            if source and words.casefold() in source.text.casefold():
                yield file, read(source, "note", lenient=True)[0]


def _template() -> tuple[str, str]:
    """Return the description and the text below the front matter of ``templates/note.md``."""
    text = files("perfnotes").joinpath("contribute/templates/note.md").read_text("utf-8")
    meta, start, _ = read(Source("note.md", text), "note", lenient=True)
    return meta.description, text[start:]


def _symptom(notes: Path, answers: Answers) -> Symptom | None:
    """Return the symptom from options or answers; None if the author gave none."""
    index, _, _ = read_symptoms(notes / "symptoms.yml", "notes/symptoms.yml")
    known = index.addresses
    if not known:
        return None
    see = answers.optional("see", "what a reader sees who does not know the name, in one sentence")
    if not see:
        return None
    question = "where one looks for it, from notes/symptoms.yml"
    where = answers.need("where", question, lambda w: "" if w in known else _no_place(w, known))
    return Symptom(slug_of(see)[:40].strip("-") or "seen", see, _CONFIRM, "what-to-do", where)


def _no_place(where: str, known: tuple[str, ...]) -> str:
    return no_such("place", where, known, "notes/symptoms.yml")


def _text(
    title: str,
    description: str,
    tags: list[str],
    level: str,
    requires: list[str],
    symptom: Symptom | None,
    *,
    named: str,
) -> str:
    def listed(words: list[str]) -> str:
        return f"[{', '.join(map(yaml_scalar, words))}]"

    lines = (
        "---",
        f"title: {yaml_scalar(title, flow=False)}",
        f"description: {yaml_scalar(description, flow=False)}",
        f"tags: {listed(tags)}",
        f"level: {level}",
        f"requires: {listed(requires)}",
        "aliases: []",
        *([f"authors: {listed([named])}"] if named else []),
        f"date: {datetime.now(UTC).date().isoformat()}",
        *_symptom_lines(symptom),
        "draft: true",
        "---",
    )
    return "\n".join(lines) + "\n" + _template()[1]


def _symptom_lines(symptom: Symptom | None) -> list[str]:
    if symptom is None:
        return []
    return [
        "symptoms:",
        f"- id: {symptom.id}",
        f"  see: {yaml_scalar(symptom.see, flow=False)}",
        f"  confirm: {yaml_scalar(symptom.confirm, flow=False)}",
        f"  section: {symptom.section}",
        f"  where: {symptom.where}",
    ]
