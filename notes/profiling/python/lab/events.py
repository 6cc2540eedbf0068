"""Events that a tracer and sys.monitoring bring, and collections that timeit leaves out."""

import gc
import json
import sys
import timeit
from types import FrameType
from typing import Any

TURNS = 10_000
seen = {"traced": 0, "each": 0, "once": 0, "collections": 0}


def work() -> int:
    total = 0
    for i in range(TURNS):
        if i % 2:
            total += i
        else:
            total -= i
    return total


def trace(frame: FrameType, event: str, arg: Any) -> Any:
    seen["traced"] += event == "line"
    return trace


sys.settrace(trace)
work()
sys.settrace(None)
if sys.version_info >= (3, 12):
    monitoring = sys.monitoring
    line = monitoring.events.LINE

    def once(code: object, number: int) -> object:
        seen["once"] += 1
        return monitoring.DISABLE

    def each(code: object, number: int) -> None:
        seen["each"] += 1

    monitoring.use_tool_id(monitoring.COVERAGE_ID, "lab")
    for callback in (each, once):
        monitoring.register_callback(monitoring.COVERAGE_ID, line, callback)
        monitoring.set_local_events(monitoring.COVERAGE_ID, work.__code__, line)
        work()


def began(phase: str, info: dict[str, int]) -> None:
    seen["collections"] += phase == "start"


gc.callbacks.append(began)
found = {}
for name, setup in (("timeit_default", "held = []"), ("timeit_gc", "gc.enable(); held = []")):
    gc.collect()
    seen["collections"] = 0
    timeit.timeit("held.append([])", setup=setup, number=100_000, globals={"gc": gc})
    found[name] = seen["collections"]
print(json.dumps({**{k: v for k, v in seen.items() if k != "collections"}, **found}))
