"""PN514: a fence in a language that the highlighter does not know."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.highlighting import lexers
from perfnotes.text.nearest import Guesses

RULE = Rule(
    code="PN514",
    severity=Severity.ERROR,
    title="A code fence in an unknown language",
    why=(
        "The word after the three backticks is a name that Pygments gives a language, such as `c`, "
        "`bash` or `python`. For any other word the page shows the code without colours. Write "
        "`text` if Pygments has no name for the language."
    ),
    wrong={"caches/rows.md": "To list them:\n\n```bsh\nlscpu --caches\n```\n"},
    right={"caches/rows.md": "To list them:\n\n```bash\nlscpu --caches\n```\n"},
)
# The languages of most fences. The names that Pygments knows are loaded only for a word that is
# not among these. A misspelt word is compared with these first.
COMMON = frozenset(
    "asm awk bash bibtex c cmake console cpp css cuda cython diff docker fortran gas go haskell"
    " html ini java javascript json julia kotlin latex llvm lua make makefile markdown nasm nginx"
    " output perl powershell ptx pycon python pytb r ruby rust scala sh shell sql swift systemd"
    " tcl text toml typescript verilog vim xml yaml zig".split()
)
# A first word before "=" is an option, not a language. Only these options may stand without a
# language, because the page shows something else in place of the block.
_STANDS_FOR = ("calc", "explore")

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Fences whose first word is no language that Pygments knows."""
    del site
    body = links.text.body
    guesses = Guesses()
    for fence in body.document.blocks.fences:
        word = fence.language.lower()
        if not word or word in COMMON or word in lexers():
            continue
        at = body.document.text.index(fence.language, fence.info_start)
        if not body.document.text.startswith("=", at + len(fence.language)):
            guess = guesses.nearest(word, COMMON, cutoff=0.7)
            guess = guess or guesses.nearest(word, lexers())
            message = f"Pygments knows no language {fence.language!r}: the code gets no colours"
            hint = f"did you mean {guess}?" if guess else "write text if it has no name for it"
        elif word in _STANDS_FOR:
            continue
        else:
            message = f"the option {fence.language}= stands where the language belongs"
            hint = f"write the language first, as in: text {fence.language}=…"
        yield body.source.finding(at, RULE.code, message, hint)
