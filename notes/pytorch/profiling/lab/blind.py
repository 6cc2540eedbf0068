"""What the profiler of the main thread sees of other threads and processes, and what Timer does with threads.

    python3 blind.py    counts as JSON
"""

import json
import threading

import torch
from step import recorded
from torch._C._profiler import _ExperimentalConfig
from torch.profiler import record_function
from torch.utils.benchmark import Timer
from torch.utils.data import DataLoader, Dataset

CALLS, ITEMS = 5, 4
x = torch.ones(8)


class Rows(Dataset):
    def __len__(self):
        return ITEMS

    def __getitem__(self, index):
        return torch.sqrt(x)


def elsewhere():
    thread = threading.Thread(target=lambda: [torch.sqrt(x) for _ in range(CALLS)])
    thread.start()
    thread.join()


def count(body, **options):
    return sum(event.name == "aten::sqrt" for event in recorded(body, **options).events())


def read(workers):
    return lambda: list(DataLoader(Rows(), batch_size=2, num_workers=workers))


def nested(levels):
    with record_function("level"):
        torch.sqrt(x)
        if levels > 1:
            nested(levels - 1)


def main():
    torch.set_num_threads(2)
    everywhere = _ExperimentalConfig(profile_all_threads=True)
    result = {
        "calls": CALLS, "items": ITEMS,
        "here": count(lambda: [torch.sqrt(x) for _ in range(CALLS)]),
        "thread": count(elsewhere),
        "thread_all": count(elsewhere, experimental_config=everywhere),
        "loader_main": count(read(0)),
        "loader_worker": count(read(1)),
    }  # fmt: skip
    fetches = [e for e in recorded(read(1)).events() if e.name.startswith("enumerate(DataLoader)")]
    result["fetches"] = len(fetches)

    found = recorded(lambda: nested(10))
    level = next(e for e in found.key_averages() if e.key == "level")
    total = sum(e.self_cpu_time_total for e in found.events())
    outer = max(e.cpu_time_total for e in found.events() if e.name == "level")
    result |= {"level_count": level.count, "level_total": level.cpu_time_total, "level_outer": outer, "self": total}

    seen, runs = set(), []

    def body():
        runs.append(1)
        seen.add(torch.get_num_threads())

    Timer("body()", globals={"body": body}).timeit(100)
    result |= {"timer_threads": max(seen), "threads_after": torch.get_num_threads(), "timer_runs": len(runs)}
    seen.clear()
    Timer("body()", globals={"body": body}, num_threads=2).timeit(3)
    result["timer_threads_two"] = max(seen)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
