"""Splitting, freeing and merging of large requests by the allocator's documented rules, in MiB.

A model, not a run of the allocator: one stream, best fit, a free block merges with a free neighbour
of its segment. Prints the four steps of the figure, then the ends of other sequences as JSON.
"""

import json


class Cache:
    def __init__(self, expandable=False):
        self.segments = []                           # each a list of [size, name or None]
        self.expandable = expandable

    def request(self, name, size):
        free = [(block[0], segment, i) for segment in self.segments
                for i, block in enumerate(segment) if block[1] is None and block[0] >= size]
        if free:
            _, segment, i = min(free, key=lambda f: f[0])
        elif self.expandable:
            segment, i = self._grow(size)
        else:
            segment, i = [[20 if size < 10 else -(-size // 2) * 2, None]], 0
            self.segments.append(segment)
        rest = segment[i][0] - size
        split = rest > (0 if self.expandable else 1)
        segment[i] = [size if split else size + rest, name]
        if split:
            segment.insert(i + 1, [rest, None])

    def _grow(self, size):
        """Map whole pages of 20 behind the one expandable segment, joined to a free tail."""
        if not self.segments:
            self.segments.append([])
        segment = self.segments[0]
        tail = segment.pop()[0] if segment and segment[-1][1] is None else 0
        segment.append([tail + -(-(size - tail) // 20) * 20, None])
        return segment, len(segment) - 1

    def free(self, name):
        for segment in self.segments:
            for block in segment:
                if block[1] == name:
                    block[1] = None
            i = 0
            while i + 1 < len(segment):
                if segment[i][1] is None and segment[i + 1][1] is None:
                    segment[i][0] += segment.pop(i + 1)[0]
                else:
                    i += 1

    def numbers(self):
        blocks = [block for segment in self.segments for block in segment]
        idle = [size for size, name in blocks if name is None]
        reserved = sum(size for size, _ in blocks)
        return {"allocated": reserved - sum(idle), "reserved": reserved, "idle": sum(idle),
                "piece": max(idle, default=0), "segments": len(self.segments)}


STEPS = [("request", "a", 8), ("request", "b", 6), ("free", "a"), ("request", "c", 12)]


def do(cache, step):
    getattr(cache, step[0])(*step[1:])
    return cache.numbers()


def main():
    result = {}
    cache = Cache()
    for number, step in enumerate(STEPS, 1):
        now = do(cache, step)
        what = f"request {step[2]}" if step[0] == "request" else "free the 8"
        print(f"{number} {what:11} allocated {now['allocated']:3}  reserved {now['reserved']:3}  "
              f"idle {now['idle']:3}  largest idle piece {now['piece']:3}")
        result |= {f"step{number}_{key}": value for key, value in now.items()}
    for name, cache, steps in (
        ("expandable", Cache(expandable=True), STEPS),
        ("merged", Cache(), [*STEPS[:3], ("free", "b"), STEPS[3]]),
    ):
        for step in steps:
            now = do(cache, step)
        result |= {f"{name}_{key}": value for key, value in now.items()}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
