"""Work on all cores: forked processes take tasks from one list, and in the end so does this one.

They are forked before there is anything to do, so that they stay small, and wait for tasks. Which
process does a task makes no difference to what comes out. A process whose parent is gone ends with
the task that it has; those that are not needed any more are killed.
"""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Generic, TypeVar

from perfnotes.source.project import UsageError
from perfnotes.storage.signal_guard import SignalGuard

# A task's number, and the length and place of its data. Records are not cut by a page of memory,
# so a reader never sees half of one.
_RECORD = struct.Struct("=IIQ")
_PAUSE = 0.005  # seconds, while there is nothing to do

Task = TypeVar("Task")
Result = TypeVar("Result")


def cores() -> int:
    """How many processes may run at once; in a process with threads, which must not fork, one."""
    if threading.active_count() > 1 or not hasattr(os, "fork"):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


class ProcessPool(Generic[Task, Result]):
    """``job`` for each task that is added, by ``size`` processes of which this one is one.

    With ``begin``, which the others call before they have a task, this one takes part only where
    there are no others.
    As a context manager: the others begin when it is entered, this one when ``finish`` is called.
    """

    def __init__(
        self, job: Callable[[Task], Result], size: int, begin: Callable[[], object] | None = None
    ) -> None:
        self._job = job
        self._helpers = size - 1
        self._begin = begin
        self._parent = os.getpid()
        self._running: dict[int, int] = {}  # process ids, and where each one's results come from
        # Processes share the place in a file that they read from, so each record comes once.
        self._list = tempfile.TemporaryFile()  # noqa: SIM115 - closed on leaving the context
        self._data = tempfile.TemporaryFile()  # noqa: SIM115
        self._end_of_data = 0
        self._count = 0
        self._complete = mmap.mmap(-1, 1)  # not zero when no task will be added

    def __enter__(self) -> ProcessPool[Task, Result]:
        try:
            for _ in range(self._helpers):
                self._fork()
        except BlockingIOError:
            pass  # no more processes are allowed here: those that there are will do
        except BaseException:
            self._end()
            raise
        return self

    def add(self, task: Task) -> None:
        """Add a task; its result has the number of tasks before it."""
        data = pickle.dumps(task, pickle.HIGHEST_PROTOCOL)
        self._data.write(data)
        self._data.flush()
        record = _RECORD.pack(self._count, len(data), self._end_of_data)
        os.pwrite(self._list.fileno(), record, self._count * _RECORD.size)
        self._end_of_data += len(data)
        self._count += 1

    @property
    def is_idle(self) -> bool:
        """Whether no task was added yet."""
        return self._count == 0

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
        for file in (self._list, self._data, self._complete):
            file.close()

    @property
    def left(self) -> int:
        """How many tasks nobody has begun."""
        return self._count - os.lseek(self._list.fileno(), 0, os.SEEK_CUR) // _RECORD.size

    def finish(self, after_each: Callable[[], None] = lambda: None) -> list[Result]:
        """Take part until all is done; the results by number. An error of any process is raised."""
        self._complete[0] = 1
        done: dict[int, Result] = {}
        if not self._begin or not self._running:
            for number, task in self._tasks():
                done[number] = self._job(task)
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
            done |= results
        return [done[number] for number in range(self._count)]

    def _tasks(self) -> Iterator[tuple[int, Task]]:
        """Tasks that no other process has taken, until all are."""
        while True:
            if os.getpid() != self._parent != os.getppid():
                os._exit(1)
            complete = self._complete[0]
            record = os.read(self._list.fileno(), _RECORD.size)
            if record:
                number, length, place = _RECORD.unpack(record)
                yield number, pickle.loads(os.pread(self._data.fileno(), length, place))
            elif complete:
                return
            else:
                time.sleep(_PAUSE)

    def _fork(self) -> None:
        source, target = os.pipe()
        # A signal that came between the fork and the list of what runs would leave a process.
        with SignalGuard():
            pid = os.fork()
            if pid == 0:
                self._work(target)
            self._running[pid] = source
            os.close(target)

    def _work(self, target: int) -> None:
        """The life of a forked process; it never returns."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends all of them
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
        done: dict[int, Result] = {}
        problem: BaseException | None = None
        try:
            if self._begin:
                self._begin()
            for number, task in self._tasks():
                done[number] = self._job(task)
        except BaseException as error:
            known = isinstance(error, OSError | UsageError)  # others may not survive the pipe
            problem = error if known else RuntimeError(repr(error))
        try:
            with os.fdopen(target, "wb") as pipe:
                pickle.dump(({}, problem) if problem else (done, None), pipe)
        finally:
            os._exit(0)
