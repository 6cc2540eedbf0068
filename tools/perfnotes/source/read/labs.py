"""Reads labs: ``<note>/lab/lab.yml`` with the sources beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from perfnotes.model.bilingual import bilingual
from perfnotes.model.lab import Claim, Lab, Limits, Needs, Run, Value
from perfnotes.model.quantity import expectation, expression
from perfnotes.model.quantity.expression import ExpressionError
from perfnotes.model.quantity.units import UnitError, factor, unit
from perfnotes.source import yamlfile
from perfnotes.source.read.plots import plots_of
from perfnotes.source.read.results import RESULTS
from perfnotes.text.findings import Finding
from perfnotes.text.source import Source, read_source

LARGEST_SOURCE = 1 << 20
_RECIPE = ("needs", "parameters", "limits", "build", "runs")
# Needs that only say where a lab can run. No sample depends on them.
_GATES = ("files", "root")
_RUN_KEYS = {"tool", "needs", "limits", "env", "stdin", "repeat", "output"}
_BUILT = (".o", ".out", ".pyc", ".data")  # files that a build or a run leaves; no sources
T = TypeVar("T")


class _BadError(Exception):
    """An entry has an error that is already among the findings."""


def read_lab(root: Path, shown: str, folder: str, files: Iterable[str]) -> tuple[
    Lab | None, list[Finding]
]:  # fmt: skip
    """Read the lab in ``folder`` (``<topic>/<slug>/lab``).

    ``files`` are existing paths relative to ``root``; those below ``folder`` are the lab's sources.
    """
    file = f"{folder}/lab.yml"
    source, findings = read_source(root / file, f"{shown}/{file}" if shown else file)
    if source is None:
        return None, findings
    data, problem = _sources(root, folder, files, source)
    if problem:
        findings.append(problem)
    lab, more = make_lab(source, folder, data)
    return lab, findings + more


def make_lab(
    source: Source, folder: str, files: Mapping[str, bytes]
) -> tuple[Lab | None, list[Finding]]:
    """Make the lab that ``source`` describes; ``files`` are its sources by name."""
    document, findings = yamlfile.load(source)
    if document is None:
        return None, findings
    problems = yamlfile.validate(source, document, "lab", "PN901")
    if problems or not isinstance(document.value, dict):
        return None, findings + problems
    return _Reader(source, document, findings).lab(folder, files), findings


def _sources(
    root: Path, folder: str, files: Iterable[str], lab: Source
) -> tuple[dict[str, bytes], Finding | None]:
    """Return the lab's sources by name, up to the first that is too large or cannot be read."""
    data: dict[str, bytes] = {}
    prefix = f"{folder}/"
    for path in sorted(f for f in files if f.startswith(prefix)):
        name = path.removeprefix(prefix)
        if name == "lab.yml" or name.startswith(RESULTS) or name.endswith(_BUILT):
            continue
        try:
            size = (root / path).stat().st_size
            if size > LARGEST_SOURCE:
                hint = "a lab makes its data itself"
                message = f"{name} is larger than 1 MiB"
                return data, lab.finding(0, "PN901", message, hint)
            data[name] = (root / path).read_bytes()
        except OSError as error:
            message = f"cannot read {name}: {error.strerror}"
            return data, lab.finding(0, "PN901", message)
    return data, None


