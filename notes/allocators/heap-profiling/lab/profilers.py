"""What each heap profiler says of heapdemo, and what it costs, as JSON.

profilers.py massif|pages|dhat|heaptrack|memcheck   numbers that the tool prints of heapdemo
profilers.py jemalloc RUNS                          the leak, as often as it is sampled
profilers.py cost PAIRS ROUNDS                      ns per pair and step under every tool
"""

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

LEAK = 160  # bytes of each leaked block
TCMALLOC, JEMALLOC = "libtcmalloc.so.4", "libjemalloc.so.2"


def run(*command, **environment):
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    if done.returncode or "cannot be preloaded" in done.stderr:
        sys.exit(f"profilers.py: {' '.join(command)} failed: {done.stderr[-300:]}")
    return done.stdout, done.stderr


def number(pattern, text):
    found = re.search(pattern, text, re.MULTILINE)
    if not found:
        sys.exit(f"profilers.py: {pattern!r} is not in what the tool printed")
    return int(found[1].replace(",", ""))


def massif(*options):
    run("valgrind", "--tool=massif", *options, "--massif-out-file=m", "./heapdemo")
    text = Path("m").read_text()
    peak = next(s for s in text.split("#-----------\nsnapshot=") if "heap_tree=peak" in s)
    return peak, number(r"^mem_heap_B=(\d+)", peak)


def of_massif():
    peak, useful = massif()
    table = number(r"n\d+: (\d+) 0x\w+: peak_table", peak)
    return {
        "useful": useful,
        "table": table,
        "rooms": number(r"n\d+: (\d+) 0x\w+: roomy_buffer", peak),
        "churn": sum(int(n) for n in re.findall(r"n\d+: (\d+) 0x\w+: churn_line", peak)),
    }


def of_pages():
    peak, useful = massif("--pages-as-heap=yes")
    return {"peak": useful, "scratch": number(r"n\d+: (\d+) 0x\w+: mapped_scratch", peak)}


def of_dhat():
    run("valgrind", "--tool=dhat", "--dhat-out-file=d", "./heapdemo")
    data = json.loads(Path("d").read_text())
    found = {}
    for point in data["pps"]:
        # DHAT leaves its own malloc out only where the symbols of Valgrind itself are installed.
        frames = (data["ftbl"][f] for f in point["fs"])
        site = next(f for f in frames if "vgpreload" not in f).split(": ", 1)[1].split(" (")[0]
        name = re.match(r"peak_table|churn_line|roomy_buffer|leak_session|\?\?\?", site)
        if name:
            key = name[0].replace("???", "unnamed")
            found |= {
                f"{key}_bytes": point["tb"],
                f"{key}_blocks": point["tbk"],
                f"{key}_read": point["rb"],
                f"{key}_written": point["wb"],
                f"{key}_end": point["eb"],
                f"{key}_life": point["tl"] // point["tbk"],
            }
    return found


def of_heaptrack():
    run("heaptrack", "-o", "h", "./heapdemo")
    text, _ = run("heaptrack_print", "-f", str(next(Path().glob("h.*"))))
    return {
        "calls": number(r"^calls to allocation functions: (\d+)", text),
        "temporary": number(r"^temporary memory allocations: (\d+)", text),
    }


def of_memcheck():
    _, text = run("valgrind", "--leak-check=full", "./heapdemo")
    kind = r"{} lost: {}"
    count, blocks = r"([\d,]+) bytes", r"[\d,]+ bytes in ([\d,]+) blocks"
    return {
        "definite_bytes": number(kind.format("definitely", count), text),
        "definite_blocks": number(kind.format("definitely", blocks), text),
        "possible_bytes": number(kind.format("possibly", count), text),
        "possible_blocks": number(kind.format("possibly", blocks), text),
    }


def jemalloc_leak(*options):
    """Bytes of the blocks of 160, as sampled and scaled up; jeprof scales in the same way."""
    for old in Path().glob("j.*"):
        old.unlink()
    conf = ",".join(["prof:true", "prof_final:true", "prof_prefix:j", *options])
    run("./heapdemo", LD_PRELOAD=JEMALLOC, MALLOC_CONF=conf)
    text = next(Path().glob("j.*.heap")).read_text()
    rate = number(r"^heap_v2/(\d+)", text)
    scale = 1 / (1 - math.exp(-LEAK / rate))
    sites = re.findall(r"^@.*\n +t\*: (\d+): (\d+) ", text, re.MULTILINE)
    return sum(int(b) * scale for n, b in sites if int(n) and int(b) == LEAK * int(n))


def of_jemalloc(runs):
    return {
        "sampled": [jemalloc_leak() for _ in range(runs)],
        "every": round(jemalloc_leak("lg_prof_sample:0")),
    }


def cost(pairs, rounds):
    program = ["./pairs", str(pairs), str(rounds)]
    valgrind = ["valgrind", "-q"]
    settings = {
        "plain": (program, {}),
        "again": (program, {}),
        "je_off": (program, {"LD_PRELOAD": JEMALLOC}),
        "je_sampled": (program, {"LD_PRELOAD": JEMALLOC, "MALLOC_CONF": "prof:true"}),
        "je_every": (
            program,
            {"LD_PRELOAD": JEMALLOC, "MALLOC_CONF": "prof:true,lg_prof_sample:0"},
        ),
        "gperftools": (program, {"LD_PRELOAD": TCMALLOC, "HEAPPROFILE": "./c"}),
        "heaptrack": (["heaptrack", "-o", "c", *program], {}),
        "massif": ([*valgrind, "--tool=massif", "--massif-out-file=c.m", *program], {}),
        "dhat": ([*valgrind, "--tool=dhat", "--dhat-out-file=c.d", *program], {}),
    }
    found = {}
    for name, (command, environment) in settings.items():
        text, _ = run(*command, **environment)
        line = next(x for x in text.splitlines() if x.startswith("{"))
        for quantity, samples in json.loads(line).items():
            found[f"{name}_{quantity}"] = samples
    return found


TOOLS = {
    "massif": of_massif,
    "pages": of_pages,
    "dhat": of_dhat,
    "heaptrack": of_heaptrack,
    "memcheck": of_memcheck,
}
if len(sys.argv) == 2 and sys.argv[1] in TOOLS:
    print(json.dumps(TOOLS[sys.argv[1]]()))
elif len(sys.argv) == 3 and sys.argv[1] == "jemalloc":
    print(json.dumps(of_jemalloc(int(sys.argv[2]))))
elif len(sys.argv) == 4 and sys.argv[1] == "cost":
    print(json.dumps(cost(int(sys.argv[2]), int(sys.argv[3]))))
else:
    sys.exit("usage: profilers.py TOOL | jemalloc RUNS | cost PAIRS ROUNDS")
