"""Problems of a lab's commands and runs that can be found without running anything."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cache
from typing import Any

from perfnotes.labs.box import LabError
from perfnotes.labs.command_line import split
from perfnotes.labs.instruments import instruments
from perfnotes.model.lab import Lab, Run
from perfnotes.source import yamlfile
from perfnotes.source.schema import Schema, path_of, unknown_keys, wrong_key_message
from perfnotes.text.findings import Finding
from perfnotes.text.nearest import nearest


def problems(lab: Lab) -> list[Finding]:
    """Findings PN901: unknown instruments, wrong options, commands that cannot be parsed."""
    found: list[Finding] = []

    def report(path: tuple[Hashable, ...], message: str, hint: str = "") -> None:
        # The file is parsed again only to find the place of a problem: most labs have none.
        document = yamlfile.load(lab.source)[0] or yamlfile.YamlDocument(None)
        found.append(lab.source.finding(document.place(path), "PN901", message, hint))

    for path, command in _commands(lab):
        try:
            split(command, lab.parameters)
        except LabError as error:
            report(path, str(error))
    known = instruments()
    for run in lab.runs.values():
        path = ("runs", run.id)
        if run.tool not in known:
            guess = nearest(run.tool, known, 0.6)
            hint = f"did you mean {guess!r}?" if guess else f"instruments: {', '.join(known)}"
            report((*path, "tool"), f"no instrument is called {run.tool!r}", hint)
            continue
        _check_options(run, path, report)
    return sorted(found)


@cache
def _schema(tool: str) -> Schema:
    return Schema(instruments()[tool].OPTIONS)


def _check_options(run: Run, path: tuple[Hashable, ...], report: Any) -> None:
    schema, given = _schema(run.tool), dict(run.options)
    for error in schema.errors(given):
        below = path_of(error, given)
        at = (*path, *below)
        where = f"`{'.'.join(map(str, (run.id, *below)))[:200]}`"
        part = schema.part(error)
        unknown = unknown_keys(error)
        for key in sorted(unknown):
            if message := wrong_key_message(key, part, where):
                report((*at, key), message, "rename the key")
                continue
            options = part.get("properties", {})
            guess = nearest(key, options, 0.6)
            all_options = f"{run.tool} has {', '.join(sorted(options))}"
            hint = f"did you mean {guess!r}?" if guess else all_options
            report((*at, key), f"{run.tool} has no option {key!r}", hint)
        if not unknown:
            report(at, *schema.describe(error, given, where))


def _commands(lab: Lab) -> Iterator[tuple[tuple[Hashable, ...], str]]:
    """Every command of a lab, with the path of its key in ``lab.yml``."""
    for i, command in enumerate(lab.build):
        yield ("build", i), command
    for run in lab.runs.values():
        single, several = run.options.get("command"), run.options.get("commands")
        if isinstance(single, str):
            yield ("runs", run.id, "command"), single
        if isinstance(several, dict):
            for name, command in several.items():
                if isinstance(command, str):
                    yield ("runs", run.id, "commands", name), command
