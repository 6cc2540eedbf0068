"""The hostile inputs of a flood: files that are added to the example notes.

The same seed gives the same inputs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from benchmarks.hostile.attacks import (
    CONTAINERS,
    JSON_VALUES,
    LATEX_VALUES,
    MARKUP,
    SIGNS,
    SVG_PARTS,
    YAML_VALUES,
)
from tests.calc_notes import CALC
from tests.example_notes import NOTES

from perfnotes.checks._examples import FOLDER, LAB, recorded
from perfnotes.source.yamlnodes import compose

ROOT = Path(__file__).resolve().parents[2]
_FRONT = """\
title: Rows of memory
description: Why a loop runs along a row.
tags: [cache]
level: introductory
requires: [caches/lines]
aliases: [old/rows, rows of memory]
authors: [Ada Example]
date: 2026-01-31
updated: 2026-02-01
chosen: [two weeks]
waived: {three times: a figure of speech}
"""
_INDEX = b"---\ntitle: NAME\ndescription: A lab.\ntags: [cache]\nlevel: introductory\ndate: 2026-01-31\n---\n\nA [[lines|line]].\n"  # noqa: E501
_FENCE = b"\n```text calc=bandwidth\nbandwidth = rate * width\ntime = size / bandwidth\n```\n"
_WANTED = """\
topics:
  storage: {en: Storage, zh: 存储}
subjects:
- id: storage/victim-cache
  title: {en: Victim caches, zh: 牺牲缓存}
  question: {en: What do they hold?, zh: 里面有什么？}
