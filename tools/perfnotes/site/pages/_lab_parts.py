"""Parts of a lab's page: tables, the sources as code, and the description of a result."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from perfnotes.graph.address import relative, to_place
from perfnotes.graph.site import Site
from perfnotes.model.lab import Lab
from perfnotes.model.result import Result
from perfnotes.model.verdict import is_stale
from perfnotes.site.page import block
from perfnotes.site.pages._results import doubts, safe, without_hidden
from perfnotes.site.render.markup import escape, fenced
from perfnotes.site.render.plots import plots_of_lab
from perfnotes.site.strings import add_words, string
from perfnotes.text.highlighting import HighlightBudget
from perfnotes.text.joining import joins

WORDS = {
    "date": ("Date", "日期"),
    "flags": ("Built with", "构建命令"),
    "load": ("load of others {n} %", "其他负载 {n} %"),
    "machine": ("Machine", "机器"),
    "not run": ("not run", "未运行"),
    "plots": ("Plots", "图"),
    "output_of": ("Output of {run}", "{run} 的输出"),
    "reference_machine": ("shown in the text", "正文采用"),
    "stale_why": (
        "The lab's source has changed since this was recorded.",
        "记录之后，实验的源代码已有改动。",
    ),
    "state": ("Verdict", "判定"),
    "system": ("System", "系统"),
    "unfit": ("Doubtful", "存疑"),
    "versions": ("Versions", "版本"),
}
add_words(WORDS)

_LANGUAGES = {
    "c": "c", "h": "c", "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "hpp": "cpp", "cu": "cuda",
    "cuh": "cuda", "py": "python", "sh": "bash", "bash": "bash", "yml": "yaml", "yaml": "yaml",
    "rs": "rust", "go": "go", "s": "gas", "asm": "nasm", "json": "json", "js": "javascript",
    "md": "markdown", "toml": "toml", "mk": "make", "java": "java",
}  # fmt: skip


NUMBER = ' class="pn-num"'  # the attribute of a cell with a number


def definitions(rows: Sequence[tuple[str, str]]) -> str:
    """Return a definition list of pairs of a name and its value, both in HTML."""
    items = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows)
    return f'<dl class="pn-facts-list">{items}</dl>'


def table(
    heads: Sequence[str],
    rows: Sequence[str],
    name: str,
    kind: str = "pn-table",
    numbers: Container[int] = (),
) -> str:
    """Return a table in a frame that scrolls by itself. Screen readers call it ``name``.

    ``heads`` and ``rows`` are HTML; ``kind`` is the table's CSS class. The heads of the columns
    ``numbers`` are aligned to the right, as are cells with the attribute ``NUMBER``.
    """
    cells = "".join(
        f'<th scope="col"{NUMBER if i in numbers else ""}>{head}</th>'
        for i, head in enumerate(heads)
    )
    return (
        f'<div class="pn-scroll" tabindex="0" role="region" aria-label="{escape(name)}">'
        f'<table class="{kind}"><thead><tr>{cells}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def language(name: str) -> str:
    """Return the language for highlighting a file, ``text`` if its ending is not in our list."""
    base = name.rpartition("/")[2].lower()
    return "make" if base == "makefile" else _LANGUAGES.get(base.rpartition(".")[2], "text")


def source(text: str, of: str, budget: HighlightBudget) -> str:
    """Return an untrusted text as a code block in the language ``of``. It cannot end the block."""
    shown = without_hidden(text).rstrip("\n")
    return fenced(shown, budget.language(of, shown))


def sources(lab: Lab) -> Iterator[tuple[str, str | None, int]]:
    """Yield name, text and size in bytes of each file, ``lab.yml`` first.

    The text is None if the file is not UTF-8 or contains a NUL.
    """
    yield "lab.yml", lab.source.text, len(lab.source.text.encode())
    for name, data in lab.files.items():
        try:
            text = data.decode("utf-8-sig").replace("\r\n", "\n")
            yield without_hidden(name), None if "\0" in text else text, len(data)
        except UnicodeDecodeError:
            yield without_hidden(name), None, len(data)


def result(site: Site, lab: Lab, found: Result, url: str, lang: str) -> str:
    """Return HTML that describes one machine's result.

    It names the machine, date, versions and flags, the runs that could not be made or that other
    load disturbed, and the programs' output.
    """
    machine = found.machine
    page = escape(to_place(url, site.addresses.machine(machine.id, lang)))
    raw = escape(relative(url, site.addresses.lab_file(lab.id, machine.id)))
    name = f'<a href="{page}">{safe(machine.cpu or machine.id)}</a>'
    if machine.id == lab.reference:
        name += f' <span class="pn-mark">{string("reference_machine", lang)}</span>'
    rows = [
        (string("machine", lang), name),
        (string("date", lang), f'<time datetime="{found.date}">{found.date}</time>'),
    ]
    if is_stale(lab, found):
        mark = f'<span class="pn-state pn-stale">{string("stale", lang)}</span>'
        rows.append((string("state", lang), f"{mark} {string('stale_why', lang)}"))
    if found.unfit:
        rows.append((string("unfit", lang), "<br>".join(doubts(found, lang))))
    signs = joins(lang)
    system = signs.comma.join(x for x in (machine.system, machine.kernel, machine.governor) if x)
    if system:
        rows.append((string("system", lang), safe(system)))
    tools = "<br>".join(
        f"{safe(k)}{signs.colon}{safe(v)}" for k, v in sorted(found.versions.items())
    )
    if tools:
        rows.append((string("versions", lang), tools))
    if found.flags:
        flags = "<br>".join(f"<code>{safe(flag)}</code>" for flag in found.flags)
        rows.append((string("flags", lang), flags))
    runs = [_run(id, run.not_run, run.load, lang) for id, run in found.runs.items()]
    if any(runs):
        rows.append((string("runs", lang), "<br>".join(r for r in runs if r)))
    rows.append(("JSON", f'<a href="{raw}">{string("download", lang)}</a>'))
    shown = [
        _output(string("output_of", lang, run=safe(id)), run.output)
        for id, run in found.runs.items()
        if run.output
    ]
    return f'<div class="pn-result">{definitions(rows)}{"".join(shown)}</div>'


def plots(site: Site, lab: Lab, url: str, lang: str) -> str:
    """Return the section with the lab's plots as Markdown; empty if it has none."""
    figures = plots_of_lab(lab, site.graph.evidence, site.addresses, url, lang)
    return f"## {string('plots', lang)} {{#lab--plots}}\n{block(figures)}" if figures else ""


def _run(id: str, not_run: str, load: float | None, lang: str) -> str:
    colon = joins(lang).colon
    if not_run:
        mark = f'<span class="pn-state pn-not-run">{string("not run", lang)}</span>'
        return f"<code>{safe(id)}</code>{colon}{mark} {safe(not_run)}"
    if load is not None and load > 0.005:  # at least 1 % when rounded
        return f"<code>{safe(id)}</code>{colon}{string('load', lang, n=f'{load * 100:.0f}')}"
    return ""


def _output(name: str, text: str) -> str:
    # The code is one line, because in Markdown a blank line ends an HTML block.
    code = escape(without_hidden(text)).replace("\n", "&#10;")
    return f"<details><summary>{name}</summary><pre><code>{code}</code></pre></details>"