class _Reader:
    """Makes a Lab from one ``lab.yml``, which the schema has accepted."""

    def __init__(
        self, source: Source, document: yamlfile.YamlDocument, findings: list[Finding]
    ) -> None:
        self.source, self.document, self.findings = source, document, findings
        self.data: dict[str, Any] = document.value

    def lab(self, folder: str, files: Mapping[str, bytes]) -> Lab | None:
        data = self.data
        limits = _limits(data.get("limits", {}), Limits())
        before = len(self.findings)
        runs = {id: self._run(id, each, limits) for id, each in data["runs"].items()}
        parameters = {k: float(v) for k, v in data.get("parameters", {}).items()}
        known = {*parameters, *runs}
        if clash := set(parameters) & set(runs):
            self._report("a run and a parameter have the same name", "runs", min(clash))
        claims = self._each("claims", self._claim, known)
        values = self._each("values", self._value, known)
        if both := set(claims) & set(values):
            self._report("a claim and a value have the same name", "values", min(both))
        if len(self.findings) > before:
            return None
        recipe = {key: data[key] for key in _RECIPE if key in data}
        if "needs" in recipe:
            recipe["needs"] = {k: v for k, v in recipe["needs"].items() if k not in _GATES}
        return Lab(
            id=folder.removesuffix("/lab"),
            folder=folder,
            source=self.source,
            title=bilingual(data["title"]),
            question=bilingual(data["question"]),
            duration=_seconds(data["duration"]),
            needs=_needs(data.get("needs", {})),
            parameters=parameters,
            build=tuple(data.get("build", ())),
            runs=runs,
            claims={id: c for id, c in claims.items() if isinstance(c, Claim)},
            values=values,
            reference=data.get("reference", ""),
            limits=limits,
            files=files,
            recipe=json.dumps(recipe, sort_keys=True),
            plots=plots_of(self.document),
            permissions=tuple(data.get("permissions", ())),
        )

    def _report(self, message: str, *path: Any, hint: str = "") -> None:
        at = self.document.place(path)
        self.findings.append(self.source.finding(at, "PN901", message, hint))

    def _run(self, id: str, data: dict[str, Any], limits: Limits) -> Run:
        return Run(
            id=id,
            tool=data["tool"],
            options={k: v for k, v in data.items() if k not in _RUN_KEYS},
            needs=_needs(data.get("needs", {})),
            limits=_limits(data.get("limits", {}), limits),
            env={k: str(v) for k, v in data.get("env", {}).items()},
            stdin=data.get("stdin", ""),
            repeat=data.get("repeat", 1),
            output=data.get("output", False),
            place=self.document.place(("runs", id)),
        )

    def _each(self, kind: str, make: Any, known: set[str]) -> dict[str, Value]:
        entries: dict[str, Value] = {}
        for id, data in self.data.get(kind, {}).items():
            try:
                entries[id] = make(kind, id, data, known)
            except _BadError:
                continue
        return entries

    def _value(self, kind: str, id: str, data: dict[str, Any], known: set[str]) -> Value:
        return Value(**self._common(kind, id, data, known))

    def _claim(self, kind: str, id: str, data: dict[str, Any], known: set[str]) -> Claim:
        common = self._common(kind, id, data, known)
        try:
            expect = expectation.parse(data["expect"])
        except ExpressionError as error:
            raise self._bad(error.message, kind, id, "expect") from error
        self._check_names(expect.names, known, kind, id, "expect")
        control = self._expression(data, "control", known, kind, id)
        if control.text == common["expression"].text:
            message = "the control is the claim itself, so it proves nothing"
            raise self._bad(message, kind, id, "control")
        tolerance = float(data.get("tolerance", "0 %").removesuffix(" %")) / 100
        return Claim(
            **common,
            expect=expect,
            because=bilingual(data["because"]),
            control=control,
            null=data.get("null-result", False),
            tolerance=tolerance,
        )

    def _common(self, kind: str, id: str, data: dict[str, Any], known: set[str]) -> dict[str, Any]:
        try:
            unit(data["unit"])
        except UnitError as error:
            raise self._bad(str(error), kind, id, "unit") from error
        return {
            "id": id,
            "what": bilingual(data["what"]),
            "expression": self._expression(data, "expression", known, kind, id),
            "unit": data["unit"],
            "kind": data["kind"],
            "place": self.document.place((kind, id)),
        }

    def _expression(
        self, data: dict[str, Any], key: str, known: set[str], kind: str, id: str
    ) -> expression.Expression:
        try:
            found = expression.parse(str(data[key]))
        except ExpressionError as error:
            raise self._bad(error.message, kind, id, key) from error
        self._check_names(found.names, known, kind, id, key)
        return found

    def _check_names(self, names: Iterable[str], known: set[str], *path: str) -> None:
        """Raise ``_BadError`` unless each name is a parameter, or ``run.quantity`` of a run."""
        for name in names:
            run, dot, _ = name.partition(".")
            if run not in known or bool(dot) != (run in self.data["runs"]):
                what = "run" if dot else "parameter"
                hint = f"runs and parameters: {', '.join(sorted(known))}"
                raise self._bad(f"no {what} is called {run!r}", *path, hint=hint)

    def _bad(self, message: str, *path: str, hint: str = "") -> _BadError:
        """Report an error in an entry, and return the exception that skips the entry."""
        self._report(f"{'.'.join(path[1:])}: {message}", *path, hint=hint)
        return _BadError()


def _needs(data: Mapping[str, Any]) -> Needs:
    names = ("arch", "tools", "debian", "cpu", "python", "libraries", "files")
    lists = {name: tuple(data.get(name, ())) for name in names}
    return Needs(
        **lists,
        cores=data.get("cores", 1),
        gpu=data.get("gpu", ""),
        core_files=data.get("core-files", False),
        root=data.get("root", False),
    )


def _limits(data: Mapping[str, Any], default: Limits) -> Limits:
    memory = data.get("memory")
    return Limits(
        float(data.get("seconds", default.seconds)),
        _bytes(memory) if memory else default.memory,
    )


def _bytes(text: str) -> int:
    number, _, of = text.partition(" ")
    return int(float(number) * factor(unit(of), unit("B")))


def _seconds(text: str) -> float:
    number, _, of = text.partition(" ")
    return float(number) * factor(unit(of), unit("s"))
