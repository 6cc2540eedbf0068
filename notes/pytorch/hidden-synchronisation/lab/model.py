"""A model of host and device: what reading a value costs a training step. Arithmetic, no GPU.

    python3 model.py LAUNCH READ HOST_WORK     a table; then, as JSON, microseconds and shares

A step has 100 kernels; LAUNCH, READ and HOST_WORK are microseconds of the host.
"""

import json
import sys

KERNELS, STEPS = 100, 50


def run(read_every, kernel, launch, read, host_work):
    """Microseconds per step, and the share of the host's time that is spent inside reads."""
    host = device = waited = 0
    for _ in range(STEPS):
        host += host_work                          # data loading, Python between steps
        for k in range(1, KERNELS + 1):
            host += launch                         # the host enqueues a kernel and goes on
            device = max(device, host) + kernel    # the device runs it when it is free
            if read_every and k % read_every == 0:
                begin, host = host, max(host, device) + read
                waited += host - begin
    end = max(host, device)
    return end / STEPS, waited / end


def main(arguments):
    if len(arguments) != 3:
        sys.exit("usage: model.py LAUNCH READ HOST_WORK")
    launch, read, host_work = map(int, arguments)
    result = {}
    for kernel in (40, 5):
        for name, short, every in (
            ("no read", "none", 0),
            ("one read per step", "one", 100),
            ("ten reads", "ten", 10),
            ("a read per kernel", "each", 1),
        ):
            t, share = run(every, kernel, launch, read, host_work)
            print(f"kernel {kernel:2} us  {name:18} {t:7.0f} us per step"
                  f"   host in reads {share:4.0%}")
            result |= {f"{short}_{kernel}": t, f"share_{short}_{kernel}": share}
    for kernel in (10, 20, 80, 160):               # for the plot: without and with one read
        for short, every in (("none", 0), ("one", 100)):
            result[f"{short}_{kernel}"] = run(every, kernel, launch, read, host_work)[0]
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
