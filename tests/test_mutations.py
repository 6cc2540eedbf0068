"""Nothing moves unseen: digits and units of bound numbers, lines of a lab's source, samples.

They are those of our own notes: some in the suite, so that its time does not grow with the notes,
and all of them with ``--all-notes``, as ``make series`` runs it.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from typing import Protocol

import pytest
from msgspec.structs import replace

from perfnotes.fixes.mend import repaired
from perfnotes.graph.binding import Binding, compare
from perfnotes.graph.site import Site
from perfnotes.model.lab import Lab
from perfnotes.model.quantity.shown import ShownNumber, parse
from perfnotes.model.quantity.units import unit
from perfnotes.model.repair import Repair
from perfnotes.model.result import digest_of
from perfnotes.model.verdict import is_stale
from perfnotes.source.read.labs import make_lab
from perfnotes.text.body import read_body
from perfnotes.text.source import Source
from tests.sampling import Item, at_even_distances

pytestmark = pytest.mark.slow

UNITS = (
    "", "×", "%", "ns", "µs", "ms", "s", "bit", "B", "kB", "KiB", "MiB", "GB", "GiB", "GB/s",
    "GiB/s", "TB/s", "Hz", "MHz", "GHz", "GT/s", "FLOP/s", "GFLOP/s", "TFLOP/s", "FLOP/B", "W",
    "lines", "pages", "cycles", "instructions",
)  # fmt: skip


class Some(Protocol):
    """Chooses at most so many of a sequence, whatever its items are."""

    def __call__(self, items: Iterable[Item], most: int) -> list[Item]: ...


@pytest.fixture(scope="module")
def some(all_notes: bool) -> Some:
    """Choose from our notes; all of them if all are asked for."""

    def chosen(items: Iterable[Item], most: int) -> list[Item]:
        return list(items) if all_notes else at_even_distances(items, most)

    return chosen


def bindings(site: Site) -> list[tuple[str, Binding]]:
    return [(path, b) for path, links in site.graph.links.items() for b in links.bindings]


def test_every_bound_number_is_right(own_site: Site) -> None:
    found = bindings(own_site)
    assert found
    assert [f"{path}: {b.shown} {b.problem}" for path, b in found if b.problem] == []


def test_every_changed_digit_is_found(own_site: Site, some: Some) -> None:
    for path, binding in some(bindings(own_site), 400):
        for i, digit in enumerate(binding.shown):
            if digit.isdecimal():
                for other in "0123456789".replace(digit, ""):
                    changed = f"{binding.shown[:i]}{other}{binding.shown[i + 1 :]}"
                    problem, _ = compare(changed, binding.found)
                    assert problem, f"{path}: {binding.shown} → {changed}"


def _says_the_same(other: str, shown: ShownNumber) -> bool:
    """Whether a text in the unit ``other`` shows the same: µs and us, "16 lines" and "16"."""
    if other == shown.unit:
        return True
    a, b = unit(other), unit(shown.unit)
    if not (a.dimensionless and b.dimensionless):
        return bool(a == b)
    if a == b and str(a) != "dimensionless":
        return True  # 周期 and cycles
    ratios = ("×", "倍", "times")
    if other in ratios and shown.unit in ratios:
        return True
    return other == "" and shown.unit not in (*ratios, "%")


def test_every_changed_unit_is_found(own_site: Site, some: Some) -> None:
    for path, binding in some(bindings(own_site), 400):
        shown = parse(binding.shown)
        digits = binding.shown.removesuffix(shown.tail)
        scale = shown.tail.strip().removesuffix(shown.unit).strip()
        for other in UNITS:
            count = shown.unit == "" and other and unit(other) == unit(binding.found.unit)
            if not count and not _says_the_same(other, shown):
                changed = " ".join(f"{digits} {scale} {other}".split())
                problem, _ = compare(changed, binding.found)
                assert problem, f"{path}: {binding.shown} → {changed}"


def test_a_changed_digit_in_the_file_is_found(own_site: Site) -> None:
    """The whole way, from the text on: once in every text that shows a bound number."""
    for path, links in own_site.graph.links.items():
        if not links.bindings:
            continue
        first = links.bindings[0]
        at = links.text.body.source.text.index(first.shown, first.link.label_start)
        digit = next(i for i, c in enumerate(first.shown) if c.isdecimal())
        other = "7" if first.shown[digit] != "7" else "3"
        edit = Repair(path, at + digit, at + digit + 1, first.shown[digit], other)
        text = repaired(links.text.body.source.text, [edit])
        body = read_body(Source(path, text), links.text.body.document.start)
        changed = dataclasses.replace(links.text, body=body)
        token = next(t for t in body.document.links if t.start == first.link.start)
        found = own_site.graph.evidence.bind(changed, token, first.address)
        assert found.problem, path
        assert found.mended == first.shown or found.problem[0] == "PN912", path


def _changed_line(data: bytes, i: int) -> bytes:
    lines = data.split(b"\n")
    lines[i] += b" "
    return b"\n".join(lines)


def test_every_changed_line_of_a_lab_is_found(own_site: Site, some: Some) -> None:
    for lab in some(own_site.library.labs.values(), 8):
        results = own_site.library.results[lab.id].values()
        assert [r.machine.id for r in results if is_stale(lab, r)] == []
        for name, data in lab.files.items():
            last = data.count(b"\n")
            for i in {*some(range(last), 30), last}:
                changed = replace(lab, files={**lab.files, name: _changed_line(data, i)})
                assert all(is_stale(changed, r) for r in results), f"{lab.id}: {name}:{i + 1}"
        _recipe(lab)


def _recipe(lab: Lab) -> None:
    """What ``lab.yml`` says of the build and the runs belongs to the source as well."""
    text = lab.source.text
    commands = [
        str(run.options["command"]) for run in lab.runs.values() if "command" in run.options
    ]
    for old in (*lab.build, *commands):
        for line in text.splitlines():
            if old in line:
                changed_text = text.replace(line, line.replace(old, f"{old} x"))
                source = Source(lab.source.path, changed_text)
                changed, _ = make_lab(source, lab.folder, lab.files)
                assert changed is None or changed.digest != lab.digest, f"{lab.id}: {line}"


def test_every_changed_sample_is_found(own_site: Site, some: Some) -> None:
    for results in some(own_site.library.results.values(), 8):
        for result in results.values():
            assert result.source
            data = json.loads(result.source.text)
            assert data["digest"] == digest_of(data)
            for id, run in data["runs"].items():
                for name, quantity in run.get("quantities", {}).items():
                    samples = quantity["samples"]
                    for i in {0, len(samples) // 2, len(samples) - 1}:
                        recorded = samples[i]
                        samples[i] += max(1, abs(recorded))  # one more is nothing to a large float
                        where = f"{result.source.path}: {id}.{name}[{i}]"
                        assert digest_of(data) != data["digest"], where
                        samples[i] = recorded
            for key in ("date", "commit", "lab_digest"):
                assert digest_of({**data, key: "x"}) != data["digest"]
            machine = {**data["machine"], "cpu": "another"}
            assert digest_of({**data, "machine": machine}) != data["digest"]
