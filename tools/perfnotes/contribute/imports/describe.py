"""The front matter of a draft: from its source's front matter, and otherwise guessed."""

from __future__ import annotations

import re
from datetime import date

from perfnotes.contribute.imports.draft import Draft
from perfnotes.contribute.imports.vocabulary import Vocabulary
from perfnotes.model.note import without_mail_addresses
from perfnotes.text.body import read_body
from perfnotes.text.prose import Prose, language_of
from perfnotes.text.slug import bare_id
from perfnotes.text.source import Source

LONGEST_DESCRIPTION = 200  # characters
_DATE = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})")
_MONTHS = "january february march april may june july august september october november december"
_WORDED_DATE = re.compile(r"\b([A-Z][a-z]{2,8})\.? (\d{1,2}),? (\d{4})")  # May 4, 2024
_LEVELS = {
    "introductory": "introductory intro introduction beginner basics 入门 基础 初级",
    "intermediate": "intermediate medium 中级",
    "advanced": "advanced internals 高级 进阶 深入",
}
_LEVEL_WORDS = {w: level for level, words in _LEVELS.items() for w in words.split()}
_ADDRESS_KEYS = ("permalink", "url", "redirect_from", "redirect_to", "old_url")


def describe(draft: Draft, vocabulary: Vocabulary, modified: str) -> None:
    """Fill in the fields of a note's front matter, and report every guess.

    ``modified`` is the day of the file's last change.
    """
    body = read_body(Source(draft.page.path, draft.page.text))
    prose = body.prose
    _description(draft, prose)
    _tags(draft, vocabulary, [s.title for s in body.sections], draft.page.text)
    _level(draft)
    _dates(draft, modified)
    _people(draft)
    draft.anchors = dict(body.anchors_by_bare_id)
    if language_of(draft.page.text) == "zh":
        draft.tell(
            "the text is Chinese and was imported untranslated",
            "notes are English: write one, then this text becomes its translation, .zh.md",
        )


def describe_twin(draft: Draft) -> None:
    """Fill in the fields of a twin's front matter. Its note must have its names already."""
    assert draft.original
    note = read_body(Source(draft.original.page.path, draft.original.page.text))
    own = read_body(Source(draft.page.path, draft.page.text))
    shared = read_body(own.source, original=note.sections)
    _description(draft, own.prose)
    changed_on = draft.fields.take("updated", "lastmod", "modified", "last_modified_at")
    draft.updated = _day(" ".join(changed_on))
    if changed_on and " ".join(changed_on) != draft.updated:
        draft.asides.append(f"updated: {' '.join(changed_on)}")
    _people(draft)
    draft.anchors = dict(shared.anchors_by_bare_id)
    for section, same in zip(own.sections, shared.sections, strict=True):
        draft.anchors.setdefault(bare_id(section.id), same.id)
    if [s.level for s in own.sections] != [s.level for s in note.sections]:
        draft.tell(
            f"its headings are not those of {draft.original.file} in number and level",
            "give both the same, so that a link to a section works in either",
        )


def _description(draft: Draft, prose: Prose) -> None:
    given = draft.fields.line("description", "summary", "excerpt", "subtitle", "abstract", "lead")
    if given and len(given) <= LONGEST_DESCRIPTION:
        draft.description = given
        return
    if given:
        draft.asides.append(f"description: {given}")
        draft.tell("the description has over 200 characters: it was cut, the whole kept aside",
                   "say it in one sentence")  # fmt: skip
        draft.description = _cut(given)
        return
    sentence = _first_sentence(draft, prose)
    if sentence:
        draft.tell("the description is the first sentence", "say what the reader will know")
    else:
        draft.tell("the description is the title, as the text has no sentence",
                   "say what the reader will know")  # fmt: skip
    draft.description = _cut(sentence or draft.title)


def _first_sentence(draft: Draft, prose: Prose) -> str:
    """The first sentence of the text with at least twelve letters, or an empty string."""
    text = draft.page.text
    document = draft.page.document
    skip = sorted([*document.blocks.code, *((h.start, h.end) for h in document.blocks.headings),
                   *document.blocks.tables])  # fmt: skip
    tried = 0
    for paragraph in re.finditer(r"(?:[^\n]+(?:\n|\Z))+", text[:100_000]):
        a, b = paragraph.span()
        if any(x < b and a < y for x, y in skip) or paragraph[0].lstrip().startswith(("!", "[^")):
            continue
        words = re.sub(r"\[\^[^\[\]\s]+\]", "", prose.without_markup(a, b))
        tried += 1
        if sum(c.isalpha() for c in words) >= 12:
            end = re.search(r"[.!?](?=\s|$)|[。！？]", words)
            return words[: end.end()] if end else words
        if tried > 40:
            break
    return ""


