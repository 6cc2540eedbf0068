"""Ctrl-C and SIGTERM as an exception that unwinds a command, and that nothing swallows.

A handler's exception is raised wherever the program happens to be. Where that is a finalizer or a
callback of the interpreter, Python prints "Exception ignored in" and goes on. So such an exception
is noticed here and raised again a moment later.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

INTERRUPTED = "perfnotes: interrupted; what was there before is still there"

_AGAIN = 0.005  # seconds until a swallowed interruption is raised again


def _as_python_does(number: int) -> BaseException:
    return KeyboardInterrupt() if number == signal.SIGINT else SystemExit(128 + number)


class Interruption:
    """As a context manager: inside, SIGINT and SIGTERM raise what ``exception`` makes of them.

    ``number`` is the signal that came, or 0. On leaving, both signals end the process at once.
    """

    def __init__(self, exception: Callable[[int], BaseException] = _as_python_does) -> None:
        self.number = 0
        self._exception = exception

    def __enter__(self) -> Interruption:
        self.listen()
        return self

    def listen(self) -> None:
        """Begin to listen. A signal that is ignored, or that somebody else handles, stays so."""
        sys.unraisablehook = self._raise_later
        signal.signal(signal.SIGALRM, self._raise_again)
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                signal.signal(number, self._raise)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)

    def _raise(self, number: int, _: object) -> None:
        self.number = number
        raise self._exception(number)

    def _raise_later(self, unraisable: Any) -> None:
        """Python swallows an exception: if it is the interruption, have it raised again."""
        if self.number and isinstance(unraisable.exc_value, (KeyboardInterrupt, SystemExit)):
            signal.setitimer(signal.ITIMER_REAL, _AGAIN)
        else:
            sys.__unraisablehook__(unraisable)

    def _raise_again(self, *_: object) -> None:
        signal.raise_signal(self.number)
