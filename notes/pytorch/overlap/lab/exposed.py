"""Exposed communication in a trace of torch.profiler: python3 exposed.py trace.json"""

import json
import sys


def merged(spans):
    """The same stretches of time without overlaps."""
    result = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1][1] = max(end, result[-1][1])
        else:
            result.append([start, end])
    return result


def length(spans):
    return sum(end - start for start, end in spans)


def exposed(events):
    """Microseconds of communication on the device, and of those without a compute kernel beside it."""
    kernels = [e for e in events if e.get("cat") == "kernel"]
    spans = [(e["ts"], e["ts"] + e["dur"], "nccl" in e["name"].lower()) for e in kernels]
    talking = merged((start, end) for start, end, nccl in spans if nccl)
    working = merged((start, end) for start, end, nccl in spans if not nccl)
    busy = merged([*map(tuple, talking), *map(tuple, working)])
    return length(talking), length(busy) - length(working)


def main():
    with open(sys.argv[1]) as file:
        talking, alone = exposed(json.load(file)["traceEvents"])
    print(f"communication {talking} us, exposed {alone} us, hidden {talking - alone} us")
    print(json.dumps({"talking": talking, "alone": alone}))


if __name__ == "__main__":
    main()
