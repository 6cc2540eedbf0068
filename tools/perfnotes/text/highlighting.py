"""Limits on the code that a page highlights, so that Pygments finishes every page in time.

In most languages some texts take a lexer quadratic time: a long line of letters as a Makefile, or
many beginnings of comments that never end as C. ``HighlightBudget`` adds up the worst time that was
measured for code of such lines and such a length in its language. Code that would exceed what a
page may take is shown as plain text. The limit counts characters, not seconds, so a page is the
same on every machine. People do not reach it: a page may highlight a hundred blocks of fifty lines.
"""

from __future__ import annotations

import re
from functools import cache

from perfnotes.text.tokens import MarkdownDocument, TextEdit

# The highlighted code of one page may take so many seconds.
_SECONDS = 2.5
# A lexer's seconds per squared character of a run and of a block, as benchmarks.hostile.lexers
# measures them. A run is a line with the lines below it that hold only words and blanks: many
# patterns look that far.
_PER_RUN = 1e-7
_PER_BLOCK = 2e-9
# At most so many seconds per squared character of a block in languages that are not listed below.
_PER_BLOCK_AT_MOST = 2e-8
RUN_END = re.compile(r"\n(?=[^\n]*[(){};,=\"'#@:])")
# Lexers, by the names that Pygments gives them, that take no more than _PER_BLOCK.
QUICK = frozenset(
    "Ada|Awk|Bash|Batchfile|BibTeX|C|C#|C++|CMake|CSS|CUDA|Clojure|Common Lisp|D|Dart|Diff|Docker"
    "|Elixir|Erlang|F#|Fortran|GLSL|Gnuplot|Go|Groovy|HLSL|HTML|HTTP|Haskell|INI|JSON|Java"
    "|JavaScript|Kotlin|LLVM|Lua|Makefile|Matlab|NASM|Nginx configuration file|NumPy|OCaml"
    "|Octave|PHP|Perl|Protocol Buffer|Python|Python console session|Python Traceback|S"
    "|Ruby|Rust|SQL|Scala|Scheme|Slurm|Swift|TOML|Tcl|TeX|TypeScript|VimL|XML|YAML|Zig"
    "|Bash Session|Systemd|verilog|vhdl".split("|")
)
_PLAIN = frozenset({"Text only", "Text output"})


class HighlightBudget:
    """The time that the blocks of one page may still take to highlight."""

    def __init__(self) -> None:
        self._left = _SECONDS

    def allows(self, language: str, code: str) -> bool:
        """Return whether a block may be highlighted; if so, take its time off the budget."""
        runs = sum(len(run) ** 2 for run in RUN_END.split(code)) * _PER_RUN
        seconds = runs + len(code) ** 2 * _PER_BLOCK_AT_MOST
        if seconds > self._left / 20:  # a smaller block is not worth reading the lexers' names
            lexer = lexers().get(language.lower(), "Text only")  # which shows unknown languages
            if lexer in _PLAIN:
                return True
            if lexer in QUICK:
                seconds = runs + len(code) ** 2 * _PER_BLOCK
        if seconds > self._left:
            return False
        self._left -= seconds
        return True

    def language(self, language: str, code: str) -> str:
        """Return the language in which to show a block: its own, or ``text``."""
        return language if self.allows(language, code) else "text"


def limit_highlighting(document: MarkdownDocument) -> None:
    """Turn the fences that take too long into plain text, and list them in the document."""
    budget, text = HighlightBudget(), document.text
    edits = document.blocks.edits
    for fence in document.blocks.fences:
        code = text[fence.info_end : fence.end]
        if fence.language and not budget.allows(fence.language, code):
            document.not_highlighted.append(fence)
    places = {(fence.info_start, fence.info_end) for fence in document.not_highlighted}
    if places:
        edits[:] = [edit for edit in edits if (edit.start, edit.end) not in places]
        document.edits += [TextEdit(start, end, "text") for start, end in sorted(places)]


@cache
def lexers() -> dict[str, str]:
    """Return the names of Pygments' lexers by their aliases in lower case.

    Pygments has them in one list. No lexer is imported.
    """
    from pygments.lexers import get_all_lexers  # noqa: PLC0415  (slow, and seldom needed)

    return {
        alias.lower(): name
        for name, aliases, _, _ in get_all_lexers(plugins=False)
        for alias in aliases
    }