"""
_LATENCY = """\
groups: {core: {en: Core, zh: 核心}}
rows:
- {label: {en: A line, zh: 一行}, address: "fact:chip/cache-line", group: core}
"""
_SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">\n@\n</svg>\n'  # noqa: E501
# Tables that a folder has only one of: each input gets a folder of its own.
TABLES = {
    "topics.yml": NOTES["topics.yml"],
    "tags.yml": NOTES["tags.yml"],
    "glossary.yml": NOTES["glossary.yml"],
    "wanted.yml": _WANTED,
    "latency.yml": _LATENCY,
    "facts/chips.yml": NOTES["facts/chips.yml"],
}


@dataclass(frozen=True)
class Input:
    """A hostile file and the files it needs ``beside`` it. ``alone``: a folder holds only one."""

    kind: str
    mutated: bool
    path: str
    data: bytes
    beside: tuple[tuple[str, bytes], ...] = ()
    alone: bool = False


def inputs(count: int, mutated: int, seed: int) -> list[Input]:
    """Return about ``count`` written inputs of all kinds and ``mutated`` mutations."""
    chance = random.Random(seed)
    kinds = [list(kind) for kind in (_notes(), _front(), _tables(), _labs(), _calculators(),
                                     _results(), _references(), _figures())]  # fmt: skip
    share = count // len(kinds)
    # Kinds that need a folder for each input take most of the time, so there are fewer of them.
    shares = [share // 3 if kind[0].alone else share for kind in kinds]
    chosen = [chance.sample(kind, min(n, len(kind))) for n, kind in zip(shares, kinds, strict=True)]
    # What is missing of ``count`` then is filled up with notes.
    rest = count - sum(map(len, chosen))
    others = [each for each in kinds[0] if each not in set(chosen[0])]
    chosen.append(chance.sample(others, min(rest, len(others))))
    return [*(each for kind in chosen for each in kind), *_mutations(mutated, chance)]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _note(name: str, body: str, front: str = _FRONT) -> tuple[str, bytes]:
    return f"caches/{name}.md", _bytes(f"---\n{front}---\n\n{body}\n")


def _notes() -> Iterator[Input]:
    for i, container in enumerate(CONTAINERS):
        for j, attack in enumerate(MARKUP):
            front = _FRONT.replace("Rows of memory", f"Rows {i} {j}").replace(
                "old/", f"old/{i}-{j}-"
            )
            yield Input(
                "note", False, *_note(f"note-{i}-{j}", container.replace("@", attack), front)
            )


def _front() -> Iterator[Input]:
    for i, (start, end) in enumerate(_spans(_FRONT)):
        for j, value in enumerate(YAML_VALUES):
            front = _FRONT[:start] + value + _FRONT[end:]
            front = front.replace("Rows of", f"Rows {i} {j} of").replace("old/", f"old/{i}-{j}-")
            yield Input("front matter", False, *_note(f"front-{i}-{j}", "Text.", front))


def _tables() -> Iterator[Input]:
    for path, text in TABLES.items():
        for data in _replaced(text):
            yield Input(path, False, path, data, alone=True)


def _labs() -> Iterator[Input]:
    for i, data in enumerate(_replaced(LAB)):
        folder = f"caches/lab-{i}"
        yield Input("lab.yml", False, f"{folder}/lab/lab.yml", data, (_index(folder),))


def _calculators() -> Iterator[Input]:
    for i, data in enumerate(_replaced(CALC)):
        folder = f"caches/calc-{i}"
        yield Input("calc.yml", False, f"{folder}/calc.yml", data, (_index(folder, _FENCE),))


def _results() -> Iterator[Input]:
    text = recorded()
    spans = [(m.start(), m.end()) for m in _json_values(text)]
    for i, (start, end) in enumerate(spans):
        for j, value in enumerate(JSON_VALUES):
            folder = f"caches/result-{i}-{j}"
            made = (text[:start] + value + text[end:]).replace(FOLDER.removesuffix("/lab"), folder)
            beside = (_index(folder), (f"{folder}/lab/lab.yml", _bytes(LAB)))
            path = f"{folder}/lab/results/example-cpu.json"
            yield Input("result", False, path, _bytes(made), beside)


def _json_values(text: str) -> Iterator[re.Match[str]]:
    return re.finditer(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|\[[^\[\]]*\]|\{[^{}]*\}', text)


def _references() -> Iterator[Input]:
    entry = NOTES["references.bib"]
    path = "references.bib"
    fields = (
        "author",
        "title",
        "year",
        "url",
        "doi",
        "journal",
        "eprint",
        "crossref",
        "month",
        "note",
    )
    for name in fields:
        for value in LATEX_VALUES:
            made = entry.replace("\n}\n", f",\n  {name} = {value}\n}}\n")
            yield Input(path, False, path, _bytes(made), alone=True)
    for value in LATEX_VALUES:
        for made in (
            f"@string{{x = {value}}}\n{entry}",
            f"@{value}{{a2020b}}\n{entry}",
            f"{entry}@misc{{{value},\n title = {{x}}}}\n",
            f"@preamble{{{value}}}{entry}",
        ):
            yield Input(path, False, path, _bytes(made), alone=True)


def _figures() -> Iterator[Input]:
    wrappers = (
        "@", "<g>@</g>", "<style>@</style>", "<text>@</text>", '<g style="@"/>',
        "<defs>@</defs>", '<rect fill="@"/>', '<use href="@"/>',
    )  # fmt: skip
    for i, wrapper in enumerate(wrappers):
        for j, part in enumerate((*SVG_PARTS, *MARKUP)):
            data = _bytes(_SVG.replace("@", wrapper.replace("@", part)))
            yield _figure(f"figure-{i}-{j}", data, mutated=False)


def _figure(name: str, data: bytes, *, mutated: bool) -> Input:
    folder = f"caches/{name}"
    beside = (_index(folder, b"\n![A figure](figure.svg)\n"),)
    return Input("figure", mutated, f"{folder}/figure.svg", data, beside)


def _index(folder: str, more: bytes = b"") -> tuple[str, bytes]:
    """Return path and content of the note that a folder needs, with a title of its own."""
    return f"{folder}/index.md", _INDEX.replace(b"NAME", folder[7:].encode()) + more


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each node of a YAML text, from the whole text to single values."""
    root = compose(text)
    stack = [root] if root else []
    while stack:
        node = stack.pop()
        yield node.start_mark.index, node.end_mark.index
        if isinstance(node, yaml.MappingNode):
            stack += [each for pair in node.value for each in pair]
        elif isinstance(node, yaml.SequenceNode):
            stack += node.value


