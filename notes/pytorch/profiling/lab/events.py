"""What one training step leaves in the profiler, by option: events, entries and bytes of the trace.

    python3 events.py    a table, then the counts as JSON
"""

import importlib.util
import json
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import torch
from step import make_step, recorded

OPTIONS = {
    "none": {},
    "record_shapes": {"record_shapes": True},
    "profile_memory": {"profile_memory": True},
    "with_flops": {"with_flops": True},
    "with_modules": {"with_modules": True},
    "with_stack": {"with_stack": True},
    "all": dict.fromkeys(("record_shapes", "profile_memory", "with_flops", "with_modules", "with_stack"), True),
}


def old(step, make):
    """The events of one of the older profilers, and whether making it warned of its end."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with make() as found:
            step()
    return len(found.function_events), sum(w.category is FutureWarning for w in told)


def exported(found, file):
    """Whether this profiler writes its trace."""
    try:
        found.export_chrome_trace(str(file))
    except RuntimeError:
        return 0
    return 1


def main():
    torch.set_num_threads(1)
    step = make_step(64, 8)
    result = {}
    print(f"{'option':<15} events  trace: operators  ranges  Python  memory  arrows  shapes kept")
    with tempfile.TemporaryDirectory() as folder:
        for name, options in OPTIONS.items():
            found = recorded(step, **options)
            file = Path(folder, "trace.json")
            result["first_export"] = exported(found, file)
            trace = json.loads(file.read_text())["traceEvents"]
            kinds = Counter(entry.get("cat") for entry in trace)
            shapes = sum(bool(event.input_shapes) for event in found.events())
            counts = {"events": len(found.events()), "operators": kinds["cpu_op"],
                      "ranges": kinds["user_annotation"], "python": kinds["python_function"],
                      "memory": kinds["cpu_instant_event"], "arrows": kinds["fwdbwd"] // 2,
                      "shapes": shapes}  # fmt: skip
            print(f"{name:<15} {counts['events']:>6}  {counts['operators']:>16}  {counts['ranges']:>6}  "
                  f"{counts['python']:>6}  {counts['memory']:>6}  {counts['arrows']:>6}  {shapes:>11}")  # fmt: skip
            result |= {f"{name}_{key}": value for key, value in counts.items()}
            result[f"{name}_bytes"] = file.stat().st_size
        # ten steps in one trace
        found = recorded(lambda: [step() for _ in range(10)])
        found.export_chrome_trace(str(file))
        result |= {"ten_events": len(found.events()), "ten_bytes": file.stat().st_size}
        result["second_export"] = exported(found, file)
        recorded(lambda: [step() for _ in range(10)]).export_chrome_trace(f"{file}.gz")
        result["ten_gz_bytes"] = Path(f"{file}.gz").stat().st_size
        # a deprecated export
        full = recorded(step, record_shapes=True, profile_memory=True, with_stack=True)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            full.export_memory_timeline(str(Path(folder, "memory.json")), device="cpu")
        result["timeline_warns"] = sum(w.category is FutureWarning for w in told)
    autograd = torch.autograd.profiler
    legacy = importlib.import_module("torch.autograd.profiler_legacy")
    result["autograd_events"], result["autograd_warns"] = old(step, autograd.profile)
    _, result["use_cuda_warns"] = old(step, lambda: autograd.profile(use_cuda=True))
    result["legacy_events"], result["legacy_warns"] = old(step, legacy.profile)
    for name in ("bottleneck", "benchmark"):
        result[name] = int(importlib.util.find_spec(f"torch.utils.{name}") is not None)
    result["export_snapshot"] = int(hasattr(torch.cuda.memory, "_export_memory_snapshot"))
    result["dump_snapshot"] = int(hasattr(torch.cuda.memory, "_dump_snapshot"))
    print(json.dumps(result))


main()
