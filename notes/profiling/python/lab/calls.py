"""What cProfile counts, and what it does to the shares: calls of functions whose number is known."""

import asyncio
import cProfile
import io
import json
import pstats
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator

N = int(sys.argv[1])
# Shares are medians of short rounds: cProfile's clock also runs while another program has the CPU.
SHORT, ROUNDS = N // 20, 25


def rows(work: Callable[[], object]) -> dict[str, tuple[int, int, float, float]]:
    """Of each function: primitive calls, calls, tottime, cumtime."""
    profile = cProfile.Profile()
    profile.runcall(work)
    stats = pstats.Stats(profile, stream=io.StringIO()).stats  # type: ignore[attr-defined]
    return {name: row[:4] for (_, _, name), row in stats.items()}


def small(x: int) -> int:
    return x + 1


def many(turns: int = N) -> None:
    total = 0
    for i in range(turns):
        total += small(i)


def few(turns: int = N) -> None:
    total = 0
    for i in range(turns):
        total += i * i % 7


def in_a_thread() -> None:
    thread = threading.Thread(target=many)
    thread.start()
    thread.join()


def wait_first() -> None:
    time.sleep(0.3)


def wait_second() -> None:
    time.sleep(0.3)


def late() -> None:
    time.sleep(0.1)
    wait_second()


def two_threads() -> None:
    """The second wait begins 0.1 s after the first, and each lasts 0.3 s."""
    threads = [threading.Thread(target=work) for work in (wait_first, late)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def numbers() -> Iterator[int]:
    yield from range(N)


async def pauses() -> None:
    for _ in range(20):
        await asyncio.sleep(0.005)


def recursive(n: int) -> int:
    return n if n < 2 else recursive(n - 1) + recursive(n - 2)


def operators() -> None:
    held = list(range(100))
    for i in range(N):
        i in held and held[0]


def cpu(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


found: dict[str, float | list[float]] = {
    "thread": rows(in_a_thread).get("small", (0, 0))[1],
    "here": rows(many)["small"][1],
    "generator": rows(lambda: sum(numbers()))["numbers"][1],
    "coroutine": rows(lambda: asyncio.run(pauses()))["pauses"][1],
    "recursive": rows(lambda: recursive(15))["recursive"][1],
    "recursive_primitive": rows(lambda: recursive(15))["recursive"][0],
    "operator_rows": len(rows(operators)) - 2,  # without its own row and that of disable()
    "calls": N,
}


def shares() -> tuple[float, ...]:
    """The share of many() without and with cProfile, and own times over that of few()."""
    true, said, own, small_own = [], [], [], []
    for _ in range(ROUNDS):
        a, b = cpu(lambda: many(SHORT)), cpu(lambda: few(SHORT))
        true.append(100 * a / (a + b))
        seen = rows(lambda: (many(SHORT), few(SHORT)))
        a, b = seen["many"][3], seen["few"][3]
        said.append(100 * a / (a + b))
        own.append(seen["many"][2] / b)
        small_own.append(seen["small"][2] / b)
    return tuple(map(statistics.median, (true, said, own, small_own)))


measured = [shares() for _ in range(9)]
for i, name in enumerate(("true_share", "said_share", "caller", "callee")):
    found[name] = [each[i] for each in measured]
found["slower"] = [cpu(lambda: rows(many)) / cpu(many) for _ in range(9)]
asleep = rows(lambda: time.sleep(0.1))["<built-in method time.sleep>"]
found |= {"asleep": asleep[2], "awaited": rows(lambda: asyncio.run(pauses()))["pauses"][3]}
none = (0, 0, 0.0, 0.0)
both = rows(two_threads)
found |= {"first_of_two": both.get("wait_first", none)[3]}
found |= {"second_of_two": both.get("wait_second", none)[3]}
found |= {"alone": rows(late)["wait_second"][3]}
print(json.dumps(found))
