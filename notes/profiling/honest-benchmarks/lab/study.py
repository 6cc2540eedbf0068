"""Evaluate the samples of bench: load, short, long or lengths; ranks; places. Prints JSON."""

import json
import subprocess
import sys
from math import comb
from statistics import mean, median


def samples(*words):
    """The lines that bench prints: (name, times)."""
    done = subprocess.run(["./bench", *words], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        name, *times = line.split()
        yield name, [float(time) for time in times]


def ratios(below, above):
    return [b / a for a, b in zip(below, above, strict=True)]


def off(ratio):
    """How far a ratio that should be 1 is from it, in per cent; 2 and 1/2 are as far."""
    return 100 * (max(ratio, 1 / ratio) - 1)


def rank(pairs):
    """The largest k for which the k-th smallest to the k-th largest ratio hold the median with
    a probability of 95 % or more; 0 if there is none. By the binomial distribution: each ratio
    lies below the median with a probability of one half."""
    outside, k = 0, 0
    while k < pairs:
        outside += 2 * comb(pairs, k)
        if outside > 0.05 * 2**pairs:
            break
        k += 1
    return k


def differs(found):
    """Whether the interval of the ratios leaves out 1."""
    k = rank(len(found))
    return k > 0 and not sorted(found)[k - 1] <= 1 <= sorted(found)[-k]


def load():
    lines = list(samples("load"))
    result = {"each": len(lines[0][1])}
    for clock in ("wall", "cpu"):
        for order in ("sequence", "pairs"):
            first = [times for name, times in lines if name == f"{order}-a-{clock}"]
            second = [times for name, times in lines if name == f"{order}-b-{clock}"]
            both = list(zip(first, second, strict=True))
            for way, of in (("minima", min), ("means", mean), ("medians", median)):
                result[f"{order}_{way}_{clock}"] = [off(of(b) / of(a)) for a, b in both]
            if order == "pairs":
                result[f"pairs_{clock}"] = [off(median(ratios(a, b))) for a, b in both]
    return result


def series(steps, groups, sizes):
    """The median of a group of pairs, for some sizes of groups, and how often it is a finding."""
    lines = dict(samples("series", str(groups * sizes[-1]), str(steps)))
    again = ratios(lines["series-a-cpu"], lines["series-again-cpu"])
    more = ratios(lines["series-a-cpu"], lines["series-more-cpu"])
    starts = [group * sizes[-1] for group in range(groups)]
    result = {
        "run": lines["series-a-cpu"][:groups],
        "one_again": [100 * (again[start + 1] - 1) for start in starts],
    }
    for size in sizes:
        same = [again[start : start + size] for start in starts]
        other = [more[start : start + size] for start in starts]
        result[f"same_{size}"] = [100 * (median(each) - 1) for each in same]
        result[f"more_{size}"] = [100 * (median(each) - 1) for each in other]
        if rank(size):
            result[f"alarm_{size}"] = 100 * mean(map(differs, same))
            result[f"found_{size}"] = 100 * mean(map(differs, other))
    return result


def short():
    return series(1, 40, (1, 3, 7, 15, 31, 63))


def long():
    return series(10, 20, (1, 3, 7, 15, 31))


def lengths():
    """For each length the worst of 40 runs; the mean over ten such groups of the two shortest."""
    result = {}
    for name, times in samples("lengths"):
        _, length, clock = name.split("-")
        result[f"{clock}_{length}"] = times
        worst = [max(times[at : at + 40]) for at in range(0, len(times), 40)]
        result[f"worst_{clock}_{length}"] = mean(worst) / median(times)
    return result


def ranks():
    """The pairs that are needed at least, and the ranks of the interval for some numbers."""
    least = next(pairs for pairs in range(1, 100) if rank(pairs))
    return {"least": least, **{f"rank_{pairs}": rank(pairs) for pairs in (7, 15, 31, 63)}}


def places():
    """How many places the code and the stack of one program have in twenty starts."""
    starts = [
        json.loads(subprocess.run(["./first"], capture_output=True, text=True, check=True).stdout)
        for _ in range(20)
    ]
    return {what: len({each[what] for each in starts}) for what in ("code", "stack")}


if __name__ == "__main__":
    studies = (load, short, long, lengths, ranks, places)
    study = next(each for each in studies if each.__name__ == sys.argv[1])
    print(json.dumps(study()))
