"""A CPU quota without a kernel: threads that need CPU time, CPUs, and a quota in each period.

    model.py     one request, by the number of its threads, under a limit of two CPUs

The last line is JSON, the others are for the reader.
"""

from __future__ import annotations

import json

STEP = 1 / 16  # ms


def simulate(
    cpus: int, threads: int, work: float, quota: float, period: float, begin: float = 0
) -> tuple[float, int, float]:
    """Step by step: threads that need `work` ms each start `begin` ms into a period.

    Returns the ms until the last is done, how many periods were throttled, and for how long the
    threads that had work stood still in the longest of them.
    """
    left = [work] * threads
    now, throttled, longest = 0.0, 0, 0.0
    steps = round((period - begin) / STEP)  # the first period may be partly over, its quota is whole
    while True:
        budget, still = quota, 0.0
        for _ in range(steps):
            running = sorted(range(threads), key=lambda i: -left[i])[:cpus]  # those with most to do
            running = [i for i in running if left[i] > 0]
            if not running:
                return now, throttled, longest
            now += STEP
            if budget < STEP * len(running) - 1e-9:
                still += STEP
                continue
            budget -= STEP * len(running)
            for i in running:
                left[i] -= STEP
        steps = round(period / STEP)
        throttled += still > 0
        longest = max(longest, still)


def wait(threads: int, quota: float, period: float) -> float:
    """The formula: how long busy threads, each on a CPU of its own, wait in each period."""
    return max(0.0, period - quota / threads)


def main() -> None:
    numbers: dict[str, float] = {}
    quota, period, work = 200, 100, 300
    print("threads  done after  throttled periods  all stand still for  formula")
    for threads in (1, 2, 4, 8, 16, 32):
        took, throttled, still = simulate(32, threads, work / threads, quota, period)
        says = wait(threads, quota, period)
        numbers |= {f"took_{threads}": took, f"throttled_{threads}": throttled, f"still_{threads}": still,
                    f"formula_{threads}": says}  # fmt: skip
        print(f"{threads:<9}{took:>7.1f} ms{throttled:>19}{still:>18.1f} ms{says:>6.1f} ms")
    numbers["still_40"] = simulate(40, 40, 20, 400, period)[2]
    numbers["formula_40"] = wait(40, 400, period)
    numbers["apart"] = max(abs(numbers[f"still_{n}"] - numbers[f"formula_{n}"]) for n in (2, 4, 8, 16, 32, 40))
    print(f"40 threads under a limit of 4 CPUs: all stand still for {numbers['still_40']:.1f} ms")
    print(json.dumps(numbers))


if __name__ == "__main__":
    main()
