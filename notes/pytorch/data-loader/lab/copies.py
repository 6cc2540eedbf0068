"""What forked workers have of their own while they read a dataset once: a table, and JSON on the last line."""

import json
import warnings

import rows
from torch.utils.data import DataLoader

WORKERS, BATCHES = 4, 64  # each worker reads 16 batches
SHOWN = (1, 2, 4, 8, 16)


def read(kind, shuffle=True):
    """Share of the data that a worker has of its own after 1, 2, … batches of an epoch, and after a second epoch; Rss and Pss of all and the data, in MiB."""
    data = rows.Rows(kind)
    loader = DataLoader(
        data,
        batch_size=rows.ROWS // BATCHES,
        shuffle=shuffle,
        num_workers=WORKERS,
        multiprocessing_context="fork",
        worker_init_fn=rows.remember,
        collate_fn=rows.grown,
        persistent_workers=True,
    )
    histories = [[] for _ in range(WORKERS)]
    for _ in range(2):
        iterator = iter(loader)
        for worker, kib in iterator:
            histories[worker].append(kib * 1024 / data.size)
    shares = {count: sum(history[count - 1] for history in histories) / WORKERS * 100 for count in (*SHOWN, 2 * SHOWN[-1])}
    pids = ["self"] + [worker.pid for worker in iterator._workers]
    total = {name: sum(rows.memory(pid)[name] for pid in pids) / 1024 for name in ("Rss", "Pss")}
    return shares, total, data.size / 2**20


def main():
    warnings.filterwarnings("ignore", message="This DataLoader will create")  # more workers than CPUs, on purpose
    print("four forked workers read 400,000 lines twice")
    counts = "".join(f"{count:>4}/64" for count in SHOWN)
    print(f"{'of its own, in % of the data, after':<38}{counts}  two epochs")
    found = {}
    cases = [
        ("list", "list of str, shuffled", "list", True),
        ("ordered", "list of str, in order", "list", False),
        ("objects", "NumPy array, dtype=object, shuffled", "objects", True),
        ("numpy", "NumPy array of bytes, shuffled", "numpy", True),
        ("tensor", "tensor, shuffled", "tensor", True),
    ]
    for name, label, kind, shuffle in cases:
        shares, total, size = read(kind, shuffle)
        print(f"{label:<38}" + "".join(f"{shares[count]:>7.0f}" for count in SHOWN) + f"{shares[32]:>12.0f}")
        found |= {f"{name}_{count}": share for count, share in shares.items()}
        found |= {f"{name}_{what.lower()}": mib for what, mib in total.items()}
        found.setdefault("data", size)
    print("all five processes afterwards     Rss, MiB  Pss, MiB")
    for name, label, _, _ in (cases[0], cases[3]):
        print(f"{label:<32} {found[name + '_rss']:>9.0f} {found[name + '_pss']:>9.0f}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
