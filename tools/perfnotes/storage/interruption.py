"""Turns Ctrl-C and SIGTERM into an exception that ends a command in good order.

A signal handler's exception is raised wherever the program happens to be. If that is a finalizer
or a callback of the interpreter, Python prints "Exception ignored in" and goes on. This module
notices that and raises the exception again a moment later.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

INTERRUPTED = "perfnotes: interrupted; what was there before is still there"

_RETRY_DELAY = 0.005  # seconds until an exception that Python ignored is raised again


def _default_exception(number: int) -> BaseException:
    return KeyboardInterrupt() if number == signal.SIGINT else SystemExit(128 + number)


class Interruption:
    """A context manager: inside it, SIGINT and SIGTERM raise ``exception(signal number)``.

    ``number`` is the signal that came, or 0. After the context, both signals end the process at
    once.
    """

    def __init__(self, exception: Callable[[int], BaseException] = _default_exception) -> None:
        self.number = 0
        self._exception = exception

    def __enter__(self) -> Interruption:
        self.listen()
        return self

    def listen(self) -> None:
        """Install the handlers. A signal that is ignored or has another handler keeps that."""
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
        """Python ignored an exception. If it is the interruption, schedule raising it again."""
        if self.number and isinstance(unraisable.exc_value, (KeyboardInterrupt, SystemExit)):
            signal.setitimer(signal.ITIMER_REAL, _RETRY_DELAY)
        else:
            sys.__unraisablehook__(unraisable)

    def _raise_again(self, *_: object) -> None:
        signal.raise_signal(self.number)
