"""Work on all cores: forked processes take tasks from one list, and in the end so does this one.

The processes are forked before there are tasks, so that their memory stays small, and wait for
tasks. Results do not depend on which process does a task. A process whose parent died ends after
its present task. When the pool is left, processes that still run are killed.
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

# A task's number, and the length and place of its data. The size of a record divides that of a
# memory page, so no record lies in two pages and a reader never sees half of one.
_RECORD = struct.Struct("=IIQ")
_PAUSE = 0.005  # seconds between two looks for a task

Task = TypeVar("Task")
Result = TypeVar("Result")


def cores() -> int:
    """Return how many processes may run at once: one, if this one has threads or cannot fork."""
    if threading.active_count() > 1 or not hasattr(os, "fork"):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


class ProcessPool(Generic[Task, Result]):
    """Calls ``job`` with each task that is added, in ``size`` processes including this one.

    The pool is a context manager. The other processes are forked when it is entered; this one
    takes tasks when ``finish`` is called. With ``begin``, which each of the other processes calls
    before its first task, this process takes tasks only if it could fork no other.
    """

    def __init__(
        self, job: Callable[[Task], Result], size: int, begin: Callable[[], object] | None = None
    ) -> None:
        self._job = job
        self._helpers = size - 1
        self._begin = begin
        self._parent = os.getpid()
        # The pipe with the results of each process, by its process id.
        self._running: dict[int, int] = {}
        # Forked processes share the position in an open file, so each record is read once.
        self._list = tempfile.TemporaryFile()  # noqa: SIM115 - closed on leaving the context
        self._data = tempfile.TemporaryFile()  # noqa: SIM115
        self._end_of_data = 0
        self._count = 0
        self._complete = mmap.mmap(-1, 1)  # not zero once no more tasks will be added

    def __enter__(self) -> ProcessPool[Task, Result]:
        try:
            for _ in range(self._helpers):
                self._fork()
        except BlockingIOError:
            pass  # the system allows no more processes: fewer do the same work
        except BaseException:
            self._end()
            raise
        return self

    def add(self, task: Task) -> None:
        """Add a task. Its result is at the same place in the list that ``finish`` returns."""
        data = pickle.dumps(task, pickle.HIGHEST_PROTOCOL)
        self._data.write(data)
        self._data.flush()
        record = _RECORD.pack(self._count, len(data), self._end_of_data)
        os.pwrite(self._list.fileno(), record, self._count * _RECORD.size)
        self._end_of_data += len(data)
        self._count += 1

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
        """How many tasks no process has taken yet."""
        return self._count - os.lseek(self._list.fileno(), 0, os.SEEK_CUR) // _RECORD.size

    def finish(self, after_each: Callable[[], None] = lambda: None) -> list[Result]:
        """Take tasks until all are done; return the results in the order of the tasks.

        Raises the error of a job; one of another process comes as RuntimeError unless it is an
        OSError or UsageError. Raises ChildProcessError if a process died.
        """
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
            if status or not message:
                raise ChildProcessError(f"a process of the build ended with status {status}")
            results, problem = pickle.loads(message)
            if problem:
                raise problem
            done |= results
        return [done[number] for number in range(self._count)]

    def _tasks(self) -> Iterator[tuple[int, Task]]:
        """Yield tasks, with their numbers, that no other process has taken, until all are taken."""
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
        # A signal between the fork and the entry in ``_running`` would leave a process that nobody
        # ends.
        with SignalGuard():
            try:
                pid = os.fork()
            except BaseException:
                os.close(source)
                os.close(target)
                raise
            if pid == 0:
                self._work(target)
            self._running[pid] = source
            os.close(target)

    def _work(self, target: int) -> None:
        """Do the work of a forked process. This never returns."""
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
            known = isinstance(error, OSError | UsageError)  # other errors may not be picklable
            problem = error if known else RuntimeError(repr(error))
        try:
            with os.fdopen(target, "wb") as pipe:
                pickle.dump(({}, problem) if problem else (done, None), pipe)
        finally:
            os._exit(0)
