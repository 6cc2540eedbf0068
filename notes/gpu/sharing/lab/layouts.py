"""Counts where the instances of MIG fit on an A100. A model of the placement rules: nothing is measured.

    python3 layouts.py    the layouts, then counts as JSON

The rules are the list that `nvidia-smi mig -lgipp` prints for an A100 in NVIDIA's MIG User Guide: each
profile may start at certain of the eight memory slices, and covers a fixed number of them.
"""

import json
from itertools import combinations

MEMORY, COMPUTE = 8, 7
# profile: (compute slices, memory slices, where it may start)
PROFILES = {
    "1g": (1, 1, range(7)),
    "2g": (2, 2, (0, 2, 4)),
    "3g": (3, 4, (0, 4)),
    "4g": (4, 4, (0,)),
    "7g": (7, 8, (0,)),
}
WIDE = {**PROFILES, "1g.10gb": (1, 2, (0, 2, 4, 6))}
# "Number of Instances Available" of the guide's table for the A100.
PUBLISHED = {"1g": 7, "1g.10gb": 4, "2g": 3, "3g": 2, "4g": 1, "7g": 1}


def places(profile):
    """The sets of memory slices that an instance of the profile may cover."""
    _, size, starts = WIDE[profile]
    return [frozenset(range(start, start + size)) for start in starts]


def layouts(profiles, taken=frozenset(), first=0):
    """Every layout to which no instance can be added, as a tuple of (profile, memory slices)."""
    free = [(p, place) for p in profiles for place in places(p) if not place & taken]
    if not free:
        yield ()
    seen = set()
    for profile, place in free:
        for rest in layouts(profiles, taken | place):
            layout = tuple(sorted(((profile, place), *rest), key=lambda each: min(each[1])))
            if layout not in seen:
                seen.add(layout)
                yield layout


def most(profile):
    """How many instances of one profile fit."""
    return max(
        n
        for n in range(MEMORY + 1)
        for chosen in combinations(places(profile), n)
        if sum(map(len, chosen)) == len(frozenset().union(*chosen))
    )


def ways(wanted, then):
    """In how many ways `wanted` can be placed, and after how many of them `then` still fits."""
    found = {frozenset()}
    for profile in wanted:
        found = {
            done | {(profile, place)}
            for done in found
            for place in places(profile)
            if not any(place & other for _, other in done)
        }
    fits = [
        done for done in found if any(not any(place & other for _, other in done) for place in places(then))
    ]
    return len(found), len(fits)


def main():
    found = sorted(set(layouts(PROFILES)), key=lambda each: [(min(s), p) for p, s in each])
    print("memory slice 0 to 7      compute slices used")
    idle = 0
    for layout in found:
        cells = [" ."] * MEMORY
        for profile, covered in layout:
            for slot in covered:
                cells[slot] = " ="
            cells[min(covered)] = profile
        used = sum(WIDE[profile][0] for profile, _ in layout)
        idle += used < COMPUTE
        print(f"{' '.join(cells)}  {used} of {COMPUTE}")
    small, small_fits = ways(["1g", "1g", "2g"], "3g")
    large, large_fits = ways(["3g"], "2g")
    result = {
        "layouts": len(found),
        "sets": len({tuple(sorted(p for p, _ in layout)) for layout in found}),
        "idle": idle,
        "halves_used": 2 * WIDE["3g"][0],
        "halves_memory": 2 * WIDE["3g"][1],
        "four_and_three_used": WIDE["4g"][0] + WIDE["3g"][0],
        "small_first": small,
        "small_first_fits": small_fits,
        "large_first": large,
        "large_first_fits": large_fits,
        "agree": sum(most(p) == n for p, n in PUBLISHED.items()),
        "agree_compute": sum(COMPUTE // WIDE[p][0] == n for p, n in PUBLISHED.items()),
        "agree_memory": sum(MEMORY // WIDE[p][1] == n for p, n in PUBLISHED.items()),
        "profiles": len(PUBLISHED),
    }
    print(json.dumps(result))


main()
