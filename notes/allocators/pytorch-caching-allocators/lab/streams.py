"""When the block of a freed tensor that a second stream uses serves the next request, in MiB.

The stand-in says that the second stream is still at work until the program lets it finish. Prints
what the next request of the same size gets in each case, then JSON.
"""

import json

import torch
from device import events_recorded, numbers, set_work_done, tensor

SIZE = 64


def case(title, record, done):
    """Free a tensor that the second stream uses, and ask for another of its size."""
    torch.cuda.empty_cache()
    second = torch.cuda.Stream()
    set_work_done(1)
    recorded = events_recorded()
    used = tensor(SIZE)
    address = used.data_ptr()
    set_work_done(0)                    # from here on the second stream works on it
    if record:
        used.record_stream(second)
    del used
    freed = numbers()
    if done:
        set_work_done(1)
    another = tensor(SIZE)
    same, now = int(another.data_ptr() == address), numbers()
    events = events_recorded() - recorded
    print(f"{title:21} after free: active {freed['active']:2}  next request: "
          f"{'same block   ' if same else 'another block'}  reserved {now['reserved']:3}  events {events}")
    set_work_done(1)
    return {"same": same, "events": events, "reserved": now["reserved"], "active": freed["active"],
            "freed_allocated": freed["allocated"]}


def other_stream():
    """A block that was freed on one stream, and a request on another."""
    torch.cuda.empty_cache()
    first = tensor(SIZE)
    address = first.data_ptr()
    del first
    with torch.cuda.stream(torch.cuda.Stream()):
        another = tensor(SIZE)
    return {"same": int(another.data_ptr() == address), "reserved": numbers()["reserved"]}


def main():
    result = {}
    for name, title, record, done in (
        ("plain", "not recorded, at work", False, False),
        ("recorded", "recorded, at work", True, False),
        ("finished", "recorded, finished", True, True),
    ):
        result |= {f"{name}_{key}": value for key, value in case(title, record, done).items()}
    result |= {f"other_{key}": value for key, value in other_stream().items()}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