def _cut(sentence: str) -> str:
    sentence = " ".join(sentence.split())
    if len(sentence) <= LONGEST_DESCRIPTION:
        return sentence
    cut = sentence.rfind(" ", 0, LONGEST_DESCRIPTION - 2)
    return sentence[: cut if cut > 100 else LONGEST_DESCRIPTION - 2] + " …"


def _tags(draft: Draft, vocabulary: Vocabulary, headings: list[str], text: str) -> None:
    given: list[str] = []
    for key in ("tags", "tag", "categories", "category", "keywords", "topics", "topic"):
        given += [w for v in draft.fields.take(key) for w in re.split(r"[,;，、]\s*", v) if w]
    known = list(dict.fromkeys(t for w in given if (t := vocabulary.tag_named(w))))
    unknown = [w for w in dict.fromkeys(given) if not vocabulary.tag_named(w)]
    if given:
        # Tags of ours may be spelled otherwise, so the words are kept as they were written.
        draft.asides.append(f"tags: {', '.join(dict.fromkeys(given))}")
    if unknown:
        draft.tell(f"not in notes/tags.yml, so kept aside: {', '.join(unknown)[:200]}",
                   "add the tag there, or take another")  # fmt: skip
    guessed = [(t, n) for t, n in vocabulary.guess(draft.title, headings, text) if t not in known]
    if not known and guessed:
        why = ", ".join(f"{t} ({n} times)" for t, n in guessed)
        draft.tell(f"tags from words in the text: {why}", "keep those that the note is about")
        known = [t for t, _ in guessed]
    draft.tags = tuple(known[:6])


def _level(draft: Draft) -> None:
    given = draft.fields.line("level", "difficulty").casefold()
    if given:
        draft.asides.append(f"level: {given}")
    level = _LEVEL_WORDS.get(given, "")
    if not level:
        words = re.findall(r"[a-z]+|[\u4e00-\u9fff]{2}", draft.title.casefold())
        level = next((_LEVEL_WORDS[w] for w in words if w in _LEVEL_WORDS), "")
        why = "by a word of the title" if level else "as no word says which"
        level = level or "intermediate"
        draft.tell(f"level: {level}, {why}", "introductory, intermediate or advanced")
    draft.level = level


def _dates(draft: Draft, modified: str) -> None:
    written_on = draft.fields.take("date", "created", "publishdate", "pubdate", "created_at")
    changed_on = draft.fields.take("updated", "lastmod", "modified", "last_modified_at")
    draft.date = _day(" ".join(written_on)) or _day(draft.date)
    draft.updated = _day(" ".join(changed_on))
    # A value that is more than a day, such as a time, is kept aside as it was written.
    given = [("date", written_on, draft.date), ("updated", changed_on, draft.updated)]
    draft.asides += [f"{k}: {' '.join(v)}" for k, v, day in given if v and " ".join(v) != day]
    if not draft.date:
        draft.date = draft.updated or modified
        how = "of the last change" if draft.updated else "on which the file was last changed"
        draft.tell(f"the date, {draft.date}, is the day {how}", "give the day it was written")


def _day(given: str) -> str:
    """The first date in a text, as 2024-05-04, or an empty string."""
    found = _DATE.search(given)
    if found:
        year, month, day = (int(g) for g in found.groups())
    else:
        worded = _WORDED_DATE.search(given)
        months = [m for m in _MONTHS.split() if worded and m.startswith(worded[1].lower()[:3])]
        if not worded or not months:
            return ""
        year, month, day = int(worded[3]), _MONTHS.split().index(months[0]) + 1, int(worded[2])
    try:
        return date(year, month, day).isoformat()
    except ValueError:  # no day of the calendar
        return ""


def _people(draft: Draft) -> None:
    given = tuple(dict.fromkeys(draft.fields.take("authors", "author", "by")))
    names = tuple(dict.fromkeys(without_mail_addresses(given)))
    draft.authors = names
    if names != given:
        draft.tell("mail addresses of authors were left out: none belongs in a public note")


def aliases(draft: Draft, taken: set[str]) -> None:
    """Give the draft its aliases. Names in ``taken`` are kept aside; new ones are added to it."""
    given = draft.fields.take("aliases", "alias")
    for key in _ADDRESS_KEYS:
        given += draft.fields.take(key)
    found = []
    for each in dict.fromkeys(given):
        name = re.sub(r"(?:/index)?(?:\.html?)?/?$", "", each.strip().lstrip("/"))
        if not name or name in (draft.id, draft.slug):
            continue
        if name in taken:
            draft.tell(f"the alias {name!r} is taken: kept aside", "choose another, or none")
            draft.asides.append(f"alias: {each}")
            continue
        if name != each:
            draft.asides.append(f"alias: {each}")
        taken.add(name)
        found.append(name)
    draft.aliases = tuple(found)
