"""Where the notes use each tool: in blocks of shell and in code spans of their English text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

from msgspec import Struct

from perfnotes.graph.site import Site
from perfnotes.graph.targets import LinkedText
from perfnotes.model.note import Note
from perfnotes.model.symptom import FirstCommand, code_and_words
from perfnotes.model.tool import Tool
from perfnotes.storage.digests import digest
from perfnotes.text.commands import SHELLS, command_lines, commands, is_call

_Call = tuple[tuple[str, ...], Tool]


class ToolUse(Struct, frozen=True):
    """A use of a tool in a note, below the heading ``section`` ("" before the first one).

    ``line`` is the code: a line of a block or a code span.
    """

    tool: str
    note: str
    section: str
    line: str


class ToolCommands(Struct, frozen=True):
    """The commands of all tools by their first word, those with most words first."""

    by_program: dict[str, list[_Call]]
    digest: str


def tool_commands(site: Site) -> ToolCommands:
    """Return the commands of all tools; for ``site.derived``."""
    tools = site.library.tools.by_id.values()
    found: dict[str, list[_Call]] = {}
    for tool in tools:
        for command in tool.commands:
            found.setdefault(command[0], []).append((command, tool))
    for each in found.values():
        each.sort(key=lambda pair: -len(pair[0]))
    return ToolCommands(found, digest(*(f"{t.id} {t.only_blocks} {t.commands}" for t in tools)))


def uses_in(text: LinkedText, known: ToolCommands) -> list[ToolUse]:
    """Return the uses of tools in one text, in its order."""
    return text.body.computed("tool uses", known.digest, lambda: _find_uses(text, known.by_program))


def _find_uses(text: LinkedText, by_program: Mapping[str, Sequence[_Call]]) -> list[ToolUse]:
    if not by_program:
        return []
    found: dict[ToolUse, None] = {}
    for offset, line, is_span in sorted(_code(text), key=itemgetter(0)):
        for tool in _called(line, by_program):
            if not (is_span and tool.only_blocks):
                section = text.body.section_at(offset)
                found.setdefault(ToolUse(tool.id, text.id, section.id if section else "", line))
    return list(found)


def _called(line: str, known: Mapping[str, Sequence[_Call]]) -> Iterator[Tool]:
    """Yield the tools that a line calls."""
    for words in commands(line):
        for command, tool in known.get(words[0], ()):
            if is_call(words, command):
                yield tool
                break


def _code(text: LinkedText) -> Iterator[tuple[int, str, bool]]:
    """Yield each line of shell and each code span: its offset, its text, whether it is a span."""
    document = text.body.document
    source = document.text
    for fence in document.blocks.fences:
        if fence.language in SHELLS:
            for line in command_lines(source[fence.info_end : fence.end], fence.language):
                yield fence.start, line, False
    blocks = set(document.blocks.code)
    for start, end in document.code:
        if (start, end) not in blocks:
            yield start, source[start:end].strip("`").strip(), True


def tool_uses(site: Site) -> dict[str, list[ToolUse]]:
    """Return by tool where the notes use it, in the order of the site; for ``site.derived``.

    A symptom that a tool confirms is a use in the section that says what to do.
    """
    found: dict[str, list[ToolUse]] = {}
    known = site.derived(tool_commands)
    for group in site.library.by_topic.values() if known.by_program else ():
        for note in group:
            uses = uses_in(site.graph.links[f"notes/{note.file}"].text, known)
            uses = [*uses, *_confirming(note, known.by_program)]
            for use in sorted(uses, key=lambda use: _rank(note, use)):
                found.setdefault(use.tool, []).append(use)
    return found


def _rank(note: Note, use: ToolUse) -> int:
    """Return the place of the use's section in the note."""
    ids = [section.id for section in note.body.sections]
    return ids.index(use.section) if use.section in ids else -1


def _confirming(note: Note, known: Mapping[str, Sequence[_Call]]) -> Iterator[ToolUse]:
    """Yield the uses of tools in the ``confirm`` texts of a note's symptoms."""
    for symptom in note.meta.symptoms:
        for is_code, line in code_and_words(symptom.confirm):
            for tool in _called(line, known) if is_code else ():
                if not tool.only_blocks:
                    yield ToolUse(tool.id, note.id, symptom.section, line)


def first_commands(site: Site) -> dict[str, list[FirstCommand]]:
    """Return by tool the commands to run first on a slow machine; for ``site.derived``."""
    found: dict[str, list[FirstCommand]] = {}
    known = site.derived(tool_commands).by_program
    for command in site.library.symptom_index.first:
        for tool in _called(command.command, known):
            found.setdefault(tool.id, []).append(command)
    return found
