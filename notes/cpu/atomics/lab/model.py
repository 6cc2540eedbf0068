"""Enumerates every outcome of small programs under three models of a machine, and prints JSON.

sc      one step after the other, in the program's order
tso     stores wait in a queue of their core; loads may pass them, the queue is emptied in order
weak    a core may perform its steps in any order, except where an acquire load, a release store or
        a fence forbids it. Less than an Arm: no dependencies, no two-step atomics.

Under weak a release store and a later acquire load may change places ("rcpc") or not ("rcsc").
"""
import itertools
import json

# A step: ("store", place, order), ("load", place, order) or ("fence",)
FENCE = (("fence",),)


def buffering(store, load, fence=()):
    return (
        (("store", "x", store), *fence, ("load", "y", load)),
        (("store", "y", store), *fence, ("load", "x", load)),
    )


def passing(store, load):
    return (
        (("store", "x", ""), ("store", "y", store)),
        (("load", "y", load), ("load", "x", "")),
    )


def kept(first, second, rcsc):
    """Whether a weak machine performs first before second, in this program order."""
    if "fence" in (first[0], second[0]) or first[1] == second[1]:
        return True
    if first[0] == "load" and first[2] == "acquire":
        return True
    if second[0] == "store" and second[2] == "release":
        return True
    return rcsc and first[2:] == ("release",) and second[2:] == ("acquire",)


def orders(thread, rcsc):
    """The orders in which a weak machine may perform the steps of a thread."""
    for order in itertools.permutations(range(len(thread))):
        when = {step: k for k, step in enumerate(order)}
        pairs = itertools.combinations(range(len(thread)), 2)
        if all(when[a] < when[b] or not kept(thread[a], thread[b], rcsc) for a, b in pairs):
            yield tuple(thread[k] for k in order)


def explore(threads, buffered):
    """All outcomes: what the loads of each thread saw, by place."""
    seen, results = set(), set()
    start = (tuple(0 for _ in threads), tuple(() for _ in threads), (), ())
    work = [start]
    while work:
        state = work.pop()
        if state in seen:
            continue
        seen.add(state)
        at, queues, memory, loaded = state
        done = True
        for t, thread in enumerate(threads):
            if queues[t]:
                done = False
                emptied = queues[:t] + (queues[t][1:],) + queues[t + 1 :]
                work.append((at, emptied, tuple(sorted({*memory, queues[t][0]})), loaded))
            if at[t] == len(thread):
                continue
            done = False
            step = thread[at[t]]
            later = at[:t] + (at[t] + 1,) + at[t + 1 :]
            if step[0] == "store" and buffered:
                longer = queues[:t] + (queues[t] + (step[1],),) + queues[t + 1 :]
                work.append((later, longer, memory, loaded))
            elif step[0] == "store":
                work.append((later, queues, tuple(sorted({*memory, step[1]})), loaded))
            elif step[0] == "load":
                value = int(step[1] in memory or step[1] in queues[t])
                work.append((later, queues, memory, (*loaded, (t, step[1], value))))
            elif not queues[t]:  # a fence waits until the queue is empty
                work.append((later, queues, memory, loaded))
        if done:
            results.add(tuple(sorted(loaded)))
    return results


def outcomes(threads, model):
    if model in ("sc", "tso"):
        return explore(threads, model == "tso")
    ways = [list(orders(thread, model == "rcsc")) for thread in threads]
    return set().union(*(explore(choice, False) for choice in itertools.product(*ways)))


PROGRAMS = {
    "sb": (buffering("", ""), {(0, "y", 0), (1, "x", 0)}),
    "sb_ra": (buffering("release", "acquire"), {(0, "y", 0), (1, "x", 0)}),
    "sb_fence": (buffering("", "", FENCE), {(0, "y", 0), (1, "x", 0)}),
    "mp": (passing("", ""), {(1, "y", 1), (1, "x", 0)}),
    "mp_ra": (passing("release", "acquire"), {(1, "y", 1), (1, "x", 0)}),
}


def main():
    out = {}
    for name, (threads, surprise) in PROGRAMS.items():
        for model in ("sc", "tso", "rcpc", "rcsc"):
            found = outcomes(threads, model)
            out[f"{name}_{model}"] = len(found)
            out[f"{name}_{model}_surprise"] = sum(set(one) == surprise for one in found)
    print(json.dumps(out))


main()
