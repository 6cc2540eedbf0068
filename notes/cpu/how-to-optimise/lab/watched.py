"""What cProfile does to a small function: the same sum with a call and without, watched and not."""

import cProfile
import json
import sys
import time
from collections.abc import Callable

STEPS, ROUNDS = int(sys.argv[1]), int(sys.argv[2])


def twice(i: int) -> int:
    return i + i


def calls() -> None:
    total = 0
    for i in range(STEPS):
        total += twice(i)


def inline() -> None:
    total = 0
    for i in range(STEPS):
        total += i + i


def timed(work: Callable[[], None], watch: bool) -> float:
    profile = cProfile.Profile()
    start = time.thread_time()
    if watch:
        profile.runcall(work)
    else:
        work()
    return (time.thread_time() - start) / STEPS


took: dict[str, list[float]] = {k: [] for k in ("calls", "inline", "calls_watched", "inline_watched")}
for _ in range(ROUNDS):
    took["calls"].append(timed(calls, False))
    took["calls_watched"].append(timed(calls, True))
    took["inline"].append(timed(inline, False))
    took["inline_watched"].append(timed(inline, True))
print(json.dumps(took))
