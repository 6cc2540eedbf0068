"""Random notes in the formats of other programs, whose visible words are known."""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from perfnotes.checks import examine
from perfnotes.contribute.imports import identity
from perfnotes.contribute.imports.assets import Assets
from perfnotes.contribute.imports.decode import clean
from perfnotes.contribute.imports.draft import Draft
from perfnotes.contribute.imports.formats import formats
from perfnotes.contribute.imports.options import ImportOptions
from perfnotes.contribute.imports.plan import link_drafts
from perfnotes.contribute.imports.reading import from_text
from perfnotes.contribute.imports.vocabulary import Vocabulary
from perfnotes.contribute.imports.words import words
from perfnotes.graph.graph import link
from perfnotes.graph.site import Settings, Site
from perfnotes.model.library import Library
from perfnotes.model.note import Note
from perfnotes.source.read import frontmatter
from perfnotes.text.body import read_body
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.source import Source
from tests.example_notes import stage_without_index


class Sample:
    """A source text being made. ``visible`` collects the words that readers see, in order."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.visible: list[str] = []
        self.hidden: list[str] = []  # words that must be kept, but anywhere
        self.count = 0

    def word(self, *, hidden: bool = False) -> str:
        self.count += 1
        base = self.chance.choice(("w", "cache", "缓存", "Zeile", "x_y"))
        made = f"{base}{self.count}q"
        (self.hidden if hidden else self.visible).extend(words(made))
        return made

    def phrase(self, most: int = 4, glue: str = " ") -> str:
        return glue.join(self.word() for _ in range(self.chance.randint(1, most)))

    def text(self) -> str:
        """Return the whole source text."""
        raise NotImplementedError

    def pick(self, *makers: Callable[[], str]) -> str:
        return self.chance.choice(makers)()


class MarkdownSample(Sample):
    """Markdown in the dialects of Obsidian, Hugo, Jekyll, Notion and GitHub."""

    def inline(self) -> str:
        return self.pick(
            self.phrase, self.phrase,
            lambda: f"**{self.phrase()}**", lambda: f"*{self.phrase()}*",
            lambda: f"`{self.phrase()}`", lambda: f"=={self.phrase()}==",
            lambda: f"[{self.phrase()}](https://example.org/a_b)",
            lambda: f"[{self.phrase()}](missing.md)", lambda: f"[{self.phrase()}](#nowhere)",
            lambda: f"![{self.phrase()}](nowhere.png)",
            lambda: f"![{self.phrase()}](https://example.org/x.png)",
            lambda: f"<b>{self.phrase()}</b>", lambda: f"<span class='x'>{self.phrase()}</span>",
            lambda: f"<code>{self.phrase()}</code>", lambda: f"<kbd class=k>{self.phrase()}</kbd>",
            lambda: f"<a href='https://example.org/'>{self.phrase()}</a>",
            lambda: f"[[{self.phrase(1)}]]", lambda: f"[[Other|{self.phrase(1)}]]",
            lambda: f"vector<{self.word()}>", lambda: f"{{{{< thing {self.word()} >}}}}",
            lambda: f"{{% tag {self.word()} %}}", lambda: f"$a_{{{self.word()}}}$",
            lambda: f"{self.word()} %%{self.word(hidden=True)}%%", lambda: f"@{self.word()}",
            lambda: f"<!-- {self.word(hidden=True)} -->", lambda: f"<u>{self.word()}",
            lambda: f"{{n={self.word()}}}", lambda: f"a < {self.word()} & b", lambda: "https://example.org",
            lambda: f"[@{self.word()}]", lambda: f"~~{self.word()}~~",
        )  # fmt: skip

    def line(self) -> str:
        return " ".join(self.inline() for _ in range(self.chance.randint(1, 5)))

    def listed(self) -> str:
        rows = []
        for _ in range(self.chance.randint(1, 4)):
            depth = self.chance.choice((0, 0, 2, 4))
            mark = self.chance.choice(("- ", "* ", "1. ", "- [ ] "))
            rows.append(f"{' ' * depth}{mark}{self.line()}")
        return "\n".join(rows)

    def quoted(self) -> str:
        head = self.chance.choice(("", "> [!info]\n", "> [!NOTE]\n", "> [!warning]- "))
        first = f"{head}{self.phrase()}\n" if head.endswith("- ") else head
        return first + "\n".join(f"> {self.line()}" for _ in range(self.chance.randint(1, 3)))

    def fenced(self) -> str:
        info = self.chance.choice(("", "c", "python", "C++", "{.bash}", "nonsense", "js {1,2}"))
        body = "\n".join(f"{self.word()} <b> {{{{x}}}}" for _ in range(self.chance.randint(1, 3)))
        return f"```{info}\n{body}\n```"

    def table(self) -> str:
        rows = [f"| {self.inline_cell()} | {self.inline_cell()} |" for _ in range(2)]
        return f"{rows[0]}\n|---|---|\n{rows[1]}"

    def inline_cell(self) -> str:
        return self.pick(self.phrase, lambda: f"`{self.word()}`", lambda: f"<b>{self.word()}</b>")

    def html(self) -> str:
        return self.pick(
            lambda: f"<div>\n  <p>{self.phrase()}</p>\n</div>",
            lambda: f"<table><tr><th>{self.phrase()}<td>{self.phrase()}</table>",
            lambda: f"<ul>\n<li>{self.phrase()}\n<li>{self.phrase()}</ul>",
            lambda: f"<details><summary>{self.phrase()}</summary>\n\n{self.line()}\n\n</details>",
            lambda: f"<pre>\n{self.phrase()}\n</pre>", lambda: f"<p align=center>{self.phrase()}",
            lambda: f"<aside>\n💡 {self.phrase()}\n</aside>", lambda: f"<h3>{self.phrase()}</h3>",
            lambda: f"<script>{self.word()}()</script>", lambda: f"<figure><img src='a.png'>"
            f"<figcaption>{self.phrase()}</figcaption></figure>",
            lambda: f"<iframe src='https://example.org/v'></iframe>\n{self.phrase()}",
        )  # fmt: skip

    def dialect(self) -> str:
        return self.pick(
            lambda: f"{{% highlight c %}}\n{self.phrase()}\n{{% endhighlight %}}",
            lambda: f'{{{{< highlight go "linenos=1" >}}}}\n{self.phrase()}\n{{{{< /highlight >}}}}',
            lambda: f"{{{{% notice tip %}}}}\n{self.line()}\n{{{{% /notice %}}}}",
            lambda: f'{{{{< figure src="n.png" title="{self.phrase()}" >}}}}',
            lambda: f"{self.line()}\n{{: .center}}", lambda: f"{self.line()} ^block1",
            lambda: f"{{% include x.html %}}\n{self.phrase()}", lambda: "[TOC]",
            lambda: f"[^n{self.count}]: {self.phrase()}", lambda: f"!!! note\n    {self.phrase()}",
            lambda: f"[{self.phrase()}][ref{self.count}]\n\n[ref{self.count}]: https://example.org",
            lambda: f"    {self.phrase()}\n    {self.phrase()}", lambda: "---",
            lambda: f"$$\n{self.word()}\n$$", lambda: f"```\n{self.phrase()}",
        )  # fmt: skip

    def heading(self) -> str:
        level = self.chance.randint(1, 6)
        if self.chance.random() < 0.2:
            return f"{self.phrase()}\n{self.chance.choice('=-') * 5}"
        return f"{'#' * level} {self.phrase()}"

    def text(self) -> str:
        makers = (self.line, self.line, self.heading, self.listed, self.quoted, self.fenced,
                  self.table, self.html, self.dialect)  # fmt: skip
        blocks = [self.pick(*makers) for _ in range(self.chance.randint(1, 9))]
        return "\n\n".join(blocks) + "\n"


class HtmlSample(Sample):
    """HTML with unclosed and badly nested elements."""

    def inline(self, depth: int = 0) -> str:
        if depth > 2:
            return self.phrase()
        tag = self.chance.choice("b i em code a span sub kbd u font small tt del q".split())
        return self.pick(
            self.phrase, self.phrase, lambda: f"<{tag}>{self.inline(depth + 1)}</{tag}>",
            lambda: f"<{tag}>{self.word()}", lambda: f"{self.word()}<br>{self.word()}",
            lambda: f"<a href='x y.html'>{self.phrase()}</a>", lambda: f"{self.word()} &lt;b&gt; *",
            lambda: f"<img src=a.png alt='{self.word()}'>", lambda: f"{self.word()}</i>",
            lambda: f"# {self.word()} _{self.word()}_ [x](y) `{self.word()}`",
        )  # fmt: skip

    def block(self, depth: int = 0) -> str:
        if depth > 3:
            return self.inline()
        inner = [self.block(depth + 1) for _ in range(self.chance.randint(1, 2))]
        joined = "\n".join(inner)
        tag = self.chance.choice(
            "div section blockquote ul ol li dl dd dt table p h2 h4 pre td article".split()
        )
        return self.chance.choice((joined, f"<{tag}>{joined}</{tag}>", f"<{tag}>{joined}"))

    def text(self) -> str:
        blocks = "\n".join(self.block() for _ in range(self.chance.randint(1, 5)))
        return f"<!doctype html>\n<body>\n{blocks}\n"


class WikiSample(Sample):
    """MediaWiki."""

    def inline(self) -> str:
        return self.pick(
            self.phrase, self.phrase, lambda: f"'''{self.phrase()}'''", lambda: f"''{self.phrase()}''",
            lambda: f"[[{self.word()}]]s", lambda: f"[[Page|{self.phrase()}]]",
            lambda: f"[https://example.org {self.phrase()}]", lambda: f"<code>{self.word()}</code>",
            lambda: f"<nowiki>''{self.word()}''</nowiki>", lambda: f"{{{{tl|{self.word()}}}}}",
            lambda: f"* {self.word()} # _{self.word()}_", lambda: f"<!-- {self.word(hidden=True)} -->",
        )  # fmt: skip

    def line(self) -> str:
        return " ".join(self.inline() for _ in range(self.chance.randint(1, 4)))

    def text(self) -> str:
        blocks = []
        for _ in range(self.chance.randint(1, 8)):
            blocks.append(self.pick(
                self.line, lambda: f"=={self.phrase()}==", lambda: f"* {self.line()}\n** {self.line()}",
                lambda: f"# {self.line()}\n#: {self.line()}", lambda: f"; {self.phrase()} : {self.line()}",
                lambda: f"{{|\n! {self.phrase()}\n|-\n| {self.line()} || {self.phrase()}\n|}}",
                lambda: f"<syntaxhighlight lang=c>\n{self.phrase()}\n</syntaxhighlight>",
                lambda: f" {self.phrase()}\n {self.phrase()}", lambda: f"[[File:x.png|thumb|{self.phrase()}]]",
                lambda: f"{{{{note|{self.phrase()}}}}}", lambda: f"<pre>\n{self.phrase()}\n</pre>",
            ))  # fmt: skip
        return "\n\n".join(blocks) + "\n"


class DokuSample(Sample):
    """DokuWiki."""

    def inline(self) -> str:
        return self.pick(
            self.phrase, self.phrase, lambda: f"**{self.phrase()}**", lambda: f"//{self.phrase()}//",
            lambda: f"''{self.phrase()}''", lambda: f"[[ns:page|{self.phrase()}]]",
            lambda: f"[[https://example.org|{self.phrase()}]]", lambda: f"__{self.word()}__",
            lambda: f"%%**{self.word()}**%%", lambda: f"{{{{a.png|{self.word()}}}}}",
            lambda: f"<sup>{self.word()}</sup>", lambda: f"{self.word()} * _{self.word()}_",
        )  # fmt: skip

    def line(self) -> str:
        return " ".join(self.inline() for _ in range(self.chance.randint(1, 4)))

    def text(self) -> str:
        blocks = []
        for _ in range(self.chance.randint(1, 8)):
            blocks.append(self.pick(
                self.line, lambda: f"===== {self.phrase()} =====", lambda: f"  * {self.line()}\n    - {self.line()}",
                lambda: f"^ {self.phrase()} ^ {self.phrase()} ^\n| {self.line()} | {self.phrase()} |",
                lambda: f"<code c>\n{self.phrase()}\n</code>", lambda: f"  {self.phrase()}\n  {self.phrase()}",
                lambda: f"> {self.line()}",
            ))  # fmt: skip
        return "\n\n".join(blocks) + "\n"


class RstSample(Sample):
    """reStructuredText of Sphinx and docutils."""

    def inline(self) -> str:
        return self.pick(
            self.phrase, self.phrase, lambda: f"**{self.phrase()}**", lambda: f"*{self.phrase()}*",
            lambda: f"``{self.phrase()}``", lambda: f"`{self.phrase()} <https://example.org/a>`_",
            lambda: f":math:`a_{{{self.word()}}}`", lambda: f":kbd:`{self.phrase()}`",
            lambda: f":doc:`{self.word()}`", lambda: f":ref:`{self.word()}`",
            lambda: f":c:func:`{self.word()}`", lambda: f"a < {self.word()} & b",
        )  # fmt: skip

    def line(self) -> str:
        return " ".join(self.inline() for _ in range(self.chance.randint(1, 4)))

    def heading(self) -> str:
        words = self.phrase()
        return f"{words}\n{self.chance.choice('=-~') * (2 * len(words))}"

    def text(self) -> str:
        blocks = []
        for _ in range(self.chance.randint(1, 8)):
            blocks.append(self.pick(
                self.line, self.heading, lambda: f"* {self.line()}\n\n  - {self.line()}",
                lambda: f"#. {self.line()}\n#. {self.line()}",
                lambda: f".. note:: {self.line()}\n\n   {self.line()}",
                lambda: f".. code-block:: c\n\n   {self.phrase()}\n     {self.phrase()}",
                lambda: f"{self.phrase()}\n   {self.line()}",
                lambda: f".. math::\n\n   a_{{{self.word()}}}", lambda: f"| {self.line()}\n| {self.line()}",
                lambda: f".. list-table::\n\n   * - {self.line()}\n     - {self.phrase()}",
                lambda: f".. figure:: x.png\n\n   {self.line()}",
            ))  # fmt: skip
        return "\n\n".join(blocks) + "\n"


class OrgSample(Sample):
    """Org."""

    def inline(self) -> str:
        return self.pick(
            self.phrase, self.phrase, lambda: f"*{self.phrase()}*", lambda: f"/{self.phrase()}/",
            lambda: f"={self.phrase()}=", lambda: f"~{self.phrase()}~", lambda: f"+{self.word()}+",
            lambda: f"[[https://example.org][{self.phrase()}]]", lambda: f"[[file:x.org][{self.phrase()}]]",
            lambda: f"\\(a_{{{self.word()}}}\\)", lambda: f"a < {self.word()} & b",
        )  # fmt: skip

    def line(self) -> str:
        return " ".join(self.inline() for _ in range(self.chance.randint(1, 4)))

    def text(self) -> str:
        blocks = []
        for _ in range(self.chance.randint(1, 8)):
            blocks.append(self.pick(
                self.line, lambda: f"* {self.phrase()}", lambda: f"** {self.phrase()}",
                lambda: f"- {self.line()}\n  - {self.line()}", lambda: f"1. {self.line()}\n2. {self.line()}",
                lambda: f"#+BEGIN_SRC c\n{self.phrase()}\n#+END_SRC",
                lambda: f"#+BEGIN_QUOTE\n{self.line()}\n#+END_QUOTE",
                lambda: f"#+BEGIN_NOTE\n{self.line()}\n#+END_NOTE",
                lambda: f"| {self.phrase()} | {self.phrase()} |\n|---+---|\n| {self.line()} | {self.word()} |",
                lambda: f": {self.phrase()}", lambda: f"- {self.phrase()} :: {self.line()}",
            ))  # fmt: skip
        return "\n\n".join(blocks) + "\n"


class NotebookSample(Sample):
    """A notebook of Jupyter."""

    def prose(self) -> str:
        return self.pick(
            self.phrase, lambda: f"## {self.phrase()}", lambda: f"- {self.phrase()}\n- *{self.phrase()}*",
            lambda: f"**{self.phrase()}** and `{self.phrase()}` in [{self.phrase()}](https://example.org)",
            lambda: f"| {self.phrase()} | {self.word()} |\n|---|---|\n| {self.word()} | {self.phrase()} |",
            lambda: f"<b>{self.phrase()}</b> and $a_{{{self.word()}}}$",
        )  # fmt: skip

    def text(self) -> str:
        cells: list[dict[str, object]] = []
        for _ in range(self.chance.randint(1, 6)):
            if self.chance.random() < 0.6:
                source = "\n\n".join(self.prose() for _ in range(self.chance.randint(1, 3)))
                cells.append({"cell_type": "markdown", "metadata": {}, "source": source})
                continue
            source = f"a = {self.phrase()}\nb = {self.phrase()}"
            printed = {"output_type": "stream", "name": "stdout", "text": f"{self.phrase()}\n"}
            cells.append({"cell_type": "code", "metadata": {}, "execution_count": 1,
                          "source": source, "outputs": [printed]})  # fmt: skip
        whole = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        return json.dumps(whole, indent=1, ensure_ascii=False)


class TextSample(Sample):
    """Plain text with every mark that has a meaning in Markdown."""

    def line(self) -> str:
        sign = self.chance.choice(
            ("", "", "# ", "- ", "* ", "1. ", "> ", "| ", "    ", "```", "![", "[[", "<b>", "$", "$$",
             "---", "===", "+++", "{%", "%%", "@", "\\", "~~~", ": ", "!!! ", "== ", "&lt;", "[^1]: ")
        )  # fmt: skip
        return f"{sign}{self.phrase()}{self.chance.choice(('', '', '*', '_', '`', '](x)', '>', '}}', '$'))}"

    def text(self) -> str:
        rows = [self.word()]
        for _ in range(self.chance.randint(1, 14)):
            rows.append(self.pick(self.line, lambda: ""))
        return "\n".join(rows) + "\n"


SAMPLES: dict[str, type[Sample]] = {
    "markdown": MarkdownSample, "html": HtmlSample, "mediawiki": WikiSample,
    "dokuwiki": DokuSample, "text": TextSample,
}  # fmt: skip
# Those that pandoc reads, in a process of its own for each text.
CONVERTED: dict[str, type[Sample]] = {
    "rst": RstSample,
    "org": OrgSample,
    "ipynb": NotebookSample,
}


def imported(
    text: str, format: str, library: Library, level: int = 0, file: str = "source.txt"
) -> list[Draft]:
    """Import one text as a folder with this single file; return its drafts."""
    assert format in formats()
    options = ImportOptions(topic=next(iter(library.topics)), format=format, split_at=level)
    text = clean(text)[0]
    found = from_text(file, text, options, "2026-01-31")
    days = {file: "2026-01-31"}
    made, _ = identity.name_drafts(found, Vocabulary(library), options, days)
    link_drafts(made, library, Assets(Path("/nowhere"), ()))
    return made


def everything(made: list[Draft]) -> str:
    """Return titles and texts of all drafts, in order."""
    return "\n".join(f"{d.title}\n{d.page.text}" for d in made)


def lost(sample: Sample, made: list[Draft]) -> list[str]:
    """Return visible words that are missing or out of order, and hidden words that are missing."""
    whole = set(words("\n".join(d.text() for d in made)))
    return [
        *missing(sample.visible, words(everything(made))),
        *(w for w in sample.hidden if w not in whole),
    ]


def errors(made: list[Draft], library: Library, *, staged: bool = False) -> list[Finding]:
    """Return the errors of ``check`` in the drafts if they were published as notes."""
    notes = dict(library.notes)
    findings: list[Finding] = []
    for draft in made:
        source = Source(f"notes/{draft.path}", draft.text())
        meta, start, found = frontmatter.read(source, "note", lenient=False)
        findings += found
        meta = replace(meta, draft=False)
        notes[draft.id] = Note(draft.id, draft.topic, draft.path, meta, read_body(source, start))
    site = Site(
        link(dataclasses.replace(library, notes=notes, findings=[])), Settings(name="Example")
    )
    findings += examine(site, stage_without_index(site).findings if staged else ())
    mine = {f"notes/{d.path}" for d in made}
    return [f for f in findings if f.severity is Severity.ERROR and f.path in mine]


def missing(wanted: Sequence[str], given: Iterable[str]) -> list[str]:
    """Return those words of ``wanted`` that ``given`` does not have in the same order."""
    places: dict[str, list[int]] = {}
    for i, word in enumerate(given):
        places.setdefault(word, []).append(i)
    for found in places.values():
        found.reverse()
    at = -1
    lost = []
    for word in wanted:
        rest = places.get(word, [])
        while rest and rest[-1] <= at:
            rest.pop()
        if rest:
            at = rest.pop()
        else:
            lost.append(word)
    return lost
