"""GPU-Util, SM active and SM occupancy of timelines, by their definitions. No GPU is measured.

Prints the three for the timeline of the note, then those of all timelines as one JSON object.
"""

import json

# (SMs, most warps on an SM, period, kernels), a kernel being
# (first SM, number of SMs, start, end, warps per SM)
TIMELINES = {
    "mixed": (4, 64, 10, [(0, 1, 0, 6, 4), (0, 4, 6, 8, 32), (2, 1, 8, 10, 8)]),
    "gap": (4, 64, 10, [(0, 1, 0, 6, 4), (2, 1, 8, 10, 8)]),
    "full": (4, 64, 10, [(0, 4, 0, 10, 64)]),
    "endless": (108, 64, 10, [(0, 1, 0, 10, 1)]),
}


def shares(sms, max_warps, period, kernels):
    warps = [[0] * period for _ in range(sms)]
    for first, n, start, end, w in kernels:
        for sm in range(first, first + n):
            for t in range(start, end):
                warps[sm][t] += w
    busy = sum(any(warps[s][t] for s in range(sms)) for t in range(period))
    active = sum(w > 0 for row in warps for w in row)
    resident = sum(map(sum, warps))
    return {"util": busy / period, "active": active / (sms * period),
            "occupancy": resident / (sms * period * max_warps)}


def main():
    found = {name: shares(*timeline) for name, timeline in TIMELINES.items()}
    names = {"util": "GPU-Util", "active": "SM active", "occupancy": "SM occupancy"}
    for key, words in names.items():
        print(f"{words:13} {found['mixed'][key]:7.1%}")
    print(json.dumps({f"{n}_{key}": v for n, each in found.items() for key, v in each.items()}))


if __name__ == "__main__":
    main()
