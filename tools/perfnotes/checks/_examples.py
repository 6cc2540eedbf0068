"""Files that the examples of several checks share: a lab without faults, tools, symptoms."""

from __future__ import annotations

from perfnotes.model.machine import Machine
from perfnotes.model.result import Measured, Result, Samples, dumps
from perfnotes.source.read.labs import make_lab
from perfnotes.text.source import Source

FOLDER = "caches/steps/lab"
LAB = """\
title: {en: Steps along rows and columns, zh: 按行与按列的步子}
question: How many lines does each touch?
duration: 1 s
reference: example-cpu
needs: {tools: [python3], debian: [python3]}
parameters: {n: 16}
runs:
  count: {tool: json, command: python3 steps.py, output: true}
  gpu: {tool: json, command: python3 steps.py, needs: {gpu: nvidia}}
claims:
  misses:
    what: {en: Columns against rows, zh: 按列与按行之比}
    expression: count.columns / count.rows
    unit: "×"
    expect: "== n"
    because: Sixteen numbers share a line.
    kind: count
    control: count.rows / count.rows
values:
  columns: {what: Lines along columns, expression: count.columns, unit: "", kind: count}
  on-a-gpu: {what: The same there, expression: gpu.columns / gpu.rows, unit: "×", kind: count}
"""
PROGRAM = """\
print('{"rows": 16, "columns": 256}')
"""
RESULT = f"{FOLDER}/results/example-cpu.json"


def recorded(program: str = PROGRAM, columns: float = 256.0, lab: str = LAB) -> str:
    """Return the file that `lab record` would write for this lab, program and measured value."""
    source = Source(f"{FOLDER}/lab.yml", lab)
    made, findings = make_lab(source, FOLDER, {"steps.py": program.encode()})
    assert made, findings
    counted = {"rows": Samples((16.0,)), "columns": Samples((columns,))}
    printed = f'{{"rows": 16, "columns": {columns:.0f}}}\n'
    runs = {
        "count": Measured("json", counted, printed, seconds=0.1, load=0.0),
        "gpu": Measured("json", not_run="needs an NVIDIA GPU"),
    }
    machine = Machine("example-cpu", "Example CPU", "x86_64", cores=2, threads=2)
    versions = {"python3": "3.11.2"}
    return dumps(Result(made.id, machine, made.digest, "2026-01-31", "0f0f0f0", versions, (), runs))


TOOLS = """\
groups: {{machine: {{en: The machine, zh: 机器}}}}
tools:
- id: getconf
  name: getconf
  group: machine
  shows: {{en: What the system says of itself., zh: 系统对自身的说明。}}
  misses: {{en: Whether that is true., zh: 说明是否属实。}}
  source: "{source}"
"""
PLACES = "places:\n- id: program\n  title: {en: A program is slow, zh: 程序很慢}\n"
NOTE_WITH_SYMPTOM = """\
---
symptoms:
- id: columns-slow
  see: "{see}"
  confirm: Swap the two loops; if that alone makes it faster, this is the cause.
  section: what-to-do
  where: program
---

A C array lies in memory row by row.

## What to do

Swap the loops.
"""