def _replaced(text: str) -> Iterator[bytes]:
    for start, end in _spans(text):
        for value in YAML_VALUES:
            yield _bytes(text[:start] + value + text[end:])


def _mutations(count: int, chance: random.Random) -> Iterator[Input]:
    notes = ROOT / "notes"
    groups: dict[str, list[Path]] = {
        "note": sorted(f for f in notes.glob("*/**/*.md") if "references" not in f.parts),
        "lab.yml": sorted(notes.glob("*/*/lab/lab.yml")),
        "result": sorted(notes.glob("*/*/lab/results/*.json")),
        "calc.yml": sorted(notes.glob("*/*/calc.yml")),
        "figure": sorted(notes.glob("*/**/*.svg")),
        "table": [notes / name for name in ("topics.yml", "tags.yml", "glossary.yml", "wanted.yml",
                                            "latency.yml")],
        "facts": sorted(notes.glob("facts/*.yml")),
        "references.bib": [notes / "references.bib"],
    }  # fmt: skip
    weights = {"note": 20, "lab.yml": 6, "result": 4, "calc.yml": 4, "figure": 4, "table": 2,
               "facts": 2, "references.bib": 1}  # fmt: skip
    for i in range(count):
        (kind,) = chance.choices(list(weights), list(weights.values()))
        files = groups[kind]
        if files:
            yield _mutation(i, kind, chance.choice(files), chance)


def _mutation(i: int, kind: str, file: Path, chance: random.Random) -> Input:
    text = file.read_text("utf-8")
    data = _bytes(mutated(text, chance))
    if chance.random() < 0.03:
        at = chance.randrange(len(data) or 1)
        data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
    folder = f"caches/mutated-{i}"
    index = _index(folder)
    match kind:
        case "note":
            return Input(kind, True, f"{folder}.md", data)
        case "lab.yml":
            return Input(kind, True, f"{folder}/lab/lab.yml", data, (index,))
        case "calc.yml":
            return Input(kind, True, f"{folder}/calc.yml", data, (index,))
        case "figure":
            return _figure(f"mutated-{i}", data, mutated=True)
        case "result":
            own = file.parents[2].relative_to(ROOT / "notes").as_posix()
            lab = (f"{folder}/lab/lab.yml", (file.parents[1] / "lab.yml").read_bytes())
            path = f"{folder}/lab/results/{file.name}"
            return Input(
                kind, True, path, data.replace(own.encode(), folder.encode()), (index, lab)
            )
        case "facts":
            return Input("facts", True, "facts/chips.yml", data, alone=True)
        case _:
            return Input(file.name, True, file.name, data, alone=True)


def mutated(text: str, chance: random.Random) -> str:
    """Return the text with up to four places cut, repeated, reversed, or mixed with attacks."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        a = chance.randrange(len(text) + 1)
        b = min(len(text), a + chance.choice((1, 3, 12, 60)))
        other = chance.randrange(len(text) + 1)
        match chance.randrange(7):
            case 0:
                text = text[:a] + text[b:]
            case 1:
                text = text[:a] + text[a:b] * chance.choice((2, 5, 50)) + text[b:]
            case 2:
                text = text[:a] + chance.choice(SIGNS) + text[b:]
            case 3:
                text = text[:a] + chance.choice(SIGNS) * chance.choice((1, 2, 40)) + text[a:]
            case 4:
                text = text[:a] + chance.choice((*MARKUP, *YAML_VALUES))[:2000] + text[b:]
            case 5:
                text = text[:a] + text[other : other + chance.randint(0, 200)] + text[a:]
            case _:
                text = text[:a] + text[a:b][::-1] + text[b:]
    return text
