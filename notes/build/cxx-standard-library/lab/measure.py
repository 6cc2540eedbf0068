"""Runs the programs of this folder and prints what was counted, as JSON.

measure.py counts PROGRAM    instructions of each piece under callgrind, and what it counted itself
measure.py streams           system calls and instructions of each way to read and write lines
measure.py builds            instructions of the same loops in several builds, over those with -O2
measure.py threads           threads that std::async starts, and whether counts are atomic
measure.py order             whether a sort by <= leaves its array
measure.py power             calls of pow that the compiler leaves
measure.py libcxx            what fits without an allocation in clang's library
"""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"measure.py: {' '.join(command)} failed: {done.stderr[-500:]}")
    return done.stdout


def counts(program):
    for old in Path().glob("out.*"):
        old.unlink()
    printed = run(
        "valgrind", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no",
        "--callgrind-out-file=out", f"./{program}",
    )  # fmt: skip
    found = json.loads(printed.splitlines()[-1])
    for file in sorted(Path().glob("out.*"), key=lambda file: int(file.suffix[1:])):
        text = file.read_text()
        named = re.search(r"^desc: Trigger: Client Request: (\w+)$", text, re.MULTILINE)
        if named:
            found[named[1]] = int(re.search(r"^totals: (\d+)", text, re.MULTILINE)[1])
            if named[1] == "throw_20":
                found["phdr_calls"] = calls(text, "dl_iterate_phdr")
                found["object_calls"] = calls(text, "_dl_find_object")
    return found


def calls(text, function):
    named = re.findall(r"^cfn=(.*)\ncalls=(\d+)", text, re.MULTILINE)
    return sum(int(n) for name, n in named if name.split("@")[0] == function)


def system_calls(names, command, **options):
    run("strace", "-f", "-e", f"trace={names}", "-o", "trace", *command, **options)
    return [line for line in Path("trace").read_text().splitlines() if "(" in line]


def instructions(command, **options):
    run("valgrind", "--tool=callgrind", "--callgrind-out-file=whole", *command, **options)
    return int(re.search(r"^totals: (\d+)", Path("whole").read_text(), re.MULTILINE)[1])


def to_terminal(command):
    """The number of writes when standard output is a terminal."""
    master, slave = pty.openpty()
    tracer = subprocess.Popen(
        ["strace", "-e", "trace=write,writev", "-o", "trace", *command], stdout=slave, close_fds=True
    )
    os.close(slave)
    try:
        while os.read(master, 65536):
            pass
    except OSError:
        pass  # the last one that had the terminal open has ended
    os.close(master)
    if tracer.wait():
        sys.exit("measure.py: the program on the terminal failed")
    return sum(line.startswith(("write(1,", "writev(1,")) for line in Path("trace").read_text().splitlines())


def streams():
    numbers = "".join(f"{n}\n" for n in range(10000))
    Path("numbers").write_text(numbers)
    Path("lines").write_text("".join("x" * 99 + "\n" for _ in range(10000)))
    modes = {
        "endl": ["endl"],
        "newline": ["newline"],
        "unsynced": ["newline", "unsynced"],
        "printf": ["printf"],
        "echo": ["echo"],
        "echo_unsynced": ["echo", "unsynced"],
        "echo_untied": ["echo", "untied"],
        "echo_both": ["echo", "unsynced", "untied"],
        "lines": ["lines"],
        "lines_unsynced": ["lines", "unsynced"],
    }
    found = {}
    nothing = instructions(["./streams", "nothing"])
    for name, mode in modes.items():
        file = "lines" if "lines" in mode else "numbers"
        with open(file) as given, open("/dev/null", "w") as sink:
            command = ["./streams", *mode]
            traced = subprocess.run(
                ["strace", "-e", "trace=read,write,writev", "-o", "trace", *command],
                stdin=given, stdout=sink, check=True,
            )  # fmt: skip
            assert traced.returncode == 0
        text = Path("trace").read_text()
        found[f"{name}_writes"] = len(re.findall(r"^writev?\(1,", text, re.MULTILINE))
        found[f"{name}_reads"] = len(re.findall(r"^read\(0,", text, re.MULTILINE))
        if "lines" in mode:
            with open(file) as given:
                found[name] = instructions(command, stdin=given) - nothing
    found["terminal"] = to_terminal(["./streams", "newline"])
    found["terminal_unsynced"] = to_terminal(["./streams", "newline", "unsynced"])
    return found


def builds():
    builds = {
        "plain": ["-O2"],
        "unoptimised": ["-O0"],
        "og": ["-Og"],
        "assertions": ["-O2", "-D_GLIBCXX_ASSERTIONS"],
        "debug": ["-O2", "-D_GLIBCXX_DEBUG"],
    }
    found = {}
    for name, options in builds.items():
        run("g++", "-std=c++20", *options, "-o", f"loop_{name}", "loop.cpp")
        start = instructions([f"./loop_{name}", "nothing", "2048"])
        for what in ("sort", "index"):
            found[f"{name}_{what}"] = instructions([f"./loop_{name}", what, "2048"]) - start
    return found


def threads():
    found = json.loads(run("./threads", "state"))
    for mode in ("async", "default", "deferred"):
        lines = system_calls("clone,clone3", ["./threads", mode])
        found[f"launch_{mode}"] = sum(bool(re.search(r"\bclone3?\(", line)) for line in lines)
    return found


def order():
    """Reads outside of the array, in a sort by <= of equal elements; the same with pointers crashes."""
    found = {}
    run("g++", "-std=c++20", "-O2", "-g", "-o", "order", "order.cpp")
    for comparison in ("equal", "less"):
        for n in (16, 17):
            done = subprocess.run(
                ["valgrind", "--error-exitcode=9", "./order", comparison, str(n)],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            found[f"{comparison}_{n}"] = int(done.returncode == 9)
    for n in (16, 17):
        done = subprocess.run(["./order", "pointers", str(n)], capture_output=True, check=False)
        found[f"signal_{n}"] = -done.returncode
    return found


def power():
    found = {}
    for name, options in {"plain": [], "fast": ["-ffast-math"]}.items():
        run("g++", "-O2", *options, "-c", "-o", "power.o", "power.cpp")
        text = run("objdump", "-dr", "--no-show-raw-insn", "power.o")
        for function in ("square", "cube"):
            body = re.search(rf"<{function}>:\n(.*?)(?:\n\n|\Z)", text, re.DOTALL)[1]
            found[f"{name}_{function}"] = len(re.findall(r"\bpow\b", body))
    return found


def libcxx():
    found = {}
    for name, compiler in {
        "gnu": ["g++"],
        "llvm": ["clang++", "-stdlib=libc++"],
    }.items():
        run(*compiler, "-std=c++20", "-O2", "-o", f"fits_{name}", "fits.cpp")
        for key, value in json.loads(run(f"./fits_{name}")).items():
            found[f"{name}_{key}"] = value
    return found


if __name__ == "__main__":
    what = globals()[sys.argv[1]]
    print(json.dumps(what(*sys.argv[2:])))
