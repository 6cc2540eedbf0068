"""Which weights are in the file if training goes on while a thread writes it; then the counts as JSON."""

import json
import threading
import warnings

import torch
import torch.distributed.checkpoint as dcp


def in_thread():
    """Saves the state itself in a thread, and changes it meanwhile."""
    weight, trained = torch.zeros(1 << 20), threading.Event()
    state = {"weight": weight}
    thread = threading.Thread(target=lambda: (trained.wait(), torch.save(state, "thread.pt")))
    thread.start()
    weight.add_(1)
    trained.set()
    thread.join()
    return torch.load("thread.pt")["weight"]


def asynchronous():
    """The same with async_save, which copies first."""
    weight = torch.zeros(1 << 20)
    future = dcp.async_save({"weight": weight}, checkpoint_id="asynchronous", no_dist=True)
    weight.add_(1)
    future.result()
    read = {"weight": torch.full_like(weight, 7)}
    dcp.load(read, checkpoint_id="asynchronous", no_dist=True)
    return read["weight"]


def main():
    warnings.simplefilter("ignore")
    result = {}
    for name, way in [("thread", in_thread), ("async", asynchronous)]:
        result[f"{name}_new"] = way().ne(0).sum().item()
        print(f"{name:<8}{result[f'{name}_new']:>9,} of {1 << 20:,} weights are those of the next step")
    print(json.dumps(result))


main()
