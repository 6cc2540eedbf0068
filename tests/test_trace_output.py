"""What is read from the output of strace, and from JSON that a program prints."""

from __future__ import annotations

import pytest

from perfnotes.labs.box import CannotRunError, LabError
from perfnotes.labs.instruments import (
    _printed,
    _strace_log,
    strace,
)

# Recorded of strace 6.1 with -f -o; the first lines as older versions write them.
STRACE = """\
28670 openat(AT_FDCWD, "/lib/libc.so.6", O_RDONLY <unfinished ...>
28671 getppid( <unfinished ...>
28670 <... openat resumed> )              = 3
28671 <... getppid resumed> )             = 28670
28684 clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD, child_tidptr=0x7f2a) = 28685
28685 openat(AT_FDCWD, "/nonexistent) = 3\\n/q", O_RDONLY) = -1 ENOENT (No such file or directory)
28685 +++ exited with 0 +++
28684 --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=28685, si_uid=0} ---
28684 wait4(-1, 0x7ffd, 0, NULL)        = ? ERESTARTSYS (To be restarted if SA_RESTART is set)
28684 write(-1, "perfnotes:begin", 15 <unfinished ...>
28690 getppid()                         = 28681
28684 <... write resumed>)              = -1 EBADF (Bad file descriptor)
28684 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f2a3781d000
28684 lseek(3, -1, SEEK_CUR)            = -1 EINVAL (Invalid argument)
28684 poll([{fd=3, events=POLLIN}], 1, 0) = 1 ([{fd=3, revents=POLLIN}])
28684 vfork( <unfinished ...>
28686 write(1, "perfnotes:end", 13)     = 13
28684 <... vfork resumed>)              = 28686
28684 write(-1, "perfnotes:end", 13)    = -1 EBADF (Bad file descriptor)
28684 getppid()                         = 28681
28684 exit_group(0)                     = ?
28684 +++ exited with 0 +++
"""


def test_strace_counts() -> None:
    calls = _strace_log.read(STRACE)
    assert calls.done["openat"] == 1
    assert calls.failed["openat"] == 1
    assert calls.done["getppid"] == 3
    assert calls.done["clone"] + calls.done["vfork"] == 2
    assert calls.done["wait4"] + calls.failed["wait4"] == 0
    assert calls.done["exit_group"] == 1


def test_strace_counts_between_marks() -> None:
    calls = _strace_log.read(STRACE, marks=True)
    assert calls.done == {"getppid": 1, "mmap": 1, "poll": 1, "vfork": 1, "write": 1}
    assert calls.failed == {"lseek": 1}


def test_strace_marks_that_are_wrong() -> None:
    begin = 'write(-1, "perfnotes:begin", 15) = -1 EBADF (Bad file descriptor)\n'
    end = 'write(-1, "perfnotes:end", 13) = -1 EBADF (Bad file descriptor)\n'
    with pytest.raises(LabError, match="never marked perfnotes:begin"):
        _strace_log.read("getppid() = 1\n", marks=True)
    with pytest.raises(LabError, match="never marked perfnotes:end"):
        _strace_log.read(begin, marks=True)
    with pytest.raises(LabError, match=r"twice in a row \(line 2"):
        _strace_log.read(begin + begin, marks=True)
    with pytest.raises(LabError, match="perfnotes:end without perfnotes:begin before it"):
        _strace_log.read(end, marks=True)
    twice = begin + "brk(0) = 0x5\n" + end + "brk(0) = 0x5\n" + begin + "brk(0) = 0x5\n" + end
    assert _strace_log.read(twice, marks=True).done == {"brk": 2}


def test_strace_refusals() -> None:
    assert isinstance(
        strace.tracing_error("strace: ptrace(PTRACE_SEIZE, 9): Operation not"), Exception
    )
    assert strace.tracing_error("") is None
    other = strace.tracing_error("strace: cannot open x")
    assert isinstance(other, CannotRunError)
    assert "this one printed `strace: cannot open x`" in str(other)


@pytest.mark.parametrize(
    ("stdout", "message"),
    [
        ("", r"ends? .*one JSON object .*it printed nothing"),
        ("12 ms\n", "it printed `12 ms`"),
        ("x {}", "on a line of its own"),
        ("{}", "without quantities"),
        ('{"a": 1} tail', "it printed `.*tail`"),
        ('{"a": }', "Expecting value"),
        ('{"a": 1, "a": 2}', "printed 'a' twice"),
        ('{"a": []}', "no samples of 'a'"),
        ('{"a": true}', "printed true for 'a'"),
        ('{"a": "1"}', "not a number or list of numbers"),
        ('{"a": [1, null]}', "printed null for 'a'"),
        ('{"a": NaN}', "'a' that is not finite"),
        ('{"a": [1e999]}', "'a' that is not finite"),
        ('{"a": 1%s}' % ("0" * 400), "'a' that is not finite"),
        ('{"a-b": 1}', "'a-b', which is no name"),
        ('{"a": {"b": 1}}', "not a number or list of numbers"),
        ("{" * 20000 + "}", "must end its output"),
    ],
)
def test_json_that_is_wrong(stdout: str, message: str) -> None:
    with pytest.raises(LabError, match=message):
        _printed.quantities(stdout)


def test_json_that_is_right() -> None:
    found = _printed.quantities(
        'note {\n{"x": 1}\n{"a": [1, 2.5],\n "b": 109482240}\n\n', {"a": "s"}
    )
    assert list(found["a"].samples) == [1, 2.5]
    assert found["a"].unit == "s"
    assert repr(list(found["b"].samples)) == "[109482240]"
    assert set(found) == {"a", "b"}
    with pytest.raises(LabError, match="units: the program printed no 'c'; it printed a"):
        _printed.quantities('{"a": 1}', {"c": "s"})
    with pytest.raises(LabError, match="units: a: 'parsecks' is no unit"):
        _printed.quantities('{"a": 1}', {"a": "parsecks"})
