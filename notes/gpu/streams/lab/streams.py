"""Simulates copies and kernels in CUDA streams. A model: nothing is measured.

    python3 streams.py show     timelines of four chunks, a character for a millisecond
    python3 streams.py          totals of all cases as JSON

The rules, each from NVIDIA's guides or an assumption that is named:

- work of one stream runs in order of issue;
- an engine does one copy at a time; with two engines there is one for each direction;
- kernels run at once as long as their shares of the GPU add up to one at most;
- work in the legacy default stream waits for all earlier work of blocking streams, and their later work waits for it;
- a copy with pageable memory holds the host until it is done (the guide says "may");
- streams are dealt to a number of queues in turn, and in a queue nothing starts before what was issued earlier;
- among what is ready, the earliest issued starts first, and issuing takes no time (both assumed).
"""

import json
import sys
from dataclasses import dataclass

DEFAULT = 0  # the legacy default stream
CHUNKS = 4


@dataclass
class Work:
    kind: str  # "in": to the device, "out": to the host, "kernel"
    stream: int
    length: float  # milliseconds
    chunk: int = 0
    share: float = 1.0  # of the GPU, for a kernel
    pageable: bool = False
    begin: float = 0.0
    end: float = 0.0


def waits_for(work, earlier, legacy):
    """Whether a rule of streams orders `work` behind `earlier`, which was issued before it."""
    same = work.stream == earlier.stream
    return same or (legacy and DEFAULT in (work.stream, earlier.stream))


def first_begin(work, done, engines, queues):
    """The first moment at which every rule lets `work` begin, given all work that was issued and placed before."""
    begin = max((each.begin for each in done if each.stream % queues == work.stream % queues), default=0.0)
    if work.kind == "kernel":
        running = [each for each in done if each.kind == "kernel"]
        moments = sorted({begin, *(each.end for each in running)})
        return next(
            moment
            for moment in moments
            if moment >= begin
            and sum(each.share for each in running if each.begin <= moment < each.end) + work.share <= 1
        )
    rivals = [each for each in done if each.kind != "kernel" and (engines == 1 or each.kind == work.kind)]
    return max([begin, *(each.end for each in rivals)])


def run(issued, engines=2, queues=8, legacy=True):
    """Gives each piece of work its begin and end; returns the total in milliseconds."""
    host, waiting, done = 0.0, [], []

    def place(until):
        """Starts work in the order in which it becomes ready, as long as that is before `until`."""
        while waiting:
            starts = []
            for at, (work, arrived) in enumerate(waiting):
                if any(waits_for(work, other, legacy) for other, _ in waiting[:at]):
                    continue
                if any(other.stream % queues == work.stream % queues for other, _ in waiting[:at]):
                    continue
                ready = max([arrived, *(each.end for each in done if waits_for(work, each, legacy))])
                starts.append((max(ready, first_begin(work, done, engines, queues)), at))
            begin, at = min(starts)
            if begin > until:
                return
            work, _ = waiting.pop(at)
            work.begin, work.end = begin, begin + work.length
            done.append(work)

    for work in issued:
        waiting.append((work, host))
        if work.pageable and work.kind != "kernel":
            place(float("inf"))
            host = max(host, work.end)
    place(float("inf"))
    return max(work.end for work in issued)


def chunked(streams=CHUNKS, kernel_stream=None, pageable=False, breadth=False):
    """Four chunks that go in, through a kernel and out again, a millisecond each."""
    issued = []
    for chunk in range(CHUNKS):
        stream = 1 + chunk % streams
        for kind in ("in", "kernel", "out"):
            where = stream if kind != "kernel" or kernel_stream is None else kernel_stream
            issued.append(Work(kind, where, 1.0, chunk + 1, pageable=pageable))
    if breadth:
        issued.sort(key=lambda work: ("in", "kernel", "out").index(work.kind))
    return issued


def with_stray():
    """The same, and behind each chunk an empty kernel in the legacy default stream."""
    issued = []
    for at, work in enumerate(chunked(), start=1):
        issued.append(work)
        if at % 3 == 0:
            issued.append(Work("kernel", DEFAULT, 0.0))
    return issued


def staged(streams, fixed=0.0, kernel_stream=None, pageable=False):
    """Four milliseconds of copy and four of kernels, cut into as many parts as there are streams.

    Each part takes `fixed` milliseconds more, however short it is.
    """
    part = 4.0 / streams + fixed
    issued = []
    for stream in range(1, streams + 1):
        issued.append(Work("in", stream, part, stream, pageable=pageable))
        issued.append(Work("kernel", stream if kernel_stream is None else kernel_stream, part, stream))
    return issued


def kernels(share, streams=CHUNKS):
    return [Work("kernel", 1 + number % streams, 1.0, number + 1, share) for number in range(CHUNKS)]


SHOWN = {
    "one": ("one stream", lambda: chunked(streams=1), {}),
    "four": ("four streams", chunked, {}),
    "pageable": ("four streams, pageable memory", lambda: chunked(pageable=True), {}),
    "stray": ("four streams, an empty kernel in the default stream behind each chunk", with_stray, {}),
    "default": ("four streams, kernels in the legacy default stream", lambda: chunked(kernel_stream=DEFAULT), {}),
    "engine": ("four streams, one copy engine", chunked, {"engines": 1}),
}
OTHERS = {
    "stray_nonblocking": (with_stray, {"legacy": False}),
    "queue": (chunked, {"queues": 1}),
    "queue_breadth": (lambda: chunked(breadth=True), {"queues": 1}),
    "breadth": (lambda: chunked(breadth=True), {}),
    "four_queues": (chunked, {"queues": 4}),
    "copies_in_one_engine": (lambda: staged(4), {"engines": 1}),
    "copies_in": (lambda: staged(4), {}),
    "copies_in_default": (lambda: staged(4, kernel_stream=DEFAULT), {}),
    "copies_in_pageable": (lambda: staged(4, pageable=True), {}),
    "kernels_one": (lambda: kernels(1.0, streams=1), {}),
    "kernels_full": (lambda: kernels(1.0), {}),
    "kernels_quarter": (lambda: kernels(0.25), {}),
}


def timeline(issued):
    """A row for each engine, a character for each millisecond: the chunk, or a dot."""
    end = int(max(work.end for work in issued))
    for kind, name in (("in", "copy in"), ("kernel", "kernel"), ("out", "copy out")):
        row = ["."] * end
        for work in issued:
            if work.kind == kind and work.length:
                row[int(work.begin)] = str(work.chunk)
        print(f"  {name:<9} {''.join(row)}")


def show():
    for title, make, rules in SHOWN.values():
        issued = make()
        total = run(issued, **rules)
        print(f"{title}: {total:g} ms")
        timeline(issued)


def main():
    if sys.argv[1:] == ["show"]:
        show()
        return
    totals = {name: run(make(), **rules) for name, (_, make, rules) in SHOWN.items()}
    totals |= {name: run(make(), **rules) for name, (make, rules) in OTHERS.items()}
    for streams in (1, 2, 4, 8, 16, 32):
        totals[f"staged_{streams}"] = run(staged(streams, fixed=0.02))
        totals[f"formula_{streams}"] = 4.0 + 4.0 / streams
    print(json.dumps({name: round(total, 6) for name, total in totals.items()}))


main()
