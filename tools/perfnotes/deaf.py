"""A moment in which no signal interrupts, for what must be done whole or not begun."""

from __future__ import annotations

import signal
from types import TracebackType


class Deaf:
    """For a moment, Ctrl-C and SIGTERM wait; in other threads they never arrive."""

    def __enter__(self) -> None:
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
