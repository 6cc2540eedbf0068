"""What the files that build.sh made export, relocate, call and do, as numbers.

Prints one JSON object. "own" counts names that the library defines itself.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

LIBRARIES = {
    **{
        name: f"lib{name}.so"
        for name in (
            "plain",
            "again",
            "hidden",
            "script",
            "symbolic",
            "functions",
            "nosemantic",
            "both",
            "lto",
            "ltoplain",
        )
    },
    **{
        f"words_{name}": f"words_{name}.so"
        for name in ("plain", "inlines", "hidden", "script", "both")
    },
}
# The tables by which the loader finds and connects names.
TABLES = r"\.(dynsym|dynstr|gnu\.hash|gnu\.version|rela\.dyn|rela\.plt|plt|plt\.got|got|got\.plt)"


def run(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a command with further environment variables."""
    return subprocess.run(
        command, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )


def exported(path: str) -> set[str]:
    """The names that a library defines for others."""
    lines = run("nm", "-D", "--defined-only", path).stdout.splitlines()
    return {line.split()[-1].partition("@")[0] for line in lines}


def relocations(path: str) -> list[tuple[str, str]]:
    """Type and symbol of each relocation; the symbol of a relative one is empty."""
    found = []
    for line in run("readelf", "-rW", path).stdout.splitlines():
        words = line.split()
        if len(words) > 3 and words[2].startswith("R_"):
            symbol = words[4].partition("@")[0] if len(words) > 4 else ""
            found.append((words[2], symbol))
    return found


def calls_by_plt(path: str) -> list[str]:
    """The functions that the code calls, or jumps to, through an entry of the PLT."""
    text = run("objdump", "-d", "--no-show-raw-insn", path).stdout
    return re.findall(r"\t(?:call|jmp|bnd jmp)q? +[0-9a-f]+ <(\w+)@plt>", text)


def table_bytes(path: str) -> int:
    """Bytes of the sections that exist for the sake of names and addresses."""
    text = run("readelf", "-SW", path).stdout
    rows = re.findall(rf"\] {TABLES} +\w+ +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+)", text)
    return sum(int(size, 16) for _name, size in rows)


def of_library(name: str, path: str) -> dict[str, int]:
    """The numbers of one library, each with the library's name before it."""
    own = exported(path)
    rows = relocations(path)
    calls = calls_by_plt(path)
    stripped = f"{path}.stripped"
    run("strip", "-o", stripped, path)
    return {
        f"{name}_exported": len(own),
        f"{name}_symbolic": sum(bool(symbol) for _type, symbol in rows),
        f"{name}_own": sum(symbol in own for _type, symbol in rows),
        f"{name}_relative": sum(not symbol for _type, symbol in rows),
        f"{name}_own_calls": sum(each in own for each in calls),
        f"{name}_tables": table_bytes(path),
        f"{name}_file": os.path.getsize(stripped),
    }


def lookups(program: str, folder: str = "") -> tuple[int, int]:
    """Symbols that the loader searches while a program starts, and files that it looks into.

    All names are bound at the start, so that both do not depend on which functions run.
    """
    done = run(program, LD_BIND_NOW="1", LD_DEBUG="symbols,bindings", LD_LIBRARY_PATH=folder)
    looks = re.findall(r"symbol=\S+; +lookup in file=", done.stderr)
    bindings = re.findall(r"binding file ", done.stderr)
    return len(bindings), len(looks)


def main() -> None:
    facts: dict[str, int] = {}
    for name, path in LIBRARIES.items():
        facts |= of_library(name, path)
    facts["whole_own_calls"] = sum(each in exported("whole") for each in calls_by_plt("whole"))
    for name in ("plain", "again", "hidden", "script", "symbolic", "both"):
        facts[f"{name}_bindings"], facts[f"{name}_looks"] = lookups("./use", name)
    for name in ("plain", "inlines", "hidden", "script", "both"):
        facts[f"words_{name}_bindings"], facts[f"words_{name}_looks"] = lookups(f"./ask_{name}")

    for name in ("plain", "hidden"):
        lines = run("nm", "-DC", "--defined-only", f"words_{name}.so").stdout.splitlines()
        facts[f"words_{name}_mine"] = sum("Basket" in line or "Counter" in line for line in lines)

    # Whose note_call does the library call?
    for name in ("plain", "hidden", "script", "symbolic", "functions", "nosemantic"):
        done = run("./clash", LD_LIBRARY_PATH=name)
        facts[f"clash_{name}"] = done.stdout.count("note_call of the program")
    for folder in ("kept", "dropped"):
        first, second = run("./both_parts", LD_LIBRARY_PATH=folder).stdout.split()
        facts[f"first_{folder}"], facts[f"second_{folder}"] = int(first), int(second)
        facts[f"second_{folder}_exported"] = len(exported(f"{folder}/libsecond.so"))
    for name in ("plain", "symbolic", "functions"):
        facts[f"level_{name}"] = int(run("./read_level", LD_LIBRARY_PATH=name).stdout)

    for kind in ("pie", "fixed"):
        for name in ("plain", "functions"):
            done = run(f"./same_{kind}", LD_LIBRARY_PATH=name)
            facts[f"same_{kind}_{name}"] = int(done.stdout)

    for visibility in ("default", "hidden"):
        for key, value in json.loads(run(f"./cast_{visibility}").stdout).items():
            facts[f"{visibility}_{key}"] = value

    for name in ("plain", "hidden"):
        done = run("gcc", "-O2", "-o", "wants", "wants.c", f"lib{name}.so")
        facts[f"link_{name}"] = done.returncode
    for name in ("member", "class"):
        done = run("g++", "-O2", "-o", "derive", "derive.cpp", f"./libarea_{name}.so")
        facts[f"derive_{name}"] = done.returncode
        facts[f"derive_{name}_typeinfo"] = done.stderr.count("`typeinfo for Area'")
    facts["host_status"] = run("./host").returncode
    facts["host_exports_status"] = run("./host_exports").returncode
    json.dump(facts, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
