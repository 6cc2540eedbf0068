"""Notes whose lab has a plot of every kind, to add to the example notes."""

from __future__ import annotations

from perfnotes.checks._rule import Files
from perfnotes.text.figure import STYLE
from tests.example_evidence import EVIDENCE, FOLDER, LAB, NOTE, NOTE_ZH, ONE, TWO, result

MORE_VALUES = """\
  again: {what: {en: The first cache again, zh: 再读一级缓存}, expression: time.again, unit: ns,
    kind: timing}
  other: {what: {en: Twice, zh: 两倍}, expression: time.other, unit: ns, kind: timing}
  size: {what: {en: Loads counted, zh: 数到的读}, unit: "", kind: count,
    expression: n + 0 * time.near / time.near}
"""
PLOTS = """\
plots:
  by-size:
    kind: line
    title: {en: Time per load, zh: 每次读的时间}
    x: {what: {en: buffer, zh: 缓冲区}, unit: KiB}
    marks: caches
    series:
    - name: {en: random & far, zh: 随机}
      values: {near: 16, other: 256, far-time: 4096}
    - name: {en: again, zh: 再来}
      values: {again: 16}
  levels:
    kind: samples
    title: {en: Time per load, zh: 每次读的时间}
    values:
      near: {en: from the first cache, zh: 从一级缓存}
      far-time: {en: "from <memory>", zh: 从内存}
  change:
    kind: steps
    title: {en: After each step, zh: 每一步之后}
    limit: {near: {en: the least, zh: 下限}}
    values: {far-time: {en: at first, zh: 起初}, other: {en: then, zh: 然后}}
  loads:
    kind: bars
    title: {en: Loads, zh: 读的次数}
    values: [size]
"""
_ALL = ("by-size", "levels", "change", "loads")
SHOWN = "".join(f"\n[Caption of *{id}*](plot:{id})\n" for id in _ALL)
DRAWING = f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 200">
  {STYLE}
  <rect width="700" height="200" fill="var(--paper)"/>
  <text x="20" y="30" font-size="14" fill="var(--ink)">two words</text>
</svg>
"""
PLOTTED = LAB + MORE_VALUES + PLOTS


def notes(lab: str = PLOTTED, shown: str = SHOWN) -> Files:
    """Return the files of a note that shows plots of ``lab``, recorded on two machines."""
    return {
        **EVIDENCE,
        "caches/ladder/index.md": f"{NOTE}\n![Two words in a drawing](row.svg)\n{shown}",
        "caches/ladder/row.svg": DRAWING,
        "caches/ladder/index.zh.md": NOTE_ZH + shown.replace("Caption of", "图"),
        f"{FOLDER}/lab.yml": lab,
        f"{FOLDER}/results/one-cpu.json": result(ONE, 80.0, lab=lab),
        f"{FOLDER}/results/two-cpu.json": result(TWO, 15.0, lab=lab),
    }
