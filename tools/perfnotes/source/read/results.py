"""Reads the results of labs, which are ``<note>/lab/results/<machine>.json``."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from perfnotes.model.quantity.units import LARGEST, UnitError, unit
from perfnotes.model.result import Result, from_json
from perfnotes.source import yamlfile, yamlnodes
from perfnotes.source.schema import path_of
from perfnotes.text.findings import Finding
from perfnotes.text.source import read_source

RESULTS = "results/"
_LONGEST_NUMBER = 100  # characters
# Matches a string as a whole, so that brackets inside it do not count, or a bracket.
_JSON_LEVEL = re.compile(r'"(?:[^"\\]+|\\.)*+"|[\[\]{}]', re.DOTALL)


def read_results(
    root: Path, shown: str, folder: str, files: Iterable[str]
) -> tuple[dict[str, Result], list[Finding]]:
    """Return the results of the lab in ``folder`` by machine, and findings about their files."""
    results: dict[str, Result] = {}
    findings: list[Finding] = []
    prefix = f"{folder}/{RESULTS}"
    for path in sorted(f for f in files if f.startswith(prefix)):
        where = f"{shown}/{path}" if shown else path
        name = path.removeprefix(prefix)
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*\.json", name):
            hint = "results lie at results/<machine>.json"
            message = f"{name!r} is not the name of a result"
            findings.append(Finding(where, 1, 1, "PN904", message, hint))
            continue
        result, more = read_result(root / path, where)
        findings += more
        if result is None:
            continue
        id = name.removesuffix(".json")
        if result.machine.id != id or result.lab != folder.removesuffix("/lab"):
            message = f"this is the result of {result.lab} on {result.machine.id}"
            hint = "give the file the place and name with which it was recorded"
            findings.append(Finding(where, 1, 1, "PN904", message, hint))
            continue
        results[id] = result
    return results, findings


def read_result(file: Path, shown: str) -> tuple[Result | None, list[Finding]]:
    """Read one result file. Its digest is not compared here; a check does that."""
    source, findings = read_source(file, shown)
    if source is None:
        return None, findings
    hint = "results are written by `perfnotes lab record`, not by hand"
    try:
        data = _json(source.text)
    except ValueError as error:
        at, what = getattr(error, "pos", 0), str(getattr(error, "msg", error))
        is_cut = at >= len(source.text.rstrip()) or what.startswith("Unterminated string")
        message = "the file was cut off" if is_cut else f"the file is no valid JSON: {what}"
        return None, [*findings, source.finding(at, "PN904", message, hint)]
    schema = yamlfile.schema("result")
    problems = []
    for wrong in schema.errors(data)[:1]:
        path = ".".join(map(str, path_of(wrong, data)))[:200]
        what, _ = schema.describe(wrong, data, f"`{path}`" if path else "the file")
        problems.append(source.finding(0, "PN904", what, hint))
    if problems:
        return None, findings + problems
    result = from_json(data, source)
    for id, run in result.runs.items():
        for name, quantity in run.quantities.items():
            try:
                unit(quantity.unit)
            except UnitError as error:
                problems.append(source.finding(0, "PN904", f"{id}.{name}: {error}", hint))
    return (None, findings + problems) if problems else (result, findings)


def _json(text: str) -> Any:
    """Parse a JSON text.

    Raises ``ValueError`` if it is no JSON, is nested too deeply, has a number that is too large to
    compute with, a mapping with a key twice, or half of a surrogate pair.
    """
    depth = 0
    for mark in _JSON_LEVEL.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(mark[0], 0)
        if depth > yamlnodes.MAX_DEPTH:
            raise json.JSONDecodeError("nested too deeply", text, mark.start())
    data = json.loads(
        text,
        object_pairs_hook=_mapping,
        parse_constant=_number,
        parse_float=_number,
        parse_int=_number,
    )
    try:
        if "\\u" in text:
            json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("an escape stands for half a character") from None
    return data


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a mapping. Of two equal keys a reviewer may read the one that is not used."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"it has the key {key[:80]!r} twice")
        found[key] = value
    return found


def _number(text: str) -> float:
    short = len(text) <= _LONGEST_NUMBER and text[-1].isdigit()
    value = (int(text) if text.lstrip("-").isdigit() else float(text)) if short else math.inf
    if not -LARGEST < value < LARGEST:
        raise ValueError(f"{text[:40]} is no number that can be computed with")
    return value
