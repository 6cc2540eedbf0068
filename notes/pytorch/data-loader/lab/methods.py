"""What each start method gives a worker of its own, and how often it pickles the dataset: a table, and JSON on the last line."""

import json

import rows
from torch.utils.data import DataLoader

METHODS = ("fork", "spawn", "forkserver")


def own(kind, method, count):
    """KiB of a worker's own memory after it has read `count` lines once, and the bytes of the data."""
    data = rows.Rows(kind, count)
    loader = DataLoader(data, batch_size=2000, num_workers=1, multiprocessing_context=method, collate_fn=rows.grown)
    return max(kib for _, kib in loader), data.size


class Counted(rows.Rows):
    pickled = 0

    def __getstate__(self):
        Counted.pickled += 1
        return self.__dict__


def pickles(method):
    Counted.pickled = 0
    list(DataLoader(Counted("list", 8), num_workers=2, multiprocessing_context=method))
    return Counted.pickled


def main():
    found = {}
    print(f"{'of its own, in % of the data':<30}" + "".join(f"{method:>12}" for method in METHODS))
    for kind, label in [("list", "list of str"), ("numpy", "NumPy array of bytes"), ("tensor", "tensor")]:
        for method in METHODS:
            kib, size = own(kind, method, rows.ROWS)
            without, _ = own(kind, method, 8)
            found[f"{kind}_{method}"] = (kib - without) * 1024 / size * 100
        print(f"{label:<30}" + "".join(f"{found[f'{kind}_{method}']:>12.0f}" for method in METHODS))
    for method in METHODS:
        found[f"pickles_{method}"] = pickles(method)
    print(f"{'pickled for two workers':<30}" + "".join(f"{found[f'pickles_{method}']:>12}" for method in METHODS))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
