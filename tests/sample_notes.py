"""A small project with a page of every kind in both languages, for tests that open pages.

The time that these tests take does not grow with our own notes. The site of our own notes is built
and crawled by one test; ``make pages`` opens every page of it in a browser.
"""

from __future__ import annotations

from perfnotes.checks._rule import Files
from tests import calc_notes
from tests.example_evidence import EVIDENCE

BELOW = "/some/path/"  # of the address that ``addressed_sample`` has
# Kinds of pages that the sample has in both languages; it has more in English.
KINDS = set(
    "document facts glossary graph home lab latency machines note recent reference references "
    "search symptoms tag tags term topic try wanted".split()
)

_SENTENCE = "A sentence that takes some room on the page, so that a reader has to scroll. "
_FILLER = "\n\n".join((_SENTENCE * 6).strip() for _ in range(4))
_ROOM = "这句话占一些位置，读者要滚动页面才能读完。"
_FILLER_ZH = "\n\n".join(_ROOM * 8 for _ in range(4))
_CELLS = " | ".join(f"column number {i}" for i in range(14))
_RULES = "|".join("---" for _ in range(14))
_TABLE = f"| {_CELLS} |\n|{_RULES}|\n| {_CELLS.replace('column number', 'a value of')} |"
_CODE = """\
```c
double lonely_total(const float *a, size_t n) {  // one stream of loads
    double sum = 0.0;
    for (size_t i = 0; i < n; i += 4) sum += a[i];
    return sum;
}
```"""

_PREFETCHING = f"""\
---
title: Prefetching ahead of a loop
description: Which walks through memory the hardware foresees.
tags: [cache, measurement]
level: advanced
requires: [caches/lines, caches/rows]
authors: [Ada Lovelace]
date: 2026-02-01
symptoms:
- id: walk-waits
  see: My loop over a long list waits for memory at every step.
  confirm: Let `perf stat -d ./program` count misses; walk in order, and most of them go.
  section: when-not
  where: program
---

A load from memory takes [80×](lab:caches/ladder#far) as long as one from the first cache
[@drepper2007memory, sec. 3]; a walk that the hardware foresees waits for few of them
[@smith1982cache; @jouppi1990improving].

## Which walks

{_FILLER}

> [!NOTE]
> A page's end stops the walk.

## Seen in a picture

![Four lines in a row](lines.svg)

{_TABLE}

## In a program {{#program}}

{_CODE}

$$
T(n) = T_0 + \\frac{{n}}{{B}}
$$

1. Walk with one stride.
   - Keep few streams.
2. Measure again.

## When not to {{#when-not}}

{_FILLER}
"""
_PREFETCHING_ZH = f"""\
---
title: 循环之前的预取
description: 硬件能预见哪些内存访问顺序。
symptoms:
- id: walk-waits
  see: 遍历长链表的循环每一步都在等内存。
  confirm: 用 `perf stat -d ./program` 数缺失次数；改为按顺序访问，大部分缺失就没有了。
---

读内存的用时是读一级缓存的 [80 倍](lab:caches/ladder#far) [@drepper2007memory, sec. 3]；
硬件能预见的访问只等其中几次 [@smith1982cache; @jouppi1990improving]。

## 哪些访问 {{#which-walks}}

{_FILLER_ZH}

> [!NOTE]
> 访问到页尾就停。

## 看一张图 {{#seen-in-a-picture}}

![一行四个缓存行](lines.svg)

{_TABLE}

## 在程序里 {{#program}}

{_CODE}

$$
T(n) = T_0 + \\frac{{n}}{{B}}
$$

1. 用一个步长访问。
   - 少用几个流。
2. 再测一次。

## 何时不用 {{#when-not}}

{_FILLER_ZH}
"""
_LINES = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 200">'
    '<rect x="10" y="10" width="580" height="180" fill="#ccc"/></svg>'
)

# No note cites the last two: tests look for papers that nobody cites.
_REFERENCES = """\
@article{smith1982cache,
  author  = {Smith, Alan Jay},
  title   = {Cache Memories},
  journal = {ACM Computing Surveys},
  year    = {1982},
  keywords = {caches}
}

@inproceedings{jouppi1990improving,
  author    = {Jouppi, Norman P.},
  title     = {Improving Direct-Mapped Cache Performance},
  booktitle = {ISCA},
  year      = {1990},
  keywords  = {caches, gpu}
}

@book{example2011systems,
  author    = {Example, Ada},
  title     = {Systems with Much Memory},
  publisher = {Example Press},
  year      = {2011},
  keywords  = {method}
}

@misc{example-undated,
  author = {Example, Grace},
  title  = {没有年份的网页},
  url    = {https://example.net/page}
}

@article{example1993memory,
  author  = {Example, Grace},
  title   = {Main Memory Considered},
  journal = {Examples},
  year    = {1993}
}

@misc{example2020memory,
  author = {Example, Linus},
  title  = {Notes on Memory},
  url    = {https://example.net/memory},
  year   = {2020}
}
"""

