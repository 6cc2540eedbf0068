"""Regular expressions of perfnotes that take more than linear time for some text.

    python -m benchmarks.hostile.patterns                     all of them; some ten minutes
    python -m benchmarks.hostile.patterns 'text|source'       those of modules with matching names

Every expression that a module keeps under a name is used as its module uses it (``match``,
``fullmatch``, or over the whole text) on one piece repeated, at two sizes. It is printed if four
times the text takes more than nine times the CPU time, or if the smaller size takes too long. Not
all that is printed is a fault: some expressions only ever see a word.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import pkgutil
import re
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType, ModuleType

from benchmarks.hostile._forms import TOKENS

import perfnotes

PIECES = (
    *dict.fromkeys(TOKENS.values()),
    "\n", " \n", "\n ", "a ", "1 ", "1,", "1.", "a-", "--", "a_", "# ", "<a", "</a", "[a](", "[@",
    "@a", "{: ", "a@", "a@b.", "10.1/", "一", "、", "0x", "%", "/", ";", "- a\n", "a=", 'a="b" ',
)  # fmt: skip
_BEFORE, _AFTER = ("a", ""), "\x00"
_SIZE, _LARGER = 1200, 4800  # characters
_WORTH = 0.0015  # CPU seconds for the smaller size; less is not looked at
_LIMIT = 0.5
_USES = re.compile(r"\.(match|fullmatch|search|finditer|findall|sub|subn|split)\(")


class SlowError(Exception):
    """An expression took longer than the limit."""


@dataclass(frozen=True)
class Named:
    """An expression, the module that keeps it, its name there, and how the module uses it."""

    module: str
    name: str
    pattern: re.Pattern[str]
    uses: tuple[str, ...]


def expressions() -> Iterator[Named]:
    """Yield each expression once."""
    seen: set[tuple[str, int]] = set()
    for found in pkgutil.walk_packages(perfnotes.__path__, "perfnotes."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            if not isinstance(value, re.Pattern) or not isinstance(value.pattern, str):
                continue
            if (value.pattern, value.flags) not in seen:
                seen.add((value.pattern, value.flags))
                yield Named(found.name, name, value, _uses(module, name))


def _uses(module: ModuleType, name: str) -> tuple[str, ...]:
    """Return ``match`` and ``fullmatch`` if the module uses them, and ``all`` for any other."""
    found = re.findall(re.escape(name) + _USES.pattern, inspect.getsource(module))
    return tuple(sorted({use if "match" in use else "all" for use in found})) or ("all",)


def seconds(named: Named, text: str) -> float:
    """Return the CPU seconds of all uses of an expression on a text, or raise ``SlowError``."""
    signal.setitimer(signal.ITIMER_VIRTUAL, _LIMIT)
    begun = time.process_time()
    try:
        for use in named.uses:
            if use == "all":
                for _ in named.pattern.finditer(text):
                    pass
            else:
                method: Callable[[str], object] = getattr(named.pattern, use)
                method(text)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - begun


def worst(named: Named) -> str:
    """Return the first text for which an expression is slow, in words, or ""."""
    for piece in PIECES:
        for before in _BEFORE:
            texts = (before + piece * (size // len(piece)) + _AFTER for size in (_SIZE, _LARGER))
            where = f"{before!r} and {piece!r} repeated"
            try:
                small = seconds(named, next(texts))
            except SlowError:
                return f"{where}: more than {_LIMIT} s for {_SIZE:,} characters"
            if small < _WORTH:
                continue
            try:
                large = seconds(named, next(texts))
            except SlowError:
                large = _LIMIT
            if large > 9 * small:
                return f"{where}: {small:.4f} s, {large:.4f} s"
    return ""


def _stop(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise SlowError


def main() -> None:
    """Print the expressions that are slow for some text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("only", nargs="?", default="", metavar="PATTERN", help="names of modules")
    options = parser.parse_args()
    signal.signal(signal.SIGVTALRM, _stop)
    tried = 0
    for named in expressions():
        if re.search(options.only, named.module):
            tried += 1
            if found := worst(named):
                print(f"{named.module}.{named.name} ({', '.join(named.uses)}): {found}", flush=True)
    print(f"{tried} expressions")


if __name__ == "__main__":
    main()
