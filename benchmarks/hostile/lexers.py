"""How long Pygments' lexers take for repeated text, as multiples of the square of its length.

    python -m benchmarks.hostile.lexers                        all lexers that perfnotes lists
    python -m benchmarks.hostile.lexers --languages c python   these
    python -m benchmarks.hostile.lexers --all                  all that Pygments has

``perfnotes.text.highlighting`` limits how much code a page highlights by two numbers, which this
program measures: seconds per square of the length of a run (a line with the lines of mere words
below it), and of a block of short lines. A token is repeated in one line of 2 KB, or in lines of
its own in 8 KB. Tokens whose lines form one run are not tried in the longer block. Each lexer is
tried in a fork of its own, which is killed if one text takes longer than ``--limit``.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections.abc import Iterator, Sequence

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class, get_all_lexers, get_lexer_by_name

from perfnotes.build.highlight import quick
from perfnotes.text.highlighting import QUICK, RUN_END

_TOKENS = (
    *"a A 1 _ . , ; : = + - * / \\ | & ~ ! ? $ @ % ^ # ( ) [ ] { } < > ' \" `".split(),
    *"/* // (* {- -- <!-- #{ #| $( ${ %{ {{ {% [[ <% <? <a </a> r# q{ <<".split(),
    *"''' \"\"\" '\\ \"\\ () [] {} a= a: a. a( a< a, a; a:: a@b: 0x 1e 1. sh é 缓".split(),
    " ", "\t", "a ", "(a ", "<a b='", "a -> ", "begin ", "if ", "def ", "class ", "function ",
    "struct ", "var a ", "$ a\n", "<<a\n", "=begin\n", "a\n", " \n", "\\\n", "a b\n",
)  # fmt: skip
_LINE, _BLOCK = 2048, 8192


def texts() -> Iterator[tuple[str, str, str]]:
    """Yield "run" or "block", the token and the text of each shape."""
    for token in _TOKENS:
        yield "run", token, token * (_LINE // len(token))
        lines = f"{token}\n" * (_BLOCK // (len(token) + 1))
        if len(RUN_END.split(lines)) > 2:
            yield "block", token, lines


def worst(kind: type[Lexer], limit: float) -> dict[str, tuple[float, str]]:
    """Return by "run" and "block" the largest number of seconds per square, and its token."""
    found = {"run": (0.0, ""), "block": (0.0, "")}
    for what, token, text in texts():
        seconds = _seconds(kind, text, limit)
        found[what] = max(found[what], (seconds / len(text) ** 2, token))
    return found


def _seconds(kind: type[Lexer], text: str, limit: float) -> float:
    """Return the CPU seconds that a lexer takes, or the limit plus a second if it is killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 1))
            begun = time.process_time()
            for _ in kind().get_tokens(text):
                pass
            os.write(writing, f"{time.process_time() - begun:.4f}".encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        said = answer.read()
    os.waitpid(child, 0)
    return float(said) if said else limit + 1


def chosen(languages: Sequence[str], everything: bool) -> Iterator[tuple[str, type[Lexer]]]:
    """Yield name and class of the lexers to measure."""
    for language in languages:
        lexer = get_lexer_by_name(language)
        yield lexer.name, type(lexer)
    for name, aliases, _, _ in () if languages else sorted(get_all_lexers(plugins=False)):
        lexer_class = find_lexer_class(name)
        if aliases and lexer_class and (everything or name in QUICK):
            yield name, lexer_class


def main() -> None:
    """Measure the chosen lexers and print a row for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--languages", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--all", action="store_true", help="every lexer that Pygments has")
    parser.add_argument("--limit", type=float, default=2.0, metavar="CPU_SECONDS")
    options = parser.parse_args()
    print(f"{'seconds per square of the length':32} {'run':>8}          {'block':>8}")
    for name, kind in chosen(options.languages, options.all):
        found = worst(quick(kind), options.limit)
        (run, of_run), (block, of_block) = found["run"], found["block"]
        print(f"{name:32} {run:8.1e} {of_run!r:9}{block:8.1e} {of_block!r}", flush=True)


if __name__ == "__main__":
    main()
