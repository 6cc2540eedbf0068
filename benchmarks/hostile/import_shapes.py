"""CPU seconds that ``perfnotes import`` needs for one file, by its format, shape and size.

    python -m benchmarks.hostile.import_shapes                        all formats, 1 MB
    python -m benchmarks.hostile.import_shapes --formats mediawiki --sizes 64 256

A shape repeats one token in a line, or in lines of its own; in the notebook the token fills one
cell. A token is a mark of some format or the beginning of one that never ends, since a pattern that
looks for the end from each beginning takes quadratic time.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.hostile.shapes import _OTHER, Cost, cost, growth

from perfnotes.cli.main import main as perfnotes

# By name of the format. "all" is tried in each.
TOKENS = {
    "all": (
        "[ ![ ](a [[ [[a| ]] [a](b) [a][b] {{ {{{ }} {{a| {{< {{%a | || |a|b ! !! *a* **a ''a '''a "
        "`a ``` ~~~ $a $$ \\( \\[ <a <a> <!-- --> <b>x <script <script> <pre> <code> <math> &amp; "
        "& http://a www.a a@b <a@b 10.1000/a arxiv: # > - 1. : = == === ~~ %% (( )) // __ ^^ :: "
        "word, 缓存"
    ).split(),
    "markdown": (
        "[^a]: [^a]:b [a]:b {: {:.a} {.a} !!! ??? <aside> </aside> ==a ==a== - [[a|b]] ![[a]] "
        "{%highlight {%highlight|c%} {%raw%} {{<highlight {{<highlight|c>}} {{<a>}} {{%a%}} "
        "{{site.url {{'a'|relative_url}} {%post_url [TOC] --- +++ >[!a] a:b |-| %%a%%"
    ).split(),
    "mediawiki": (
        "{| |- |} {{a {{a|b=c}} <ref <ref> <ref|name=a/> <nowiki> <nowiki/> <source> "
        "<syntaxhighlight> <syntaxhighlight|lang=c> [[File:a [[File:a| [[File:a|thumb [[Category: "
        "<!--a--> <ref>a</ref> <source|lang=c>a</source> "
        "[[a]]b [//a '''''a ==a== __A__ #REDIRECT <gallery> {{{a}}} ;a:b *# :#"
    ).split(),
    "dokuwiki": (
        "<code|c>a</code> "
        "<code> <code|c> <file> <nowiki> %%a ((a ((a)) {{a {{a|b}} [[a|b]] //a **a ''a __a <sub> "
        "<sub>a</sub> \\\\ ^a^b ^ |a|b| [[wp> ~~NOTOC~~ ====a"
    ).split(),
    "html": (
        "<p> <div> <ul><li> <table><tr><td> <h1> <b> <i> </b> <a|href=b> <img|src=a> <pre><code> "
        "<blockquote> <span> <br> <hr> <q> <sup> <td> <tr> <li> <dl><dt> <style> <template> <svg> "
        "<![CDATA[ <? <!a <a|b=' <h1>a</h1> <p>a</p> <a|name=b></a>"
    ).split(),
    "text": "一、 第一章 1.1 a: a  |a + === --- * o ____ ~~~~ A.".split(),
    "rst": "..|a:: ..|code::|c ..|_a: :a:`b` `a`_ |a| *a ``a [a]_ :a:|b a_ __ ~~~~".split(),
    "org": "#+a: #+begin_src :a: [[a [[a][b]] [fn:a *a =a= ~a~ /a/ |a|b * - :properties:".split(),
    "ipynb": (),
}  # fmt: skip
# Each format and the ending of its files.
FORMATS = {
    "markdown": "md", "mediawiki": "wiki", "dokuwiki": "dokuwiki", "html": "html", "text": "text",
    "rst": "rst", "org": "org", "ipynb": "ipynb",
}  # fmt: skip


def every(name: str) -> Iterator[tuple[str, str]]:
    """Yield a name and a piece of text to repeat, for each shape of a format."""
    for token in (*TOKENS["all"], *TOKENS[name]):
        words = token if token in TOKENS["all"] else token.replace("|", " ")
        yield f"{words}: one line", words
        yield f"{words}: words", f"{words} a "
        yield f"{words}: lines", f"{words}\n"
        yield f"{words}: lines of a word", f"{words}a\n"
    for blank in (" ", "\t", "\u3000", "\n", " \n", "a \n", "  a\n", "a\n\n"):
        yield f"{blank!r}: repeated", blank


def text_of(name: str, piece: str, size: int) -> str:
    """Return a file of about ``size`` bytes."""
    text = piece * (size // len(piece.encode()))
    if name != "ipynb":
        return text
    cell = {"cell_type": "markdown", "metadata": {}, "source": [text]}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def measured(name: str, piece: str, size: int, limit: float) -> Cost:
    """Return the cost of importing one file, without writing the draft."""
    with tempfile.TemporaryDirectory(prefix="perfnotes-shapes-") as folder:
        root = Path(folder) / "project"
        return cost(_command(root, name, text_of(name, piece, size)), root, limit, root)


def _command(root: Path, name: str, text: str) -> list[str]:
    """Make a project with a file to import, and return the command that imports it."""
    (root / "notes" / "a").mkdir(parents=True)
    (root / "mkdocs.yml").write_text("site_name: A\n")
    for file, content in _OTHER.items():
        (root / "notes" / file).write_text(content, "utf-8")
    source = root / f"shape.{FORMATS[name]}"
    source.write_text(text, "utf-8", newline="\n")
    return ["import", str(source), "--from", name, "--topic", "a", "--dry-run"]


def warm_up() -> None:
    """Import a small file, so that the forks find all modules imported."""
    with tempfile.TemporaryDirectory(prefix="perfnotes-shapes-") as folder:
        root = Path(folder)
        given = _command(root, "markdown", "a [b](c)\n\n```c\nd\n```\n")
        quiet = io.StringIO()
        with contextlib.chdir(root), contextlib.redirect_stdout(quiet):
            perfnotes(given)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the chosen shapes and print a row for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--formats", nargs="+", default=list(FORMATS), choices=list(FORMATS))
    parser.add_argument(
        "--only", default="", metavar="PATTERN", help="only shapes whose names match"
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000], metavar="KIB")
    parser.add_argument("--limit", type=float, default=20.0, metavar="CPU_SECONDS")
    parser.add_argument("--above", type=float, default=0.0, help="print only what takes longer")
    options = parser.parse_args(arguments)
    count, worst = 0, 0.0
    warm_up()
    for name in options.formats:
        start = measured(name, "a\n", 64, options.limit).seconds
        for shape, piece in every(name):
            if not re.search(options.only, shape):
                continue
            found: list[Cost] = []
            for size in options.sizes:
                found.append(measured(name, piece, size * 1024, options.limit))
                if found[-1].end == "limit":
                    break
            seconds = [each.seconds for each in found]
            count, worst = count + 1, max(worst, *seconds)
            good = found[-1].end in ("0", "1")
            if good and seconds[-1] < options.above:
                continue
            row = " ".join(f"{each:7.2f}" for each in seconds)
            more = len(seconds) > 1
            grown = f" growth {growth(options.sizes, seconds, start):4.2f}" if more else ""
            end = "" if good else f" END {found[-1].end}"
            print(f"{name:10} {shape:40} {row}{grown}{end}", flush=True)
    print(f"{count} shapes; most CPU seconds of one import: {worst:.2f}")


if __name__ == "__main__":
    main()
