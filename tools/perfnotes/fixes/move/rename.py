"""Planning a renaming, and proving on a copy that findings and link targets stay the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from perfnotes.fixes.move.apply import apply, copy_project, new_files
from perfnotes.fixes.move.changes import Changes, MoveError
from perfnotes.fixes.move.leftovers import remaining_places, remark
from perfnotes.fixes.move.note import id_at, move_note, note_of_file
from perfnotes.fixes.move.project import RenamingProject, read_project
from perfnotes.fixes.move.reference import rename_key
from perfnotes.fixes.move.targets import LinkTargets, targets
from perfnotes.fixes.move.translations import renew_hashes
from perfnotes.fixes.move.vocabulary import rename_tag, rename_term
from perfnotes.source.note_name import notes_named
from perfnotes.source.yamltext import YamlEditError
from perfnotes.storage.temporary import temporary_folder
from perfnotes.text.nearest import nearest, no_such

Renaming = Callable[[RenamingProject, str, str], Changes]

_KINDS: dict[str, Renaming] = {
    "note": move_note,
    "tag": rename_tag,
    "term": rename_term,
    "key": rename_key,
}
_PREFIX = re.compile(r"(note|tag|term|key):(.+)|@(.+)")


def planned(project: RenamingProject, given: str, new: str) -> Changes:
    """The changes that rename ``given`` to ``new``, after a successful trial on a copy.

    Raises ``MoveError`` if the renaming is impossible, or would change findings or link targets.
    """
    kind, old = kind_and_id(project, given)
    new = _new_name(project, kind, old, new)
    try:
        changes = _KINDS[kind](project, old, new)
        renew_hashes(project, changes)
    except YamlEditError as error:
        raise MoveError(f"this YAML cannot be edited in place: {error}") from error
    prove(project, changes, kind, old, new)
    if kind in ("note", "key") and (places := remaining_places(project, changes, old)):
        changes.remarks.append(remark(places))
    return changes


def kind_and_id(project: RenamingProject, given: str) -> tuple[str, str]:
    """The kind (note, tag, term, key) and the id of the thing that ``given`` names.

    A prefix states the kind: ``tag:dram``. Raises ``MoveError`` if the name is unknown or
    ambiguous.
    """
    library = project.library
    known = {
        "note": set(library.notes), "tag": set(library.tags), "term": set(library.terms),
        "key": set(library.references),
    }  # fmt: skip
    prefixed = _PREFIX.fullmatch(given)
    if prefixed:
        kind, name = prefixed[1] or "key", prefixed[2] or prefixed[3]
        if name not in known[kind]:
            raise MoveError(_unknown(name, known[kind]))
        return kind, name
    if given.endswith(".md") or given.startswith(("/", "./", "../", "notes/")):
        id = note_of_file(project, Path(given))
        if not id:
            raise MoveError(f"{given} is no note")
        return "note", id
    found = [(kind, given) for kind, names in known.items() if given in names]
    ids = notes_named(given, known["note"], project.root / "notes")
    found += [("note", id) for id in ids if id != given]
    if len(found) > 1:
        choice = " or ".join(f"{kind}:{id}" for kind, id in found)
        raise MoveError(f"{given!r} may be {choice}: say which")
    if not found:
        topic, slash, _ = given.partition("/")
        if slash and topic not in library.topics:
            raise MoveError(no_such("topic", topic, library.topics, "notes/topics.yml"))
        raise MoveError(_unknown(given, set().union(*known.values())))
    return found[0]


def _unknown(name: str, known: set[str]) -> str:
    guess = nearest(name, known, 0.7)
    hint = f": did you mean {guess}?" if guess else ""
    return f"no note, tag, term or reference is called {name!r}{hint}"


def _new_name(project: RenamingProject, kind: str, old: str, new: str) -> str:
    """The new name without prefix; for a note the id, which may be given as a file or slug."""
    prefix = _PREFIX.fullmatch(new)
    if prefix and (prefix[1] or "key") != kind:
        raise MoveError(f"{new!r} is another kind of thing than {kind} {old!r}")
    name = (prefix[2] or prefix[3]) if prefix else new
    if kind != "note":
        return name
    if name.endswith(".md") or name.startswith(("/", "./", "../", "notes/")):
        return id_at(project, Path(name))
    return name if "/" in name else f"{old.partition('/')[0]}/{name}"


def prove(project: RenamingProject, changes: Changes, kind: str, old: str, new: str) -> None:
    """Try the changes on a copy of the project.

    Raises ``MoveError`` if the target of a link or a finding would change. New findings of the
    severity note are only added to the remarks.
    """

    def after(of: str, id: str) -> str:
        if of == "file":
            return changes.place(id)
        return new if (of, id) == (kind, old) else id

    before = targets(project.graph, after)
    with temporary_folder() as root:
        copy_project(project.root, root)
        apply(root, changes, new_files(root, changes))
        now = targets(read_project(root, project.memo).graph, lambda _, id: id)
    _compare(before, now)
    for path, code in sorted(now.remarks - before.remarks):
        changes.remarks.append(
            f"{path}: {code} is found after the change: see perfnotes check --all"
        )


def _compare(before: LinkTargets, now: LinkTargets) -> None:
    for path, links in before.links.items():
        for old, new in zip(links, now.links.get(path, []), strict=False):
            if old != new:
                was, is_now = (" ".join(p for p in each if p) for each in (old, new))
                raise MoveError(f"{path}: a link to {was} would lead to {is_now}: choose a name"
                                " that nothing else has")  # fmt: skip
        if len(links) != len(now.links.get(path, [])):
            raise MoveError(f"{path}: a link would be lost: choose another name")
    for path, code in sorted(now.findings - before.findings):
        raise MoveError(f"{path}: {code} would be found after the change: choose another name")
    for path, code in sorted(before.findings - now.findings):
        raise MoveError(f"{path}: {code} would no longer be found after the change: mend it first")
