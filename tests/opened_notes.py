"""One small project with the notes that several test files open in a browser, built once for all.

Each file says which note is its own. Notes that others would notice stand in another topic.
"""

from __future__ import annotations

from perfnotes.checks._rule import Files
from perfnotes.text.figure import STYLE
from tests.calc_notes import NOTES as CALCULATORS
from tests.example_evidence import EVIDENCE, PROGRAM
from tests.example_evidence import LAB as LAB_YML
from tests.test_symptoms import NOTES as SYMPTOMS

BELOW = "/some/path/"
ADDRESS = f"https://example.org{BELOW}"

# Places in a source, formulas, lists
CITED = "caches/cited/"
_CITED = """\
---
title: Cited
---

It is so [@drepper2007memory, sec. 3.3], and so [@drepper2007memory, sec. 4].

A place ends in a parenthesis [@drepper2007memory, prefetch()].

$$
T \\ge \\max(a, b) + \\max(c, d) + \\max(e, f) + \\max(g, h) + \\max(i, j) + \\max(k, l)
$$

1. An item with $a = b$ in it.
2. An item with no formula.

- A point with $a = b$ in it.

The first cache is as fast as itself: [1.0×](lab:caches/ladder#nothing).

| you ask | in short |
|---|---|
| why do results differ? | because of `torch.use_deterministic_algorithms(False)` |
"""

# Everything that a note may hold
PAGE = "caches/page/"
_CELLS = " | ".join(f"column number {i}" for i in range(14))
_RULES = "|".join("---" for _ in range(14))
_FILLER = "\n\n".join("A sentence that takes some room on the page. " * 8 for _ in range(6))
_PAGE = f"""\
---
title: A page with everything
aliases: [caches/old-page]
description: What a page may hold.
tags: [cache]
level: advanced
requires: [caches/ladder]
authors: [Ada Lovelace]
date: 2026-02-01
---

The answer is [80×](lab:caches/ladder#far), as [@drepper2007memory, sec. 3] says; see the
[ladder](../ladder/index.md), and a warp too.

## First part

{_FILLER}

![Boxes in a row](boxes.svg)

## Wide things

| {_CELLS} |
|{_RULES}|
| {_CELLS.replace("column number", "a value of")} |

```python
print("a line of code")
```

```bash
echo one
```

```text
A line that is wider than a phone: {"and so on, " * 10}
```

## Last part

{_FILLER}
"""
_BOXES = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 200">{STYLE}'
    '<rect width="600" height="200" fill="var(--paper)"/>'
    '<rect x="10" y="10" width="580" height="180" fill="#ccc"/></svg>'
)

# Blocks of code
CODE = "gpu/code/"
_CODE = """\
Some code.

```c title="sum.c" hl_lines="2"
for (size_t i = 0; i < n; i++)
    sum += a[i];    // (1)!
sum /= n;           /* (2)! */
```

1. One read of a line in sixteen misses.
2. A mean.

```console
$ cat lines.txt
> one
# two
$ for i in 1 2; do
>   echo "$i"
> done
1
2
$ wc -l \\
    lines.txt
2 lines.txt
…
```

```console
total 3
```

```python
print("(1)!")  # (1)!
```

No list follows.
"""

# A note of many parts
LONG = "gpu/long/"
PARTS = 30


def _part(number: int) -> str:
    words = " ".join(f"sentence {i} of part {number}" for i in range(20 + 5 * (number % 5)))
    return f"## Part {number} {{#part-{number}}}\n\n**First** {words}.\n\nA line.\n"


_LONG = "---\ntitle: A long note\n---\n\nThe answer.\n\n"
_LONG += "\n".join(_part(number) for number in range(PARTS))

# Two programs of one line
PROGRAMS = "gpu/two-programs/"
_PROGRAMS = """\
---
title: Two programs
---

Two programs.

```python
print("one")
```

```python
print("two")
```
"""

# A table of facts that is wider than a phone
FACTS = "facts/wide/"
_SOURCE = 'source: "[@drepper2007memory, sec. 2]"'
_VALUES = "".join(
    f"      value-{i}: {{value: 16384, unit: MiB, what: A long name {i}, {_SOURCE}}}\n"
    for i in range(6)
)
_WIDE = "title: Wide\nentities:\n" + "".join(
    f"  card-{i}:\n    name: Card {i}\n    kind: gpu\n    facts:\n{_VALUES}" for i in range(6)
)

# A lab with long programs, without results
LAB = "gpu/programs/lab/"
_LINES = "".join(f"line {n}\n" for n in range(200))

OPENED: Files = {
    **CALCULATORS,
    **EVIDENCE,
    **SYMPTOMS,
    f"{CITED}index.md": _CITED,
    f"{PAGE}index.md": _PAGE,
    f"{PAGE}boxes.svg": _BOXES,
    f"{CODE}index.md": _CODE,
    f"{LONG}index.md": _LONG,
    f"{PROGRAMS}index.md": _PROGRAMS,
    f"{FACTS.rstrip('/')}.yml": _WIDE,
    "gpu/programs/index.md": "---\ntitle: Programs\n---\n\nA lab without results.\n",
    f"{LAB}lab.yml": LAB_YML,
    f"{LAB}ladder.c": PROGRAM,
    f"{LAB}a_long.txt": _LINES,
    f"{LAB}a_wide.txt": "wide " * 100 + "\n" + _LINES,
    f"{LAB}z_last.txt": _LINES,
}
