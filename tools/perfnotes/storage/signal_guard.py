"""Holds back signals during a step that must not be interrupted half-way."""

from __future__ import annotations

import signal
import threading
from types import TracebackType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class SignalGuard:
    """A context manager: Ctrl-C and SIGTERM that come inside take effect when it ends.

    Blocking the signals in this thread is not enough. The system may deliver a signal to any
    thread that does not block it, and Python then runs the handler in the main thread. So in the
    main thread the handlers are replaced too. No handler runs in other threads, so there the block
    alone is enough.
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
                # A signal came before the handlers were replaced. The guarded step must run all
                # the same, so this exception is raised at the end of it.
                self._before = error

    def _begin(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                handler = signal.getsignal(number)
                # None stands for a handler that was not installed by Python.
                if handler is not None and number not in self._handlers:
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
            signal.raise_signal(number)  # still blocked: delivered when the mask is restored
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
        if self._before and error is None:
            raise self._before
