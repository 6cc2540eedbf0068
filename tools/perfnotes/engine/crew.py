"""Work on all cores: forked processes take pieces from one list, and so does this one.

A forked process has all that was read and staged without copying it, and hands back only what each
piece gave. Which process does a piece makes no difference to what comes out. A process whose parent
is gone ends with the piece that it has; those that are not needed any more are killed.
"""

from __future__ import annotations

import gc
import itertools
import os
import pickle
import signal
import struct
import tempfile
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Generic, TypeVar

_NUMBER = struct.Struct("I")
_FEW = 40  # pieces that are done sooner than shared

Result = TypeVar("Result")


def cores() -> int:
    """How many processes may run at once; in a process with threads, which must not fork, one."""
    if threading.active_count() > 1 or not hasattr(os, "fork"):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


class Crew(Generic[Result]):
    """``job(i)`` for each ``i`` below ``count``, by ``size`` processes of which this one is one.

    As a context manager: the others begin when it is entered, this one when ``finish`` is called.
    The first piece is done before there are others, so that what it loads is loaded once.
    """

    def __init__(self, job: Callable[[int], Result], count: int, size: int) -> None:
        self._job = job
        self._count = count
        self._helpers = size - 1 if count >= _FEW else 0
        self._running: dict[int, int] = {}  # process ids, and where each one's results come from
        # Processes share the place in a file that they read from, so each number comes once.
        self._list = tempfile.TemporaryFile()  # noqa: SIM115 - closed on leaving the context
        self._list.write(b"".join(map(_NUMBER.pack, range(count))))
        self._list.flush()
        self._list.seek(0)
        self._done: dict[int, Result] = {}

    def __enter__(self) -> Crew[Result]:
        try:
            for number in itertools.islice(self._numbers(), 1):
                self._done[number] = self._job(number)
            gc.freeze()  # what is there stays: no process looks through it, or copies it by looking
            for _ in range(self._helpers):
                self._fork()
        except BlockingIOError:
            pass  # no more processes are allowed here: those that there are will do
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def _end(self) -> None:
        for pid, source in self._running.items():
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            os.close(source)
        self._running.clear()
        self._list.close()
        gc.unfreeze()

    @property
    def left(self) -> int:
        """How many pieces nobody has begun."""
        return self._count - os.lseek(self._list.fileno(), 0, os.SEEK_CUR) // _NUMBER.size

    def finish(self, after_each: Callable[[], None] = lambda: None) -> list[Result]:
        """Take part until all is done; the results by number. An error of any process is raised."""
        for number in self._numbers():
            self._done[number] = self._job(number)
            after_each()
        for pid, source in list(self._running.items()):
            with os.fdopen(os.dup(source), "rb") as pipe:
                message = pipe.read()
            del self._running[pid]
            os.close(source)
            _, status = os.waitpid(pid, 0)
            if not message:
                raise ChildProcessError(f"a process of the build ended with status {status}")
            results, problem = pickle.loads(message)
            if problem:
                raise problem
            self._done |= results
        return [self._done[number] for number in range(self._count)]

    def _numbers(self) -> Iterator[int]:
        while number := os.read(self._list.fileno(), _NUMBER.size):
            yield _NUMBER.unpack(number)[0]

    def _fork(self) -> None:
        source, target = os.pipe()
        parent = os.getpid()
        # A signal that came between the fork and the list of what runs would leave a process.
        waiting = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
        try:
            pid = os.fork()
            if pid == 0:
                self._work(parent, target)
            self._running[pid] = source
            os.close(target)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, waiting)

    def _work(self, parent: int, target: int) -> None:
        """The life of a forked process; it never returns."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends all of them
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
        done: dict[int, Result] = {}
        problem: BaseException | None = None
        try:
            for number in self._numbers():
                if os.getppid() != parent:
                    os._exit(1)
                done[number] = self._job(number)
        except BaseException as error:
            problem = error if isinstance(error, OSError) else RuntimeError(repr(error))
        try:
            with os.fdopen(target, "wb") as pipe:
                pickle.dump(({}, problem) if problem else (done, None), pipe)
        finally:
            os._exit(0)
