"""Evidence to add to the example notes: a lab with results of two machines, and pages that show it.

The numbers are invented; the digests are correct.
"""

from __future__ import annotations

from collections.abc import Mapping

from perfnotes.checks._rule import Files
from perfnotes.model.machine import Machine
from perfnotes.model.result import Measured, Result, Samples, dumps
from perfnotes.source.read.labs import make_lab
from perfnotes.text.source import Source

FOLDER = "caches/ladder/lab"
ID = "caches/ladder"
LAB = """\
title: {en: A ladder of loads, zh: 访存阶梯}
question: {en: How long does a load take from each level?, zh: 从每一级读取一次要多久？}
duration: 20 s
reference: one-cpu
needs: {tools: [gcc, python3], debian: [gcc, libc6-dev], cpu: [avx2], cores: 2, gpu: nvidia,
  python: [torch]}
parameters: {n: 4096}
build:
- gcc -O2 -g -o ladder ladder.c
runs:
  time:
    tool: json
    command: ./ladder {n}
    units: {near: s, far: s, again: s, other: s}
claims:
  far:
    what: {en: A load from memory against one from the first cache, zh: 内存读取与一级缓存读取之比}
    expression: time.far / time.near
    unit: "×"
    expect: "> 20"
    because: {en: Memory is off the chip., zh: 内存在芯片之外。}
    kind: timing
    control: time.again / time.near
  nothing:
    what: The first cache against itself
    expression: time.again / time.near
    unit: "×"
    expect: within 20 % of 1
    because: Both read the same lines.
    kind: timing
    null-result: true
    control: time.other / time.near
values:
  near: {what: {en: One load from the first cache, zh: 从一级缓存读取一次}, expression: time.near,
    unit: ns, kind: timing}
  far-time: {what: One load from memory, expression: time.far, unit: s, kind: timing}
"""
PROGRAM = """\
#include <stdio.h>

/* ``` no fence of ours ends here
</code></pre> */
int main(void) {
\tputs("{\\"near\\": 1e-9}");
}
"""
NOTE = """\
---
title: A ladder of loads
---

A load from memory takes [80×](lab:far) as long as one from the first cache: [80 ns](lab:far-time)
against [1.00 ns](lab:near), of samples between [0.97 ns](lab:near.min) and
[1.03 ns](lab:near.max). On another machine it is [15×](lab:far@two-cpu).

A cache line holds [64 B](fact:chip/cache-line), and a chip reads [25.6 GB/s][rate], in a table:

| what | how much |
|---|---|
| **again** | **[1.0×](lab:nothing)** |
| rate | [3.2 GT/s](fact:chip/rate) |

[rate]: fact:chip/bandwidth
"""
NOTE_ZH = """\
---
title: 访存阶梯
description: 每一级要多久。
---

内存读取是一级缓存读取的 [80 倍](lab:far)，一个缓存行有 [64 B](fact:chip/cache-line)。

| 什么 | 多少 |
|---|---|
| 再来 | [1.0×](lab:nothing) |
"""
LATENCY = """\
groups:
  cpu: {en: Processor, zh: 处理器}
rows:
- {label: {en: A load from memory, zh: 读内存}, address: "lab:caches/ladder#far-time", group: cpu}
- {label: {en: A load from the first cache, zh: 读一级缓存}, address: "lab:ladder#near", group: cpu}
- {label: {en: A clock, zh: 一个时钟周期}, address: "fact:clock/cycle", group: cpu}
"""
CLOCKS = """\
title: {en: Clocks, zh: 时钟}
description: How fast things tick.
entities:
  clock:
    name: {en: A clock, zh: 时钟}
    kind: cpu
    year: 2020
    facts:
      cycle:
        value: 0.4
        unit: ns
        what: {en: one cycle, zh: 一个周期}
        qualifier: {en: at base clock, zh: 基准频率}
        source: "[@drepper2007memory, sec. 3]"
"""


def result(machine: Machine, memory: float, unfit: tuple[str, ...] = (), **more: str) -> str:
    """Return the text of a result in which memory is ``memory`` times slower than the cache."""
    lab, findings = make_lab(Source("lab.yml", more.get("lab", LAB)), FOLDER, sources())
    assert lab, findings
    near = [round((1 + 0.005 * ((i * 7) % 13 - 6)) * 1e-9, 13) for i in range(15)]
    samples = {
        "near": near,
        "far": [x * memory for x in near],
        "again": [x * (1 + 0.002 * (i % 3 - 1)) for i, x in enumerate(near)],
        "other": [x * 2 for x in near],
    }
    quantities = {name: Samples(tuple(values), "s") for name, values in samples.items()}
    runs = {"time": Measured("json", quantities, seconds=1.5, load=0.02)}
    versions = {"gcc": "(Debian 12.2.0-14) 12.2.0", "libc": "glibc 2.36", **more}
    versions.pop("lab", None)
    flags = ("gcc -O2 -g -o ladder ladder.c",)
    return dumps(
        Result(ID, machine, lab.digest, "2026-02-01", "0f0f0f0", versions, flags, runs, unfit)
    )


def sources() -> Mapping[str, bytes]:
    """Return the lab's source files by name."""
    return {"ladder.c": PROGRAM.encode()}


ONE = Machine(
    "one-cpu", "One CPU at 3.0 GHz", "x86_64", 25, 17, 1, "0xa101154", 1, 2,
    {"L1d": {"size": 32768, "ways": 8, "line": 64}, "L2": {"size": 1 << 20, "ways": 8, "line": 64}},
    8 << 30, "Linux 6.1.0", "Debian GNU/Linux 12", "performance", "KVM",
)  # fmt: skip
TWO = Machine("two-cpu", "Two CPU", "aarch64", cores=8, threads=8)

EVIDENCE: Files = {
    "caches/ladder/index.md": NOTE,
    "caches/ladder/index.zh.md": NOTE_ZH,
    f"{FOLDER}/lab.yml": LAB,
    f"{FOLDER}/ladder.c": PROGRAM,
    f"{FOLDER}/results/one-cpu.json": result(ONE, 80.0),
    f"{FOLDER}/results/two-cpu.json": result(TWO, 15.0, ("other load took 30 % of the time",)),
    "facts/clocks.yml": CLOCKS,
    "latency.yml": LATENCY,
}
