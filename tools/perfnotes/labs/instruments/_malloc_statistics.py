"""Statistics that allocators print when a program ends: bytes in use, bytes from the system."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from perfnotes.labs.box import LabError
from perfnotes.labs.instruments._call import quoted

# The environment that makes each allocator print its statistics on standard error. jemalloc's
# options leave out everything but the totals. glibc has no such variable: see SHIM.
ENVIRONMENT: Mapping[str, Mapping[str, str]] = {
    "glibc": {},
    "tcmalloc": {"MALLOCSTATS": "1"},
    "jemalloc": {"MALLOC_CONF": "stats_print:true,stats_print_opts:Jgmdablxhe"},
    "mimalloc": {"MIMALLOC_SHOW_STATS": "1"},
}
# The source of a library to preload: it prints the statistics of glibc when the program ends.
SHIM = r"""
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>
__attribute__((destructor)) static void tell(void) {
#if __GLIBC_PREREQ(2, 33)
    struct mallinfo2 m = mallinfo2();
#else
    struct mallinfo m = mallinfo();
#endif
    char line[200];
    int n = snprintf(line, sizeof line, "\nperfnotes: glibc in_use %zu from_system %zu\n",
                     (size_t)m.uordblks + (size_t)m.hblkhd, (size_t)m.arena + (size_t)m.hblkhd);
    if (write(2, line, (size_t)n) != n) _exit(1);
}
"""
_GLIBC = re.compile(r"^perfnotes: glibc in_use (\d{1,18}) from_system (\d{1,18})$", re.MULTILINE)
_TCMALLOC = r"^MALLOC:\s+[=+]?\s*(\d{1,18}) \([^)\n]*\) %s"
_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,15})?)(?:\s?([KMGT]i?B?|B|[kmg]?b)\b)?")
_POWER = {"": 0, "B": 0, "b": 0, "K": 1, "M": 2, "G": 3, "T": 4}


def read(allocator: str, stderr: str) -> dict[str, int]:
    """``in_use`` and ``from_system`` in bytes; mimalloc prints only the second.

    ``LabError`` if the program's standard error has no statistics, or those of several processes.
    """
    found = _READ[allocator](stderr)
    if not found:
        raise LabError(
            f"{allocator} printed no statistics when the program ended (the program must return"
            f" from main or call exit); standard error has {quoted(stderr)}"
        )
    if len(found) > 1:
        raise LabError(f"{len(found)} processes printed {allocator}'s statistics: only one may")
    return found[0]


def _glibc(text: str) -> list[dict[str, int]]:
    return [{"in_use": int(m[1]), "from_system": int(m[2])} for m in _GLIBC.finditer(text)]


def _tcmalloc(text: str) -> list[dict[str, int]]:
    used, system = (
        re.findall(_TCMALLOC % words, text, re.MULTILINE)
        for words in ("Bytes in use by application", "Actual memory used")
    )
    if len(used) != len(system):
        return []
    pairs = zip(used, system, strict=True)
    return [{"in_use": int(a), "from_system": int(b)} for a, b in pairs]


def _jemalloc(text: str) -> list[dict[str, int]]:
    found = []
    for match in re.finditer(r'\{\s*"jemalloc"', text):
        try:
            stats = json.JSONDecoder().raw_decode(text, match.start())[0]["jemalloc"]["stats"]
            found.append({"in_use": int(stats["allocated"]), "from_system": int(stats["mapped"])})
        except (ValueError, KeyError, TypeError):
            continue
    return found


def _mimalloc(text: str) -> list[dict[str, int]]:
    """mimalloc prints a table of rounded sizes whose columns differ between versions."""
    found, column = [], -1
    for line in text.splitlines():
        title, _, rest = line.partition(":")
        if title == "heap stats":
            names = rest.split()
            column = names.index("current") if "current" in names else -1
        elif title.strip() == "committed" and column >= 0:
            sizes = _SIZE.findall(rest)
            if len(sizes) > column:
                number, unit = sizes[column]
                power = _POWER[unit[:1].upper() if len(unit) > 1 or unit.isupper() else unit]
                found.append({"from_system": round(float(number) * 1024**power)})
    return found


_READ = {"glibc": _glibc, "tcmalloc": _tcmalloc, "jemalloc": _jemalloc, "mimalloc": _mimalloc}
