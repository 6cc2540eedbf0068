"""Count what perf's own tables say of top-down analysis, processor by processor.

`perf list` shows the tables of the processor that it runs on. The variable PERF_CPUID names another
one (vendor-family-model-stepping), so one machine can read the tables of all. Nothing is measured.

    python3 tables.py              one JSON object, for each processor: how many metrics; of the top-down tree the levels,
                                   the metrics, those whose words name an event to sample with, those with a threshold;
                                   and the events that the tree needs down to each level
    python3 tables.py PERF         the same with another perf program
    python3 tables.py PERF NAME    the tree of one processor, a line for each metric
"""
import json
import os
import re
import subprocess
import sys

PROCESSORS = {                                  # family, model and stepping, all but the family in hexadecimal
    "nehalem": "GenuineIntel-6-1A-5",
    "sandybridge": "GenuineIntel-6-2A-7",
    "haswell": "GenuineIntel-6-3C-3",
    "skylake": "GenuineIntel-6-5E-3",
    "cascadelake": "GenuineIntel-6-55-7",
    "icelake": "GenuineIntel-6-6A-6",           # Ice Lake server
    "sapphirerapids": "GenuineIntel-6-8F-8",
    "emeraldrapids": "GenuineIntel-6-CF-2",
    "graniterapids": "GenuineIntel-6-AD-1",
    "knightslanding": "GenuineIntel-6-57-1",
    "goldmontplus": "GenuineIntel-6-7A-1",
    "zen1": "AuthenticAMD-23-1-1",
    "zen2": "AuthenticAMD-23-31-0",
    "zen3": "AuthenticAMD-25-21-0",
    "zen4": "AuthenticAMD-25-11-1",
    "zen5": "AuthenticAMD-26-2-1",
    "unknown": "GenuineIntel-6-FF-1",           # no such processor: the control
}
LEVEL = re.compile(r"(?:Topdown|Pipeline)L([1-9])$")     # Intel's groups, and AMD's
WORDS = {"if", "else", "min", "max", "d_ratio", "source_count", "has_event", "duration_time"}


def listing(perf, cpuid, *options):
    """What perf prints with the tables of another processor, or nothing if it knows no such option."""
    run = subprocess.run([perf, "list", *options], env={**os.environ, "PERF_CPUID": cpuid}, capture_output=True, text=True)
    return run.stdout if run.returncode == 0 else ""


def from_json(text):
    """perf since Linux 6.2: an object for each metric and group."""
    for row in json.loads(text):
        if "MetricName" in row:
            groups = [group for group in row.get("MetricGroup", "").split(";") if group]
            words = row.get("BriefDescription", "") + " " + row.get("PublicDescription", "")
            yield row["MetricName"], groups, row.get("MetricExpr", ""), words, "MetricThreshold" in row


def from_text(text):
    """perf 6.1: behind the events, blocks of `Group:`, `  metric`, `       [words]`, `       [formula]`."""
    group, name, notes = None, None, []
    for line in text.splitlines() + ["end:"]:
        ends = re.match(r"(\w+):$", line) or re.match(r"  (\w+)$", line)
        if ends and name and notes:
            yield name, [group], notes[-1], " ".join(notes[:-1]), False
        if re.match(r"\w+:$", line):
            group, name, notes = line[:-1], None, []
        elif re.match(r"  \w+$", line):
            name, notes = line.strip(), []
        elif name and re.match(r"       \[.*\]$", line):
            notes.append(line.strip()[1:-1])


def table(perf, cpuid):
    """The metrics of a processor: {name: [groups, formulas, words, has a threshold]}."""
    text = listing(perf, cpuid, "--json")
    rows = from_json(text) if text else from_text(listing(perf, cpuid, "--details", "--long-desc"))
    metrics = {}
    for name, groups, formula, words, limit in rows:
        known = metrics.setdefault(name, [set(), set(), "", False])
        known[0].update(groups)
        known[1].add(formula)
        known[2] += words
        known[3] |= limit
    return metrics


def events(metrics, name, seen):
    """The events that a metric needs, through the metrics that its formula names."""
    found = set()
    for formula in metrics[name][1]:
        formula = re.sub(r"#\w+", " ", formula.replace("\\-", "-"))       # constants such as #SMT_on
        for word in re.findall(r"\w+@[^@]*@|(?<![\w.])[A-Za-z_][\w.:]*(?:-[A-Za-z][\w-]*)*", formula):
            if word in metrics:
                if word not in seen:
                    seen.add(word)
                    found |= events(metrics, word, seen)
            elif word not in WORDS:
                found.add(word)
    return found


def tree(metrics):
    """{metric: its lowest level} of the metrics in the top-down groups."""
    levels = {}
    for name, (groups, *_) in metrics.items():
        numbers = [int(hit[1]) for hit in map(LEVEL.match, groups) if hit]
        if numbers:
            levels[name] = min(numbers)
    return levels


def main(perf="perf", only=None):
    if only:
        metrics = table(perf, PROCESSORS[only])
        for name, level in sorted(tree(metrics).items(), key=lambda row: (row[1], row[0])):
            print(level, name, len(events(metrics, name, {name})))
        return
    out = {}
    for processor, cpuid in PROCESSORS.items():
        metrics = table(perf, cpuid)
        levels = tree(metrics)
        out[f"{processor}_metrics"] = len(metrics)
        out[f"{processor}_levels"] = max(levels.values(), default=0)
        out[f"{processor}_tree"] = len(levels)
        out[f"{processor}_located"] = sum("Sample with" in metrics[name][2] for name in levels)
        out[f"{processor}_limits"] = sum(metrics[name][3] for name in levels)
        for deepest in range(1, 7):
            needed = set()
            for name, level in levels.items():
                if level <= deepest:
                    needed |= events(metrics, name, {name})
            out[f"{processor}_events{deepest}"] = len(needed)
    print(json.dumps(out))


main(*sys.argv[1:])
