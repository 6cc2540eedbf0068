"""What Valgrind's tools say of the programs here, as JSON.

tools.py addresses RUNS    in how many places the program lies, natively and under Valgrind
tools.py counts RUNS       how many different sets of totals Cachegrind prints for one command
tools.py bench             the times that kernels measures under Cachegrind
tools.py massif            bytes of the peak, with the last block freed or not, and DHAT's
tools.py use               how blocks are used, by DHAT
tools.py race              lost additions, and what Helgrind reports
tools.py bounds            errors that Memcheck and AddressSanitizer report
"""

import json
import re
import subprocess
import sys
from pathlib import Path

CACHES = ("--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,8,64")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"tools.py: {' '.join(command)} failed: {done.stderr[-300:]}")
    return done.stdout, done.stderr


def valgrind(tool, *command):
    return run("valgrind", f"--tool={tool}", *command)


def number(pattern, text):
    found = re.search(pattern, text, re.MULTILINE)
    if not found:
        sys.exit(f"tools.py: {pattern!r} is not in what the tool printed")
    return int(found[1].replace(",", ""))


def of_addresses(runs):
    found = {}
    for name, prefix in {"native": [], "valgrind": ["valgrind", "-q", "--tool=none"]}.items():
        printed = [run(*prefix, "./kernels", "addresses")[0].splitlines() for _ in range(runs)]
        found |= {
            f"places_{name}": len({places for places, _ in printed}),
            f"random_{name}": len({random for _, random in printed}),
        }
    return found


def of_counts(runs):
    found = {}
    for what in ("laps", "clock"):
        totals = set()
        for _ in range(runs):
            _, log = valgrind("cachegrind", *CACHES, "--cachegrind-out-file=c", "./kernels", what)
            lines = (line.split("== ", 1)[-1] for line in log.splitlines())
            totals.add(tuple(line for line in lines if re.match(r".*(refs|misses):", line)))
        found[what] = len(totals)
    return found


def of_bench():
    printed, _ = valgrind("cachegrind", *CACHES, "--cachegrind-out-file=c", "./kernels", "bench")
    return json.loads(printed)


def of_massif():
    found = {}
    for what in ("last", "freed"):
        valgrind("massif", "--massif-out-file=m", "./heap", what)
        snapshots = Path("m").read_text().split("#-----------\nsnapshot=")
        peak = next(s for s in snapshots if "heap_tree=peak" in s)
        found[f"peak_{what}"] = number(r"^mem_heap_B=(\d+)", peak)
        _, log = valgrind("dhat", "--dhat-out-file=d", "./heap", what)
        found[f"gmax_{what}"] = number(r"At t-gmax: *([\d,]+) bytes", log)
    return found


def each_byte(counts):
    """The accesses to each byte; DHAT writes a negative number for a run of equal counts."""
    spread, repeat = [], 1
    for count in counts:
        if count < 0:
            repeat = -count
        else:
            spread += [count] * repeat
            repeat = 1
    return spread


def of_use():
    valgrind("dhat", "--dhat-out-file=d", "./heap", "use")
    data = json.loads(Path("d").read_text())
    found = {}
    for point in data["pps"]:
        frames = (data["ftbl"][frame] for frame in point["fs"])
        site = next(frame for frame in frames if "vgpreload" not in frame)
        name = re.search(r": (\w+) \(heap\.c", site)
        if name:
            counts = each_byte(point.get("acc", []))
            found |= {
                f"{name[1]}_blocks": point["tbk"],
                f"{name[1]}_bytes": point["tb"],
                f"{name[1]}_read": point["rb"],
                f"{name[1]}_known": len(counts),
                f"{name[1]}_untouched": counts.count(0),
                f"{name[1]}_once": counts.count(1),
            }
    return found


def of_race():
    lost = r"^lost (\d+) of"
    found = {}
    for how in ("plain", "locked"):
        command = ["./race", how, "5", "20000000"]
        found[f"native_{how}"] = number(lost, run(*command)[0])
        found[f"valgrind_{how}"] = number(lost, valgrind("none", *command)[0])
        _, log = valgrind("helgrind", "./race", how, "1", "1000")
        found[f"helgrind_{how}"] = number(r"ERROR SUMMARY: (\d+) errors", log)
    return found


def of_bounds():
    found = {}
    for where in ("heap", "stack", "global"):
        name = {"global": "data"}.get(where, where)
        _, log = valgrind("memcheck", "./bounds", where)
        found[name] = number(r"ERROR SUMMARY: (\d+) errors", log)
        done = subprocess.run(["./bounds-asan", where], capture_output=True, text=True, check=False)
        found[f"asan_{name}"] = done.stderr.count("ERROR: AddressSanitizer")
    return found


def main(what, *rest):
    known = {
        "addresses": of_addresses,
        "counts": of_counts,
        "bench": of_bench,
        "massif": of_massif,
        "use": of_use,
        "race": of_race,
        "bounds": of_bounds,
    }
    print(json.dumps(known[what](*map(int, rest))))


if __name__ == "__main__":
    main(*sys.argv[1:])
