"""When workers are started and when they end: a table, and JSON on the last line."""

import gc
import json
import multiprocessing
import time

import rows
from torch.utils.data import DataLoader, Dataset

seen = set()


def alive():
    """Workers that run now; also remembers the new ones."""
    pids = {child.pid for child in multiprocessing.active_children()}
    seen.update(pids)
    return len(pids)


def epoch(loader):
    for number, _ in enumerate(loader):
        if number == 0:
            alive()


class Versioned(Dataset):
    """Its items say which version of the dataset a worker has."""

    version = 1

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.version


def seen_version(**options):
    """The version that workers see in a second epoch, when the main process has set 2 after the first."""
    data = Versioned()
    loader = DataLoader(data, num_workers=2, **options)
    epoch(loader)
    data.version = 2
    return max(int(version) for version in loader)


def main():
    found = {"version": seen_version(), "version_persistent": seen_version(persistent_workers=True)}
    seen.clear()

    def show(name, label):
        running = alive()
        found[f"{name}_alive"], found[f"{name}_started"] = running, len(seen)
        print(f"{label:<42} {running:>6} {len(seen):>8}")

    data = rows.Rows("list", 64)
    print(f"{'two workers, step':<42}  alive  started")
    loader = DataLoader(data, batch_size=4, num_workers=2)
    show("made", "DataLoader(...)")
    iterator = iter(loader)
    show("iter", "iter(loader)")
    for _ in iterator:
        pass
    show("epoch", "the epoch has ended")
    epoch(loader)
    epoch(loader)
    show("three", "two more epochs")
    seen.clear()
    for number, _ in enumerate(loader):
        if number == 0:
            alive()
            break
    gc.collect()
    show("break", "a loop left with break")
    kept = iter(loader)
    other = iter(loader)
    show("kept", "two iterators kept at a time")
    del kept, other
    gc.collect()
    seen.clear()
    loader = DataLoader(data, batch_size=4, num_workers=2, persistent_workers=True)
    for _ in range(3):
        epoch(loader)
    show("persistent", "persistent_workers=True, three epochs")
    del loader
    gc.collect()
    time.sleep(0.2)
    show("deleted", "that loader deleted")
    print("version of the dataset that workers see after the main process has changed 1 to 2")
    print(f"  new workers {found['version']}, persistent workers {found['version_persistent']}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
