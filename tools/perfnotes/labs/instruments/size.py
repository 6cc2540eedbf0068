"""``size``: how large a program or library is.

Quantities of ``file``: ``text data bss total`` (B, as ``size`` counts: constants are part of text,
total is the sum of the three), ``file_bytes`` (B, the whole file, with symbols and debug
information), ``symbols`` and ``dynamic_symbols`` (counts of the symbols that the file defines and
of those that it exports). For an archive, the members are summed.
"""

from __future__ import annotations

from perfnotes.labs.box import Box, LabError
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import count, execute, file_of, quoted
from perfnotes.labs.instruments._schema import FILE, options
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples

OPTIONS = options("file", file=FILE)
_SECTIONS = ("text", "data", "bss", "total")


def needs(_run: Run) -> Needs:
    """The binutils."""
    return Needs(tools=("size", "nm"), debian=("binutils",))


def measure(run: Run, box: Box) -> Measurement:
    """Run ``size`` and ``nm`` on the file."""
    path = file_of(run, box)
    found = sections(execute(run, box, ["size", "-B", "-d", "--", path]).stdout)
    quantities = {name: Samples((found[name],), "B") for name in _SECTIONS}
    quantities["file_bytes"] = Samples(((box.path / path).stat().st_size,), "B")
    for name, options_of_nm in (("symbols", ()), ("dynamic_symbols", ("-D",))):
        listed = execute(run, box, ["nm", *options_of_nm, "--defined-only", "--", path]).stdout
        quantities[name] = count(symbols(listed))
    return Measurement(quantities)


def sections(text: str) -> dict[str, int]:
    """The sizes in bytes, summed over the lines that ``size -B -d`` printed.

    ``LabError`` if these lines are no such table.
    """
    head, *rows = [line.split() for line in text.splitlines() if line.strip()] or [[]]
    if head[:4] != ["text", "data", "bss", "dec"] or not rows:
        raise LabError(f"size printed {quoted(text)}, not a table of text, data, bss, dec")
    try:
        columns = list(zip(*([int(word) for word in row[:4]] for row in rows), strict=True))
    except ValueError as error:
        raise LabError(f"size printed {quoted(text)}: {error}") from error
    return {name: sum(column) for name, column in zip(_SECTIONS, columns, strict=True)}


def symbols(text: str) -> int:
    """The number of symbols that ``nm`` listed; names of archive members do not count."""
    return sum(1 for line in text.splitlines() if line and not line.endswith(":"))
