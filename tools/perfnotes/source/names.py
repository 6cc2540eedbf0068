"""Lists the names in a notes folder, for the completion of command lines in a shell.

The names come from paths and from lines that match a pattern. No file is parsed, because that would
take too long while somebody waits for a completion. So a file with an error still gives its names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

_ENTRY = re.compile(r"^-\s*\{?\s*id:\s*[\"']?([a-z0-9-]+)", re.MULTILINE)
_KEY = re.compile(
    r"^@(?!comment|string|preamble)\w+\s*[{(]\s*([^\s,{}\"]+)\s*,", re.MULTILINE | re.IGNORECASE
)
_ENTITIES = re.compile(r"^entities:(.*?)(?=^[a-z]|\Z)", re.MULTILINE | re.DOTALL)
_ENTITY = re.compile(r"^ {2}([a-z0-9.-]+):\s*$", re.MULTILINE)
_CODE = re.compile(r"^ +code=\"(PN\d+)\"", re.MULTILINE)
_CHECKS = Path(__file__).parents[1] / "checks"

Names = Callable[[Path], Iterable[str]]  # takes a notes folder


def _entries(table: str) -> Names:
    return lambda notes: _ENTRY.findall(_text(notes / f"{table}.yml"))


def _keys(notes: Path) -> Iterable[str]:
    return _KEY.findall(_text(notes / "references.bib"))


def _notes(notes: Path) -> Iterable[str]:
    for file in (*notes.glob("*/*.md"), *notes.glob("*/*/index.md")):
        id = file.relative_to(notes).as_posix().removesuffix(".md").removesuffix("/index")
        if not id.endswith(".zh") and id.partition("/")[0] != "references":
            yield id


def _labs(notes: Path) -> Iterable[str]:
    return (f.parents[1].relative_to(notes).as_posix() for f in notes.glob("*/*/lab/lab.yml"))


def _machines(notes: Path) -> Iterable[str]:
    return (file.stem for file in notes.glob("*/*/lab/results/*.json"))


def _entities(notes: Path) -> Iterable[str]:
    for file in notes.glob("facts/*.yml"):
        for section in _ENTITIES.findall(_text(file)):
            yield from _ENTITY.findall(section)


def _fact_files(notes: Path) -> Iterable[str]:
    return (file.stem for file in notes.glob("facts/*.yml"))


def _note_paths(notes: Path) -> Iterable[str]:
    """Yield each topic with a slash after it, to begin a new note's path, and each note."""
    yield from (f"{topic}/" for topic in NAMES["TOPIC"](notes))
    yield from _notes(notes)


def _facts_of(notes: Path) -> Iterable[str]:
    return (f"{entity}/" for entity in _entities(notes))


def _codes(_notes: Path) -> Iterable[str]:
    for file in _CHECKS.glob("[!_]*.py"):
        yield from _CODE.findall(_text(file))


def _renamable(notes: Path) -> Iterable[str]:
    """Yield everything that can be renamed: notes, tags, terms and citation keys."""
    for names in (_notes, _entries("tags"), _entries("glossary")):
        yield from names(notes)
    yield from (f"@{key}" for key in _keys(notes))


# The names that an argument can take, by its metavar in the command line's help.
NAMES: dict[str, Names] = {
    "TOPIC": _entries("topics"),
    "TAG": _entries("tags"),
    "TERM": _entries("glossary"),
    "NOTE": _notes,
    "LAB": _labs,
    "KEY": _keys,
    "MACHINE": _machines,
    "ENTITY": _entities,
    "FACTS": _fact_files,
    "CODE": _codes,
    "OLD": _renamable,
    "TOPIC/SLUG": _note_paths,
    "ENTITY/NAME": _facts_of,
}


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""
