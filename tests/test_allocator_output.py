"""What is read from allocators' statistics; names, patterns and hostile output."""

from __future__ import annotations

import time

import pytest

from perfnotes.labs.box import LabError
from perfnotes.labs.instruments import (
    _disassembly,
    _malloc_statistics,
    _mca_report,
    _perf,
    _preload,
    _printed,
    _ptxas_log,
    _strace_log,
)
from perfnotes.labs.instruments._names import find, nearest
from perfnotes.labs.instruments._pattern import compiled

# Recorded of jemalloc 5.3.0, gperftools 2.10 and mimalloc 2.0.9; the last is another order of its
# columns, written for this test.
JEMALLOC = (
    'before {"jemalloc":{"stats":{"allocated":860160,"active":872448,"metadata":2755440,'
    '"resident":3538944,"mapped":7163904,"retained":1224704}}}after\n'
)
TCMALLOC = """\
------------------------------------------------
MALLOC:         734232 (    0.7 MiB) Bytes in use by application
MALLOC: +       278528 (    0.3 MiB) Bytes in page heap freelist
MALLOC:   ------------
MALLOC: =      3538944 (    3.4 MiB) Actual memory used (physical + swap)
MALLOC: +            0 (    0.0 MiB) Bytes released to OS (aka unmapped)
"""
MIMALLOC = """\
heap stats:    peak      total      freed    current       unit      count
  reserved:   32.0 MiB   32.0 MiB      0       64.5 MiB
 committed:   32.0 MiB   32.0 MiB      0       32.5 MiB
     reset:      0          0          0          0                            ok
"""
MIMALLOC_NEW = """\
heap stats:     peak       total     current       block      total#
  reserved:    1.0 GiB     1.0 GiB     1.0 GiB
 committed:    4.2 MiB     4.2 MiB   512.0 KiB
"""


def test_allocators_statistics() -> None:
    read = _malloc_statistics.read
    assert read("jemalloc", JEMALLOC) == {"in_use": 860160, "from_system": 7163904}
    assert read("tcmalloc", TCMALLOC) == {"in_use": 734232, "from_system": 3538944}
    assert read("mimalloc", MIMALLOC) == {"from_system": int(32.5 * 2**20)}
    assert read("mimalloc", MIMALLOC_NEW) == {"from_system": 512 * 2**10}
    glibc = "x\nperfnotes: glibc in_use 81616 from_system 135168\n"
    assert read("glibc", glibc) == {"in_use": 81616, "from_system": 135168}
    for allocator in ("glibc", "tcmalloc", "jemalloc", "mimalloc"):
        with pytest.raises(LabError, match=f"{allocator} printed no statistics.*has `said`"):
            read(allocator, "said")
    with pytest.raises(LabError, match="2 processes printed jemalloc's statistics"):
        read("jemalloc", JEMALLOC * 2)


LDCONFIG = """\
4 libs found in cache `/etc/ld.so.cache'
\tlibtcmalloc_minimal.so.4 (libc6) => /lib/i386-linux-gnu/libtcmalloc_minimal.so.4
\tlibtcmalloc_minimal.so.4 (libc6,x86-64) => /lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4
\tlibtcmalloc_minimal.so (libc6,x86-64) => /lib/x86_64-linux-gnu/libtcmalloc_minimal.so
\tlibtcmalloc_minimal_debug.so.4 (libc6,x86-64) => /lib/x86_64-linux-gnu/libtcmalloc_minimal_d
\tlibtcmalloc.so.4 (libc6,x86-64, OS ABI: Linux 3.2.0) => /lib/x86_64-linux-gnu/libtcmalloc.so.4
"""


def test_libraries() -> None:
    listed = _preload.in_cache(LDCONFIG, "x86_64")
    assert len(listed) == 4
    patterns = _preload.LIBRARIES["tcmalloc"]
    assert _preload.choose(patterns, listed) == "/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4"
    assert _preload.choose(patterns, listed[3:]) == "/lib/x86_64-linux-gnu/libtcmalloc.so.4"
    assert _preload.choose(_preload.LIBRARIES["jemalloc"], listed) is None
    assert len(_preload.in_cache(LDCONFIG, "riscv64")) == 5


def test_names() -> None:
    keys = [("/a/x.c", "sum"), ("/b/x.c", "sum"), ("/b/y.c", "sum.constprop.0"), ("", "n::f(int)")]
    assert find("sum", keys, "tool") == keys[:2]
    assert find("b/x.c:sum", keys, "tool") == keys[1:2]
    assert find("n::f", keys, "tool") == keys[3:]
    assert nearest("sum", ["sum.constprop.0", "main"]) == ["sum.constprop.0"]
    with pytest.raises(LabError, match=r"The nearest: sum\.constprop\.0, sum\."):
        find("y.c:sum", keys, "tool")


@pytest.mark.parametrize(
    "pattern",
    ["^call", "[yz]mm", r"%[re]?bx\b", "mul[sp][sd]", "(add|sub)q? ", "a.*b", r"\(\+", "[(*]+"],
)
def test_patterns_that_are_fine(pattern: str) -> None:
    compiled(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+b",
        "(a|a)*b",
        "(a*)*",
        "((ab)?c)+d",
        "(?:x+)*y",
        r"(a)\1",
        "(?P<q>a)(?P=q)",
        "a*b*c*d*",
    ],
)
def test_patterns_that_could_take_forever(pattern: str) -> None:
    with pytest.raises(LabError, match="could take forever"):
        compiled(pattern)


@pytest.mark.parametrize("pattern", ["(", "*a", "a{2,1}", "[", "x" * 201])
def test_patterns_that_are_wrong(pattern: str) -> None:
    with pytest.raises(LabError, match=r"no regular expression|a pattern of 201"):
        compiled(pattern)


@pytest.mark.parametrize("text", ["a" * 300_000, "\t" + "0" * 20_000, "0:\t" + "ab" * 100_000])
def test_hostile_output_is_read_in_time(text: str) -> None:
    begun = time.process_time()
    _disassembly.functions(text)
    _disassembly.instructions(text)
    _strace_log.read(text)
    _perf.read(text)
    _ptxas_log.read(text)
    _mca_report.read(text)
    for allocator in ("glibc", "tcmalloc", "jemalloc", "mimalloc"):
        with pytest.raises(LabError, match="printed no statistics"):
            _malloc_statistics.read(allocator, text)
    with pytest.raises(LabError, match="must end its output"):
        _printed.quantities(text)
    assert time.process_time() - begun < 5
