"""Counts what the compiler and BOLT said, and which ways to end leave a profile. Prints JSON."""

import json
import re
import subprocess
from pathlib import Path

MISMATCH = re.compile(r"(?:source locations|control flow|data) (?:for|of) function '(\w+)'")
MISSING = re.compile(r"profile for function '(\w+)' not found")
NO_FILE = re.compile(r"profile count data file not found")
STALE = re.compile(r"(\d+) \([\d.]+% of all profiled\) functions have invalid")

found = {}
for name in ("comment", "statement", "branch", "reversed", "moved", "renamed"):
    log = Path(f"{name}.first.log").read_text()
    found[f"{name}_mismatch"] = len(set(MISMATCH.findall(log)))
    found[f"{name}_missing"] = len(set(MISSING.findall(log)))
    found[f"{name}_failed"] = log.count("not built")
    found[f"{name}_lines"] = len(log.splitlines())
    found[f"{name}_no_file"] = len(NO_FILE.findall(log))
found["othername_no_file"] = len(NO_FILE.findall(Path("othername.log").read_text()))

for way in ("return", "_exit", "signal", "handler"):
    for old in Path().glob("ends*.gcda"):
        old.unlink()
    subprocess.run(["./ends", way], check=False)
    found[f"ends_{way.lstrip('_')}"] = len(list(Path().glob("ends*.gcda")))

for old in Path().glob("ends*.gcda"):
    old.unlink()
for _ in range(2):
    subprocess.run(["./ends", "return"], check=True)
dump = subprocess.run(["gcov-dump", *Path().glob("ends*.gcda")], capture_output=True, text=True, check=True)
runs = re.search(r"runs=(\d+)", dump.stdout)
found["runs"] = int(runs[1]) if runs else 0

for name in ("bolt", "bolt_statement", "bolt_branch", "bolt_reversed"):
    report = Path(f"{name}.work.log")
    stale = STALE.search(report.read_text()) if report.exists() else None
    found[f"{name}_stale"] = int(stale[1]) if stale else 0

print(json.dumps(found))
