"""How often an asyncio loop comes round while half a second of work is done: a table, JSON on the last line."""

import asyncio
import concurrent.futures
import json
import multiprocessing
import time

WORK = 0.5


def waits():
    time.sleep(WORK)


def computes():
    end = time.monotonic() + WORK
    while time.monotonic() < end:
        for _ in range(1000):
            pass


async def heartbeat(work):
    """How many times a task that sleeps a millisecond at a time wakes until the work is done."""
    beats = 0
    task = asyncio.ensure_future(work)
    while not task.done():
        await asyncio.sleep(0.001)
        beats += 1
    return beats - 1


async def directly(work):
    work()


async def main():
    loop = asyncio.get_running_loop()
    pool = concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    await loop.run_in_executor(pool, time.time)  # starts the process
    cases = [
        ("awaited", "await asyncio.sleep(0.5)", lambda: asyncio.sleep(WORK)),
        ("waits", "time.sleep(0.5) in a coroutine", lambda: directly(waits)),
        ("waits_thread", "time.sleep(0.5) in to_thread", lambda: asyncio.to_thread(waits)),
        ("computes", "Python code in a coroutine", lambda: directly(computes)),
        ("computes_thread", "Python code in to_thread", lambda: asyncio.to_thread(computes)),
        ("computes_process", "Python code in another process", lambda: loop.run_in_executor(pool, computes)),
    ]
    found = {}
    print(f"{'half a second of':<34} the loop came round")
    for name, label, work in cases:
        found[name] = await heartbeat(work())
        print(f"{label:<34} {found[name]:>5}")
    pool.shutdown()
    print(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(main())
