"""What Memcheck and AddressSanitizer say of errors in an arena, as JSON.

tools.py errors              how many of four (two errors, two tools) are reported, for each place
tools.py lost WHAT OBJECTS   blocks and bytes that Memcheck calls lost; WHAT: leak or pile
"""

import json
import os
import re
import subprocess
import sys

ASAN = {"ASAN_OPTIONS": "detect_leaks=0"}


def printed(*command):
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | ASAN
    )
    return done.stderr


def number(pattern, text):
    found = re.search(pattern, text)
    if not found:
        sys.exit(f"tools.py: {pattern!r} is not in what the tool printed")
    return int(found[1].replace(",", ""))


def errors():
    found = {}
    for place in ("arena", "heap", "checked"):
        for error in ("none", "overflow", "stale"):
            log = printed("valgrind", "--leak-check=no", "./hidden", error, place)
            found[f"{place}_{error}_memcheck"] = number(r"ERROR SUMMARY: ([\d,]+)", log)
            log = printed("./hidden-asan", error, place)
            found[f"{place}_{error}_asan"] = log.count("ERROR: AddressSanitizer")
    for place in ("arena", "heap", "checked"):
        of_place = {name: n for name, n in found.items() if name.startswith(place)}
        found[f"{place}_seen"] = sum(n for name, n in of_place.items() if "_none_" not in name)
        found[f"{place}_false"] = sum(n for name, n in of_place.items() if "_none_" in name)
    return found


def lost(what, objects):
    found = {}
    log = printed("valgrind", "--leak-check=full", "./hidden", what, objects)
    for kind in ("definitely", "possibly"):
        found[f"{what}_{kind}_bytes"] = number(rf"{kind} lost: ([\d,]+) bytes in ", log)
        found[f"{what}_{kind}"] = number(rf"{kind} lost: [\d,]+ bytes in ([\d,]+)", log)
    return found


def main(words):
    match words:
        case ["errors"]:
            print(json.dumps(errors()))
        case ["lost", what, objects]:
            print(json.dumps(lost(what, objects)))
        case _:
            sys.exit(__doc__)


main(sys.argv[1:])
