"""Problems of a lab's commands and runs that can be found without running anything."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cache
from typing import Any

from perfnotes.labs.box import LabError
from perfnotes.labs.instruments import instruments
from perfnotes.labs.words import split
from perfnotes.model.lab import Lab, Run
from perfnotes.source import yamlfile
from perfnotes.source.schema import Accepts, acceptor, explainer
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
            there = f"instruments: {', '.join(known)}"
            hint = f"did you mean {guess!r}?" if guess else there
            report((*path, "tool"), f"no instrument is called {run.tool!r}", hint)
            continue
        _options(run, known[run.tool].OPTIONS, path, report)
    return sorted(found)


@cache
def _accepts(tool: str) -> Accepts:
    return acceptor(instruments()[tool].OPTIONS)


def _options(run: Run, schema: Any, path: tuple[Hashable, ...], report: Any) -> None:
    if _accepts(run.tool)(dict(run.options)):
        return
    for error in explainer(schema).iter_errors(dict(run.options)):
        at = (*path, *error.absolute_path)
        if error.validator == "additionalProperties" and isinstance(error.instance, dict):
            options = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
            for key in sorted(set(error.instance) - set(options), key=str):
                guess = nearest(str(key), options, 0.6)
                there = f"{run.tool} has {', '.join(sorted(options))}"
                hint = f"did you mean {guess!r}?" if guess else there
                report((*at, key), f"{run.tool} has no option {key!r}", hint)
            continue
        where = ".".join(str(part) for part in error.absolute_path)
        message = f"{where}: {error.message}" if where else error.message
        hint = str(error.schema.get("description", "")) if isinstance(error.schema, dict) else ""
        report(at, f"{run.id}: {message[:200]}", hint)


def _commands(lab: Lab) -> Iterator[tuple[tuple[Hashable, ...], str]]:
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
