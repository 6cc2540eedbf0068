"""``perfnotes new term``: an entry in ``glossary.yml`` after those of the same note or topic."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from perfnotes.contribute.new._answers import Answers, parts
from perfnotes.contribute.new._creation_plan import CreationPlan, NewError, refuse, wrong_note
from perfnotes.contribute.new._names import slug_of, why_not
from perfnotes.fixes.move.changes import Changes, edited
from perfnotes.model.term import Term
from perfnotes.source import yamlfile
from perfnotes.source.names import NAMES
from perfnotes.source.note_name import notes_named
from perfnotes.source.read.tables import terms
from perfnotes.source.yamltext import YamlText, yaml_scalar
from perfnotes.text.source import Source
from perfnotes.text.tokens import TextEdit

_PATH = "notes/glossary.yml"
_NEEDED = {
    "WORDS": "the term in English",
    "zh": "the term in Chinese",
    "definition": "what the term means, in one English sentence",
    "definition_zh": "the same in Chinese",
}


def planned_term(root: Path, answers: Answers) -> CreationPlan:
    """Plans the new entry; ``NewError`` if its id is taken. No two terms may share a word."""
    known, table, findings = terms(root / _PATH, _PATH)
    refuse(findings)
    notes = sorted(NAMES["NOTE"](root / "notes"))
    owners = _owners(known)

    def free(words: str) -> str:
        taken = next((w for w in parts(words) if w.casefold() in owners), "")
        return f"{taken!r} is the term {owners[taken.casefold()]} already" if taken else ""

    answers.expect(_NEEDED)
    en = answers.need("WORDS", _NEEDED["WORDS"], free)
    zh = answers.need("zh", _NEEDED["zh"], free)
    definition = answers.need("definition", _NEEDED["definition"])
    definition_zh = answers.need("definition_zh", _NEEDED["definition_zh"])
    abbr = answers.optional("abbr", "abbreviations, with commas", "", free)
    aliases = answers.optional("aliases", "other English words for it, with commas", "", free)
    aliases_zh = answers.optional("aliases_zh", "other Chinese words, with commas", "", free)
    note = answers.optional(
        "note", "the note that explains it", "", lambda n: wrong_note(n, notes, root / "notes")
    )
    (note,) = notes_named(note, notes, root / "notes") if note else ("",)
    id = answers.option("id") or slug_of(en)
    if not id:
        id = answers.ask("id", "its id, in lower case Latin letters, digits and hyphens", why_not)
    if wrong := why_not(id):
        raise NewError(f"--id: {wrong}")
    if id in known:
        raise NewError(f"there is a term {id!r} already: {known[id].title('en')}")
    lines = [
        f"- id: {id}",
        f"  en: {yaml_scalar(en, flow=False)}",
        f"  zh: {yaml_scalar(zh, flow=False)}",
    ]
    if abbr:
        lines.append(f"  abbr: {_list(abbr)}")
    if aliases or aliases_zh:
        lines.append(f"  aliases: {{en: {_list(aliases)}, zh: {_list(aliases_zh)}}}")
    lines += [
        "  definition:",
        f"    en: {yaml_scalar(definition, flow=False)}",
        f"    zh: {yaml_scalar(definition_zh, flow=False)}",
    ]
    if note:
        lines.append(f"  note: {note}")
    changes = Changes()
    entry = "\n".join(lines)
    if table is None:
        changes.created[_PATH] = f"{entry}\n"
        text = f"{entry}\n"
    else:
        edit = _inserted(table.text, entry, known, note)
        changes.edit(_PATH, edit)
        text = edited(table.text, [edit])
    _prove(text, id)
    return CreationPlan(
        changes,
        (
            (f"$EDITOR {_PATH}", f"mend its words; a note links it as [[{id}]]"),
            (f"perfnotes check {_PATH}", "says what to mend"),
        ),
    )


def _owners(known: Mapping[str, Term]) -> dict[str, str]:
    """Return the term's id by each of its spellings, case-folded."""
    return {
        word.casefold(): id
        for id, term in known.items()
        for lang in ("en", "zh")
        for word in term.spellings(lang)
    }


def _list(words: str) -> str:
    return f"[{', '.join(yaml_scalar(w) for w in parts(words))}]"


def _inserted(text: str, entry: str, known: Mapping[str, Term], note: str) -> TextEdit:
    """Return the edit that writes the entry after the last term of its note.

    If the note has none yet, the entry goes after the last term of the note's topic, or to the end.
    """
    ids = list(known)
    same = [i for i in ids if note and known[i].note == note]
    near = [i for i in ids if note and known[i].note.partition("/")[0] == note.partition("/")[0]]
    table = YamlText(text)
    before = table.entry((same or near or ids)[-1]) if ids else -1
    ends = [b for path, _, _, b in table.scalars() if path[0] == before]
    if not ends:
        gap = "\n" if text.strip() else ""
        return TextEdit(len(text), len(text), f"{'' if text.endswith(chr(10)) else gap}{entry}\n")
    end = text.find("\n", len(text[: max(ends)].rstrip()))
    end = len(text) if end < 0 else end
    return TextEdit(end, end, f"\n\n{entry}")


def _prove(text: str, id: str) -> None:
    """Raise ``NewError`` if the glossary's new text is not valid or lacks the new term."""
    source = Source(_PATH, text)
    document, findings = yamlfile.load(source)
    refuse(findings)
    assert document
    refuse(yamlfile.validate(source, document, "glossary", "PN203"))
    if not any(entry["id"] == id for entry in document.value):
        raise NewError(f"{_PATH} has a form that leaves no place for a new entry: add it by hand")
