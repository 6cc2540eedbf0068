"""Four processes over gloo of which one does something else: who notices, and who says which rank.

    python3 mismatch.py

Each case runs twice: without a setting and with TORCH_DISTRIBUTED_DEBUG=DETAIL. Rank 2 is the odd
one. Prints for each case how many ranks got an exception, how many of the messages name rank 2,
how many ranks went on with a wrong sum, and the first messages; then the counts as JSON.
"""

import json
import os
import re
import tempfile
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

RANKS, ODD = 4, 2
LIMIT = timedelta(seconds=5)
CASES = {
    "all call": "nobody differs",
    "missing": "rank 2 does not call it",
    "barrier": "rank 2 does not reach monitored_barrier",
    "other": "rank 2 calls broadcast",
    "shape": "rank 2 has 8 numbers, the others 4",
    "order": "rank 2 calls two of them in the other order",
}


def reduced(rank, case):
    """What the case does on this rank; returns whether a sum that it got is wrong."""
    value = torch.full((4,), rank + 1.0)
    if case == "barrier":
        if rank != ODD:
            dist.monitored_barrier(timeout=LIMIT, wait_all_ranks=True)
        return False
    if case == "missing" and rank == ODD:
        return False
    if case == "other" and rank == ODD:
        dist.broadcast(value, 0)
        return False
    if case == "shape" and rank == ODD:
        value = torch.full((8,), rank + 1.0)
    if case == "order":
        pair = [value, 10 * value]
        for tensor in pair if rank != ODD else reversed(pair):
            dist.all_reduce(tensor)
        return pair[0].tolist() != [10.0] * 4 or pair[1].tolist() != [100.0] * 4
    dist.all_reduce(value)
    return value.tolist() != [10.0] * len(value)


def first_line(error):
    """The message without the place in gloo's source."""
    text = str(error).partition("\n")[0]
    return re.sub(r"^\[/\S+\] ", "", text)


def last_recorded():
    """Number and name of the last all_reduce or broadcast in the flight recorder of this rank."""
    from torch._C._distributed_c10d import _dump_fr_trace_json  # noqa: PLC0415

    entries = json.loads(_dump_fr_trace_json())["entries"]
    last = entries[-1]
    return [last["collective_seq_id"], last["profiling_name"].removeprefix("gloo:")]


def rank_main(rank, case, file, folder, all_done):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    dist.set_debug_level_from_env()
    dist.init_process_group(
        "gloo", init_method=f"file://{file}", rank=rank, world_size=RANKS, timeout=LIMIT
    )
    dist.all_reduce(torch.zeros(1))
    message, wrong = None, False
    try:
        wrong = reduced(rank, case)
    except RuntimeError as error:
        message = first_line(error)
    told = {"message": message, "wrong": wrong, "recorded": last_recorded()}
    (Path(folder) / str(rank)).write_text(json.dumps(told))
    all_done.wait()
    os._exit(0)


def run(case):
    """What each rank reports."""
    with tempfile.TemporaryDirectory() as folder:
        barrier = mp.get_context("fork").Barrier(RANKS)
        arguments = (case, f"{folder}/meeting", folder, barrier)
        mp.start_processes(rank_main, args=arguments, nprocs=RANKS, start_method="fork")
        return [json.loads((Path(folder) / str(rank)).read_text()) for rank in range(RANKS)]


def names_the_odd_one(message):
    """Whether the message says of rank 2 that it did not come, or what it called."""
    return bool(re.search(r"Ranks 2 failed to pass|Rank 2 is running collective", message))


def short(message):
    """A message as it came, without the types of its tensors, broken where the other rank follows."""
    text = re.sub(r", TensorDtypes=.*?\)\)\)", ", ...)", message)
    return text.partition(".Collectives differ")[0].replace(": Coll", ":\n      Coll").replace(", but ", ",\n    but ")


def main():
    result = {}
    for level in ("", "DETAIL"):
        os.environ.pop("TORCH_DISTRIBUTED_DEBUG", None)
        if level:
            os.environ["TORCH_DISTRIBUTED_DEBUG"] = level
        print("with TORCH_DISTRIBUTED_DEBUG=DETAIL" if level else "without a setting", flush=True)
        print(f"  {'':44}exception  names rank 2  wrong sum")
        shown = []
        for case, words in CASES.items():
            told = run(case)
            messages = [rank["message"] for rank in told if rank["message"]]
            counts = {
                "raised": len(messages),
                "named": sum(map(names_the_odd_one, messages)),
                "wrong": sum(rank["wrong"] for rank in told),
            }
            print(f"  {words:44}{counts['raised']:9}{counts['named']:14}{counts['wrong']:11}")
            key = case.replace(" ", "_") + ("_detail" if level else "")
            result |= {f"{key}_{name}": count for name, count in counts.items()}
            if case == "missing" and not level:
                result |= {f"recorded_{rank}": told[rank]["recorded"][0] for rank in range(RANKS)}
                shown.append(
                    "flight recorder, last collective of ranks 0 to 3: "
                    + ", ".join(str(rank["recorded"][0]) for rank in told)
                )
            said = ("other",) if level else ("missing", "barrier")
            if case in said and told[0]["message"]:
                shown.append(f"{case}, rank 0: {short(told[0]['message'])}")
        print(*(f"  {line}" for line in shown), sep="\n", flush=True)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
