"""Write a folder of generated notes of realistic size and markup, to measure builds with.

    python benchmarks/build/generate.py 1000 build/bench-notes

Each note has about 1,300 words, headings, three code fences, math, a table, links to other notes,
a list and a Chinese paragraph. The same seed gives the same notes.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

_TOPICS = ("memory", "compute", "network", "storage", "kernel", "compiler", "gpu", "method")
_WORDS = (
    "the a of in to and is for with on by from as it that which when while each every only most "
    "cache line page fault thread lock queue bandwidth latency throughput register vector branch "
    "prefetch load store buffer counter sample profile kernel interrupt syscall allocator arena "
    "compiler loop tile block matrix warp occupancy roofline intensity median variance baseline "
    "measure repeat compare report hardware software scheduler core socket memory bus device"
).split()
_HAN = "缓存延迟带宽线程调度内存分配编译循环矩阵测量基线方差瓶颈分析系统程序的是在与"
_TAGS = tuple(f"tag-{i}" for i in range(40))
_MATH = (
    r"T(n) = T_0 + \frac{n}{B}",
    r"S(p) = \frac{1}{(1-f) + f/p}",
    r"\begin{aligned} a &= b + c \\ d &= \sqrt{e} \end{aligned}",
)


def sentence(r: random.Random) -> str:
    """Return random words, a few of them as code spans, bold words or formulas."""
    words = []
    for _ in range(r.randint(9, 22)):
        word = r.choice(_WORDS)
        dice = r.random()
        if dice < 0.02:
            word = f"`{word}`"
        elif dice < 0.03:
            word = f"**{word}**"
        elif dice < 0.037:
            word = f"$x_{{{r.randint(0, 9)}}}$"
        words.append(word)
    return " ".join(words).capitalize() + "."


def paragraph(r: random.Random, sentences: int = 6) -> str:
    """Return a paragraph of random sentences."""
    return " ".join(sentence(r) for _ in range(sentences))


def code(r: random.Random, language: str) -> str:
    """Return a fenced code block of about ten lines; ``language`` is c, python or bash."""
    name = r.choice(_WORDS)
    lines = {
        "c": [f"double {name}(const float *a, size_t n) {{", "    double sum = 0.0;"]
        + [f"    for (size_t i = 0; i < n; i += {r.randint(1, 9)}) sum += a[i]; // {name}"] * 8
        + ["    return sum;", "}"],
        "python": [f"def {name}(values: list[float]) -> float:", f'    """Return {name}."""']
        + [f"    x{i} = sorted(values)[{i}]  # {r.choice(_WORDS)}" for i in range(8)]
        + ["    return x0"],
        "bash": ["set -euo pipefail"]
        + [f'for i in $(seq {r.randint(2, 9)}); do echo "${{x[$i]:-none}}" | tee out; done'] * 6,
    }[language]
    return f"```{language}\n" + "\n".join(lines) + "\n```"


def note(r: random.Random, title: str, links: list[str]) -> str:
    """Return the text of a note that contains four Markdown ``links``."""
    tags = ", ".join(r.sample(_TAGS, 3))
    table = "| quantity | before | after |\n|---|---:|---:|\n" + "".join(
        f"| {r.choice(_WORDS)} | {r.uniform(1, 99):.1f} | {r.uniform(1, 99):.1f} |\n"
        for _ in range(5)
    )
    han = "".join(r.choice(_HAN) for _ in range(80)) + "。"
    parts = [f"---\ntitle: {title}\ndate: 2026-01-{r.randint(1, 28):02d}\ntags: [{tags}]\n---\n"]
    parts += [f"# {title}", f"{paragraph(r)} See {links[0]}."]
    for i, language in enumerate(("c", "python", "bash")):
        heading = " ".join(r.choice(_WORDS) for _ in range(3)).capitalize()
        parts += [
            f"## {heading}",
            paragraph(r, 8),
            code(r, language),
            f"{paragraph(r)} {links[i + 1]}",
        ]
    parts += [f"$$\n{r.choice(_MATH)}\n$$", "### In numbers", table, han]
    parts += ["\n".join(f"- {sentence(r)}" for _ in range(4)), paragraph(r, 8)]
    return "\n\n".join(parts) + "\n"


def generate(count: int, folder: Path, seed: int = 1) -> None:
    """Write ``count`` notes and a home page below ``folder``."""
    r = random.Random(seed)
    names = [
        (_TOPICS[i % len(_TOPICS)], f"note-{i:05d}", f"{r.choice(_WORDS).capitalize()} {i}")
        for i in range(count)
    ]
    for topic, slug, title in names:
        chosen = [names[r.randrange(count)] for _ in range(4)]
        links = [f"[{t}]({'' if k == topic else f'../{k}/'}{s}.md)" for k, s, t in chosen]
        file = folder / topic / f"{slug}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(note(r, title, links), encoding="utf-8")
    home = "# Home\n\n" + "".join(f"- [{t}]({t}/note-{i:05d}.md)\n" for i, t in enumerate(_TOPICS))
    (folder / "index.md").write_text(home, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    generate(options.count, options.folder, options.seed)
