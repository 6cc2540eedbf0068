"""Fuzz the importers: ``python -m tests.fuzz.imports [SECONDS] [SEED]``, from the project's root.

Imports random notes of every format, half of them mangled. Prints each input that ends in a
traceback, takes long, loses words or makes a draft with errors of ``check``, and the seed that made
it. In mangled HTML only the words that an HTML parser sees must be kept.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
import traceback
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from perfnotes.contribute.imports import proof
from perfnotes.contribute.imports.decode import clean
from perfnotes.contribute.imports.errors import FormatError
from perfnotes.contribute.imports.options import ImportOptions
from perfnotes.contribute.imports.words import words
from perfnotes.model.library import Library
from tests.example_notes import read_site, write_notes
from tests.import_samples import CONVERTED, SAMPLES, errors, everything, imported, lost

_SIGNS = "`*_[](){}<>!#|\\\n\n \t-=+~@$%^&:;'\"/0a缓\u00a0\ufeff\u2028"
_PIECES = (
    "```", "~~~", "$$", "<!--", "-->", "[[", "]]", "{{<", ">}}", "{%", "%}", "<div>", "</div>",
    "<table>", "</table>", "<pre>", "\n---\n", "\n    ", "\n> ", "\n- ", "\n# ", "[^1]:", "![](",
    "<script>", "</script>", "''", "'''", "{|", "|}", "\n|-\n", "<ref>", "</ref>", "%%", "<!", "<?",
    "]: ", "<a href=", "<svg", "&#0;", "&lt;", "<kbd>", "<nowiki>", "((", "))", "<br", "\n===\n",
)  # fmt: skip
_SLOW = 10.0  # seconds for one short text
_TOKEN = re.compile(r"\d+q")
_IN_TAG = re.compile(
    r"<[^<>]*>?|\]\([^()]*\)?|\{[:.#{%<][^{}]*\}*|^[ \t]*\[[^\]]*\]:.*$|```.*$|~~~.*$", re.MULTILINE
)


def mangled(text: str, chance: random.Random) -> str:
    """Return the text with up to eight places cut, reversed, or mixed with marks."""
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(text) + 1)
        to = min(len(text), at + chance.randint(0, 12))
        kind = chance.randrange(5)
        if kind == 0:
            text = text[:at] + text[to:]
        elif kind == 1:
            text = text[:at] + chance.choice(_SIGNS) * chance.randint(1, 4) + text[at:]
        elif kind == 2:
            text = text[:at] + chance.choice(_PIECES) + text[at:]
        elif kind == 3:
            other = chance.randrange(len(text) + 1)
            text = text[:at] + text[other : other + chance.randint(0, 60)] + text[at:]
        else:
            text = text[:at] + text[at:to][::-1] + text[to:]
    return text


def trial(seed: int, library: Library) -> str:
    """Import the note that the seed makes; return what is wrong, or an empty string."""
    chance = random.Random(seed)
    every = {**SAMPLES, **CONVERTED}
    format = chance.choice(["markdown", "markdown", *every])
    sample = every[format](chance)
    text = sample.text()
    whole = chance.random() < 0.5
    if not whole:
        text = mangled(text, chance)
    level = chance.choice((0, 0, 1, 2, 3))
    begun = time.process_time()
    try:
        try:
            made = imported(text, format, library, level)
        except FormatError:  # pandoc refuses what is broken
            made = []
        if not made and not whole:
            return ""
        gone: list[str] = []
        if whole:
            gone = lost(sample, made)
        else:
            tree = LexborHTMLParser(text)
            tree.strip_tags(["script", "style", "template"])
            seen = tree.body if format == "html" else None
            words_seen = seen.text(separator=" ") if seen else _IN_TAG.sub(" ", text)
            outside = set(_TOKEN.findall(words_seen))
            # The command keeps lost lines in the front matter; so does this.
            proof.keep_all(made, {"source.txt": clean(text)[0]}, ImportOptions(format=format))
            guesses = " ".join(g.what for d in made for g in (*d.guesses, *d.page.guesses))
            kept = " ".join(words("\n".join(d.text() for d in made) + guesses))
            # An HTML parser may move a table away, which joins the words around it to one that the
            # source does not have: hence "t in text".
            gone = sorted(t for t in outside if t not in kept and t in text)
        found = errors(made, library, staged=seed % 5 == 0)
    except Exception:
        return f"{format} level {level}\n{traceback.format_exc()}\n{text!r}"
    spent = time.process_time() - begun
    if spent > _SLOW:
        return f"{format} level {level}: {spent:.1f} s\n{text!r}"
    if gone:
        return f"{format} level {level} whole {whole}: lost {gone}\n{text!r}\n{everything(made)!r}"
    if found:
        return f"{format} level {level}: {found[0]}\n{text!r}\n{everything(made)!r}"
    return ""


def main() -> int:
    """Import notes until the time is over; return 1 if one went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.imports", description=__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=60.0)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    options = parser.parse_args()
    seconds, seed = options.seconds, options.seed
    with tempfile.TemporaryDirectory() as folder:
        library = read_site(write_notes(Path(folder))).library
        end, bad, first = time.monotonic() + seconds, 0, seed
        while time.monotonic() < end and bad < 40:
            problem = trial(seed, library)
            if problem:
                bad += 1
                print(f"--- seed {seed}: {problem}", flush=True)
            seed += 1
        print(f"{seed - first} texts, {bad} problems")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
