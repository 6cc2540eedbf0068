"""The Plan of an import: every draft it would write, every guess, and what it leaves out."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from perfnotes.imports import decode, headings, naming, split, steps
from perfnotes.imports import draft as drafts
from perfnotes.imports.assets import Assets
from perfnotes.imports.draft import Draft
from perfnotes.imports.fields import Fields
from perfnotes.imports.formats import endings, formats, recognise
from perfnotes.imports.lined import Guess, Page, run
from perfnotes.imports.links import Linker
from perfnotes.imports.papers import Papers
from perfnotes.imports.places import Places
from perfnotes.imports.vocabulary import Vocabulary
from perfnotes.library import Library
from perfnotes.source import LARGEST_FILE

LARGEST_SOURCE = 32 * 1024 * 1024  # bytes of one file; a longer one is a dump, not notes
_SKIPPED = {"node_modules", "__pycache__", "_site", "_layouts", "_includes", "_sass", "venv",
            "layouts", "themes", "archetypes", "templates"}  # fmt: skip
_SKIPPED_FILES = {"license.md", "license.txt", "robots.txt", "requirements.txt", "cmakelists.txt"}
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """What the user said; empty where nothing."""

    topic: str = ""
    slug: str = ""
    split_at: int = 0
    format: str = ""
    encoding: str = ""


@dataclass
class Plan:
    """``problems`` are files that could not be imported; ``left`` those that are no notes."""

    drafts: list[Draft] = field(default_factory=list)
    guesses: list[Guess] = field(default_factory=list)
    problems: list[Guess] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    sources: int = 0

    def files(self) -> dict[str, bytes]:
        """Everything to write, by its path below ``notes/``."""
        found: dict[str, bytes] = {}
        for draft in self.drafts:
            found[draft.path] = draft.text().encode("utf-8", "replace")
            for name, data in draft.assets.items():
                found[f"{draft.id}/{name}"] = data
        return found


def plan(source: Path, library: Library, options: Options, progress: Progress) -> Plan:
    """Read a file or folder as drafts; nothing is written."""
    made = Plan()
    root, notes, files = _files(source, made)
    assets = Assets(root, files)
    vocabulary = Vocabulary(library)
    for i, file in enumerate(notes):
        progress(f"reading {i + 1} of {len(notes)}: {file}")
        made.drafts += _read(root, file, options, made)
    name(made, library, vocabulary, options, _days(root, made))
    places, papers = Places(library, made.drafts), Papers(library.references.values())
    linkers = [Linker(d, places, papers, assets) for d in made.drafts]
    linked(linkers, progress)
    _check_sizes(made)
    for draft in made.drafts:
        made.guesses += [*draft.guesses, *draft.page.guesses]
    made.guesses.sort(key=lambda g: (g.path, g.line))
    return made


def linked(linkers: Sequence[Linker], progress: Progress) -> None:
    """Make the links of all drafts."""
    for linker in linkers:
        progress(f"looking up links: {linker.draft.file}")
        for _ in linker.changes():
            pass  # which files come along decides where a note lies
    for linker in linkers:
        progress(f"linking {linker.draft.file}")
        draft = linker.draft
        draft.page = steps.settled(draft.page.changed(linker.changes()))


def _days(root: Path, made: Plan) -> dict[str, str]:
    """The day on which each source was last changed."""
    files = dict.fromkeys(d.file for d in made.drafts)
    return {f: _day((root / f).stat()) for f in files}


def _day(status: os.stat_result) -> str:
    return datetime.fromtimestamp(status.st_mtime, UTC).strftime("%Y-%m-%d")


def _files(source: Path, made: Plan) -> tuple[Path, list[str], tuple[str, ...]]:
    """The root of the import, the files that are notes, and all files below it."""
    if source.is_dir():
        every = tuple(sorted(_walk(source, "", made)))
        known = endings()
        notes = []
        for file in every:
            ending = PurePosixPath(file).suffix.lstrip(".").lower()
            if ending in known and PurePosixPath(file).name.lower() not in _SKIPPED_FILES:
                notes.append(file)
            else:
                made.left.append(file)
        return source, notes, every
    root = source.parent
    try:
        every = tuple(sorted(_walk(root, "", Plan(), depth=3)))
    except OSError:
        every = ()
    return root, [source.name], every


def _walk(folder: Path, prefix: str, made: Plan, depth: int = 30) -> Iterator[str]:
    if depth < 0:
        return
    try:
        entries = sorted(os.scandir(folder), key=lambda e: e.name)
    except OSError as error:
        made.problems.append(Guess(str(folder), 1, f"cannot read the folder: {error.strerror}"))
        return
    for entry in entries:
        if entry.name.startswith(".") or not _printable(entry.name):
            continue
        if entry.is_symlink():
            where = Guess(f"{prefix}{entry.name}", 1, "a symbolic link is not followed")
            made.problems.append(where)
        elif entry.is_dir():
            if entry.name.lower() not in _SKIPPED:
                yield from _walk(Path(entry.path), f"{prefix}{entry.name}/", made, depth - 1)
        elif entry.is_file():
            yield f"{prefix}{entry.name}"


def _printable(name: str) -> bool:
    return name.isprintable() and not any("\ud800" <= c <= "\udfff" for c in name)


def _read(root: Path, file: str, options: Options, made: Plan) -> list[Draft]:
    """The drafts that a file becomes: one, or several where it is split, or none."""
    path = root / file
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise decode.BinaryError("it is no regular file")
        if status.st_size > LARGEST_SOURCE:
            size = f"it has {status.st_size:,} bytes, more than the {LARGEST_SOURCE:,} allowed"
            raise decode.BinaryError(size)
        decoded = decode.decode(path.read_bytes(), options.encoding)
    except decode.BinaryError as error:
        made.problems.append(Guess(file, 1, f"not imported: {error}"))
        return []
    except OSError as error:
        made.problems.append(Guess(file, 1, f"not imported: {error.strerror or error}"))
        return []
    if not decoded.text.strip():
        made.problems.append(Guess(file, 1, "not imported: the file is empty"))
        return []
    made.sources += 1
    found = from_text(file, decoded.text, options, _day(status))
    if decoded.why:
        mend = "if words came out wrong, name it: --encoding"
        found[0].tell(f"read as {decoded.encoding}, as {decoded.why}", mend, 1)
    if decoded.replaced:
        found[0].tell(f"{decoded.replaced} control characters became �", "remove them", 1)
    return found


def from_text(file: str, text: str, options: Options, modified: str) -> list[Draft]:
    """The drafts of one text, without their names and links."""
    form, why = (options.format, "") if options.format else recognise(file, text)
    fields, page = formats()[form].read(file, text)
    if why:
        page = page.saying(0, f"read as {form}: {why}", "name it with --from")
    page = steps.in_our_form(page, markdown=form == "markdown")
    title, page = _title(file, fields, page)
    level = options.split_at
    pieces = split.parts(page, level) if level else []
    if len(pieces) < 2:
        pieces = [split.Part("", page)]  # one heading alone is no reason to leave the title out
    made: list[Draft] = []
    for i, piece in enumerate(pieces):
        own = piece.page
        words = title if not piece.title else _heading_words(piece.title)
        if not i:
            own = Page(own.path, own.text, own.lines, page.guesses, page.asides)
        draft = Draft(file, run(own, headings.normalised), words,
                      fields if not i else Fields(), first=not i, line=piece.line)  # fmt: skip
        draft.date = modified if i else naming.date_in(file)
        made.append(draft)
    if len(pieces) > 1:
        if pieces[0].title:
            made[0].asides.append(f"title: {title}")
        names = f"{len(pieces)} notes, cut before each heading of level {level} or above"
        made[0].tell(f"split into {names}", "choose another level with --split-at", 1)
        for draft in made[1:]:
            draft.fields = Fields(dict(fields.values))
            for key in ("title", "description", "summary", "excerpt", "aliases", "alias", "slug",
                        "permalink", "url"):  # fmt: skip
                draft.fields.values.pop(key, None)
    for draft in made:
        drafts.fit_title(draft)
    return made


def _title(file: str, fields: Fields, page: Page) -> tuple[str, Page]:
    """The title, and the page without the heading that says the same."""
    given = fields.line("title")
    found = page.document.blocks.headings
    first = found[0] if found else None
    ones = sum(h.level == 1 for h in found)
    if first and first.level == 1 and ones == 1 and first.text.strip():
        words = drafts.plain_title(page, first.text_start, first.text_start + len(first.text))
        before = page.text[: first.start].strip()
        if (
            words
            and "![" not in first.text
            and not before
            and (not given or drafts.same_words(given, words))
        ):
            alone = page.line_start(first.start) == first.start
            if alone and "](" not in first.text:
                page = page.changed(headings.removed(first))
                return given or words, page
        if words and not given:
            return words, page
    if given:
        return given, page
    stem = naming.stem(file).replace("_", " ")
    words = " ".join(stem.replace("-", " ").split()) if "-" in stem and " " not in stem else stem
    words = " ".join(words.split()) or "Untitled"
    page = page.saying(0, f"the title is the file's name: {words!r}", "write a title")
    return words, page


def _heading_words(source: str) -> str:
    page = Page.of("", source)
    return drafts.plain_title(page, 0, len(source)) or "Untitled"


def name(
    made: Plan, library: Library, vocabulary: Vocabulary, options: Options, days: dict[str, str]
) -> None:
    """Topics, titles, slugs, tags and aliases; what is here already is left out."""
    notes = {**library.notes, **library.drafts}
    titles = {n.meta.title.casefold(): n.id for n in notes.values()}
    ids = set(notes) | set(_present(library.root))
    taken = {a for n in notes.values() for a in n.meta.aliases} | ids
    taken |= {n.slug for n in notes.values()}
    kept: list[Draft] = []
    for draft in made.drafts:
        drafts.describe(draft, vocabulary, days[draft.file])
        if not _topic(draft, vocabulary, options, made):
            continue
        if not draft.tags:
            tag = vocabulary.usual(draft.topic)
            draft.tags = (tag,) if tag else ()
            draft.tell(f"no word of notes/tags.yml stands in it: {tag!r}, as most of its topic",
                       "take a tag that fits")  # fmt: skip
        same = titles.get(draft.title.casefold(), "")
        if same in notes and not options.slug:
            what = f"not imported: {same} has the title {draft.title!r} already"
            made.problems.append(Guess(draft.file, draft.line, what))
            continue
        if same:
            _retitle(draft, titles)
        _slug(draft, library, options, ids)
        titles[draft.title.casefold()] = draft.id
        ids.add(draft.id)
        kept.append(draft)
    slugs = {d.slug for d in kept} | {d.id for d in kept}
    for draft in kept:
        drafts.aliases(draft, taken | (slugs - {draft.slug, draft.id}))
        taken |= set(draft.aliases)
        draft.fields.take("slug")
        draft.fields.values.pop("draft", None)
        draft.asides += draft.fields.rest()
    made.drafts = kept


def _present(notes: Path) -> Iterator[str]:
    """Ids whose file or folder is there, whatever is in it."""
    for topic in notes.iterdir() if notes.is_dir() else ():
        if topic.is_dir():
            for entry in topic.iterdir():
                yield f"{topic.name}/{entry.name.partition('.')[0]}"


def _topic(draft: Draft, vocabulary: Vocabulary, options: Options, made: Plan) -> bool:
    topic, why = options.topic, ""
    if not topic:
        given = draft.fields.line("topic", "section")
        topic = vocabulary.topic_of_folder([*PurePosixPath(draft.file).parts[:-1], given])
        why = "after the folder it lies in"
    if not topic and draft.tags:
        topic = vocabulary.topic_of_tags(draft.tags)
        why = f"as its notes have the tags {', '.join(draft.tags)} most"
    if not topic:
        what = "not imported: nothing in it speaks for a topic"
        made.problems.append(Guess(draft.file, draft.line, what, "name one with --topic"))
        return False
    if why:
        draft.tell(f"topic: {topic}, {why}", "name another with --topic")
    draft.topic = topic
    return True


def _retitle(draft: Draft, titles: dict[str, str]) -> None:
    folder = PurePosixPath(draft.file).parent.name or naming.stem(draft.file)
    wanted = f"{draft.title} ({folder})" if folder else f"{draft.title} (2)"
    n = 2
    title = wanted
    while title.casefold() in titles:
        title, n = f"{wanted} {n}", n + 1
    draft.tell(f"another note of this import has the title {draft.title!r}: this one is {title!r}",
               "say what sets it apart")  # fmt: skip
    draft.title = title


def _slug(draft: Draft, library: Library, options: Options, ids: set[str]) -> None:
    given = draft.fields.line("slug") if draft.first else ""
    stem = naming.stem(draft.file)
    wanted, why = options.slug if draft.first else "", ""
    if not wanted and draft.first:
        wanted = naming.slug(given) or naming.slug(stem)
    wanted = wanted or naming.slug(draft.title)
    if not wanted:
        wanted = naming.translated(draft.title, library.terms.values())
        why = f"{draft.title!r} by the terms of the glossary"
    if not wanted:
        base = naming.slug(given) or naming.slug(stem)
        wanted = f"{base}-{draft.line}" if base and not draft.first else ""
        wanted = wanted or naming.numbered(
            f"{draft.file}:{draft.line}" if not draft.first else draft.file
        )
        why = "its name and title have no Latin letters"
    if why:
        draft.tell(f"the name {wanted!r}: {why}", "rename it with: perfnotes move, or give --slug")
    free = naming.free(f"{draft.topic}/{wanted}", ids).rpartition("/")[2]
    if free != wanted:
        draft.tell(
            f"{draft.topic}/{wanted} is taken: this note is {free}", "give a name with --slug"
        )
    draft.slug = free


def _check_sizes(made: Plan) -> None:
    fitting = []
    for draft in made.drafts:
        size = len(draft.text().encode("utf-8", "replace"))
        if size > LARGEST_FILE:
            what = f"not imported: the note would have {size:,} bytes, more than {LARGEST_FILE:,}"
            hint = "split it with --split-at h1, h2 or h3"
            made.problems.append(Guess(draft.file, draft.line, what, hint))
        else:
            fitting.append(draft)
    made.drafts = fitting