_LISTS = """\
<!-- perfnotes:find -->

<!-- perfnotes:counts -->

## {start} {{#start}}

- [[prefetching]]
- [[ladder]]
- [[bus]]
- [[bash-pipes]]

<!-- perfnotes:topics -->

## {measured} {{#measured}}

<!-- perfnotes:measured -->

## {cited} {{#cited}}

<!-- perfnotes:cited -->

## {recent} {{#recent}}

<!-- perfnotes:recent -->

## {wanted} {{#contribute}}

<!-- perfnotes:wanted -->
"""
_HOME = _LISTS.format(
    start="Begin here",
    measured="Measured lately",
    cited="Papers cited most",
    recent="Changed last",
    wanted="Help is wanted",
)
_HOME_ZH = _LISTS.format(
    start="从这里开始",
    measured="最近的测量",
    cited="引用最多",
    recent="最近更新",
    wanted="征求帮助",
)

SAMPLE: Files = {
    **EVIDENCE,
    **calc_notes.NOTES,
    "topics.yml": """\
- id: caches
  title: {en: Caches, zh: 缓存}
  description: {en: What the caches of a CPU do., zh: CPU 缓存做些什么。}
  notes: [lines, rows, steps, prefetching]

- id: method
  title: {en: Method, zh: 方法}
  description: {en: How to measure a program., zh: 怎样测量程序。}

- id: shell
  title: {en: Shell, zh: 命令行}
  description: {en: What a shell does with a command., zh: 命令行怎样执行命令。}
""",
    "tags.yml": """\
- id: measurement
  name: {en: Measurement, zh: 测量}
  description: {en: Numbers and what they are worth., zh: 数字及其可信程度。}
""",
    "references.bib": _REFERENCES,
    "references/smith1982cache.md": "It surveys what is known of caches, prefetching included.\n",
    "symptoms.yml": """\
places:
- id: program
  title: {en: A program is slow, zh: 程序很慢}
""",
    "wanted.yml": """\
subjects:
- id: caches/write-buffers
  title: {en: Write buffers, zh: 写缓冲}
  question: {en: When does a store wait?, zh: 写操作何时要等？}
""",
    # A link with a title shorter than the words beside it counts as part of a text for axe.
    "caches/lines.md": "---\ntitle: The lines of a cache\n---\n",
    "gpu/warps.md": "---\ntitle: The warps of a GPU\n---\n",
    "caches/bus/index.md": f"---\ntitle: The bandwidth of a bus\n---\n{calc_notes.FENCES}",
    "caches/prefetching/index.md": _PREFETCHING,
    "caches/prefetching/index.zh.md": _PREFETCHING_ZH,
    "caches/prefetching/lines.svg": _LINES,
    "method/repeat.md": """\
---
title: Measuring again
description: Why one run says little.
tags: [measurement]
requires: [caches/prefetching]
---

One run says little [@example2011systems; @example-undated]; [[prefetching]] changes each time.
""",
    "method/repeat.zh.md": """\
---
title: 再测一次
description: 为什么一次运行说明不了什么。
---

一次运行说明不了什么 [@example2011systems; @example-undated]；[[prefetching]] 每次都不同。
""",
    "shell/bash-loops.md": """\
---
title: Loops in bash
description: What a loop in bash costs.
tags: [measurement]
requires: [method/repeat]
---

Each command of a bash loop may be a new process; see [[repeat]].
""",
    "shell/bash-pipes.md": """\
---
title: Pipes in bash
description: What a pipe between two commands costs.
tags: [measurement]
---

A pipe in bash copies each byte twice; [[bash-loops]] says what the processes cost.
""",
    "shell/bash-quoting.md": """\
---
title: Quoting in bash
description: Where bash splits words.
tags: [measurement]
---

Without quotes bash splits words; see [[bash-pipes]], [[ladder]] and [[bus]].
""",
    "method/baselines.md": """\
---
title: A baseline for each number
description: What a number is compared with.
tags: [measurement]
---

A number alone says little; see [[repeat]] and [[bash-quoting]].
""",
    "method/clocks.md": """\
---
title: Clocks and their steps
description: How fine a clock counts.
tags: [measurement]
---

A clock counts in steps; see [[baselines]].
""",
    "../docs/index.md": f"""\
---
title: Sample notes
description: A few notes with a page of every kind.
---

Notes on why programs are slow.

{_HOME}""",
    "../docs/index.zh.md": f"""\
---
title: 样本笔记
description: 几篇笔记，每种页面各有一页。
---

关于程序为什么慢的笔记。

{_HOME_ZH}""",
    "../docs/about.md": """\
---
title: About
description: What these notes are.
order: 1
---

These notes are a sample. What they promise stands [further down](#promise); each
[check](../tools/perfnotes/checks) has a page.

## What they promise {#promise}

A page of every kind.
""",
    "../docs/about.zh.md": """\
---
title: 关于
description: 这些笔记是什么。
---

这些笔记是样本。它们的承诺见[下文](#promise)。

## 承诺 {#promise}

每种页面各有一页。
""",
}
