"""A moment in which no signal interrupts, for what must be done whole or not begun."""

from __future__ import annotations

import signal
import threading
from types import TracebackType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class SignalGuard:
    """For a moment Ctrl-C and SIGTERM wait, and then do what they did before.

    Blocking them is not enough: the system may hand a signal to any thread that does not block it,
    and Python then runs the handler in the main thread all the same. In other threads than that one
    no handler runs, so nothing is to be done.
    """

    def __enter__(self) -> None:
        self._heard: list[int] = []
        self._handlers: dict[int, Any] = {}
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        self._before: BaseException | None = None
        while True:
            try:
                self._begin()
                return
            except (KeyboardInterrupt, SystemExit) as error:
                # A signal that came just before: what is inside must be done all the same.
                self._before = error

    def _begin(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                handler = signal.getsignal(number)
                if handler is not None and number not in self._handlers:  # else none of Python's
                    signal.signal(number, self._hear)
                    self._handlers[number] = handler

    def _hear(self, number: int, _: object) -> None:
        self._heard.append(number)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        for number in dict.fromkeys(self._heard):
            signal.raise_signal(number)  # blocked still
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
        if self._before and error is None:
            raise self._before
