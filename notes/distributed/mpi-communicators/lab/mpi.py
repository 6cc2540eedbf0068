"""Runs the programs with Open MPI and with MPICH, prints a table and, in the last line, its numbers.

python3 mpi.py create | holes | match | late | leak | balance | inherit
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# Shared memory without a system call that a sandbox forbids, and no network.
OPEN_MPI = ["mpirun.openmpi", "--oversubscribe", "--mca", "btl", "self,vader"]
OPEN_MPI += ["--mca", "btl_vader_single_copy_mechanism", "none"]
MPICH = ["mpiexec.mpich"]
SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "UCX_TLS": "self,posix",
    "UCX_LOG_LEVEL": "fatal",
}
BOTH = ("openmpi", "mpich")


def run(which, ranks, words, options=(), **env):
    """What one program prints."""
    start = OPEN_MPI if which == "openmpi" else MPICH
    command = [*start, *options, "-n", str(ranks), f"./{words[0]}.{which}", *map(str, words[1:])]
    done = subprocess.run(
        command, env={**os.environ, **SETTINGS, **env}, capture_output=True, text=True, timeout=200, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def monitored(ranks, kind, times):
    """Messages of a whole run, as the monitoring of Open MPI counts them: lines of E and of I."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--mca", "pml_monitoring_enable", "2", "--mca", "pml_monitoring_enable_output", "3"]
        run("openmpi", ranks, ("create", kind, times), [*options, "--mca", "pml_monitoring_filename", f"{folder}/rank"])
        lines = [line.split() for file in Path(folder).iterdir() for line in file.read_text().splitlines()]
        return sum(int(fields[5]) for fields in lines if fields and fields[0] in ("E", "I"))


def messages(which, ranks, kind):
    """Messages of all ranks for one communicator: the mean of ten.

    Both count calls that send one message to one rank, below the collectives. Not counted: messages of the
    start and the end of MPI, and with MPICH its active messages and synchronous sends.
    """
    if which == "openmpi":
        return (monitored(ranks, kind, 12) - monitored(ranks, kind, 2)) / 10
    # With this variable MPICH treats each rank as if it had a node of its own, so its collectives know no nodes.
    return int(run("mpich", ranks, ("create", kind, 10), MPIR_CVAR_NOLOCAL="1")) / 10


def create():
    kinds = {
        "group": "MPI_Group_union",
        "allreduce": "MPI_Allreduce of an int",
        "create_group": "MPI_Comm_create_group, 4 ranks",
        "dup": "MPI_Comm_dup",
        "create": "MPI_Comm_create, 4 + 4 ranks",
        "split": "MPI_Comm_split, 4 + 4 ranks",
        "alone": "MPI_Comm_split, 8 times 1 rank",
        "shared": "MPI_Comm_split_type, shared",
    }
    print("messages of all ranks                 Open MPI   MPICH")
    for kind, words in kinds.items():
        for which in BOTH if kind != "shared" else BOTH[:1]:
            yield f"{which}_{kind}", messages(which, 8, kind)
        yield None, f"8 ranks  {words:30}"
    for ranks in (2, 4):
        for which in BOTH:
            yield f"{which}_dup_{ranks}", messages(which, ranks, "dup")
        yield None, f"{ranks} ranks  {'MPI_Comm_dup':30}"


def holes():
    print("8 ranks, MPI_Comm_dup                Open MPI   MPICH")
    for pairs in (0, 1, 8, 32):
        for which in BOTH:
            yield f"{which}_{pairs}", messages(which, 8, f"holes{pairs}")
        yield None, f"{pairs:2} pairs of ids half free         "


def match():
    print("wrong numbers of 100        Open MPI         MPICH")
    print("                        caller library  caller library")
    for mode, words in (("same", "same communicator"), ("own", "a duplicate"), ("bcast", "same, collective")):
        for which in BOTH:
            caller, library = map(int, run(which, 2, ("match", mode)).split())
            yield f"{which}_{mode}_caller", caller
            yield f"{which}_{mode}_library", library
        yield None, f"{words:20}"


def late():
    print("8 ranks, the last is late               ranks that wait for it")
    print("                                 of     Open MPI   MPICH")
    kinds = {
        "dup": ("MPI_Comm_dup", 0),
        "split": ("MPI_Comm_split, UNDEFINED", 0),
        "shared": ("MPI_Comm_split_type", 0),
        "create": ("MPI_Comm_create, not in it", 0),
        "create_group": ("MPI_Comm_create_group, not in it", 4),
        "two_groups": ("the same, each half its own", 4),
        "idup": ("MPI_Comm_idup, before the wait", 7),
        "free": ("MPI_Comm_free", 7),
    }
    for kind, (words, free) in kinds.items():
        for which in BOTH:
            with tempfile.TemporaryDirectory() as folder:
                called, waited = map(int, run(which, 8, ("late", kind, f"{folder}/flag", free)).split())
            yield f"{which}_{kind}", waited
        yield None, f"{words:33}{called}  "


def leak():
    print("2 ranks, MPI_Comm_dup           made  error")
    for which, mode, most in (
        ("openmpi", "freed", 70000),
        ("openmpi", "kept", 70000),
        ("mpich", "freed", 70000),
        ("mpich", "kept", 70000),
        ("mpich", "apart", 70000),
    ):
        made, error = run(which, 2, ("leak", mode, most)).strip().split(" ", 1)
        name = {"openmpi": "Open MPI", "mpich": "MPICH"}[which]
        print(f"{name:9} {mode:16} {made:>9}  {error.strip().removeprefix('MPIR_Get_contextid_')}")
        yield f"{which}_{mode}", int(made)


def balance():
    for which in BOTH:
        for mode in ("kept", "freed"):
            print(f"{which}, 100 duplicates {mode}")
            lines = run(which, 2, ("leak", mode, 100), LD_PRELOAD=f"./balance.{which}.so").splitlines()
            lines = sorted(line for line in lines if line.startswith("rank "))
            print("\n".join(lines))
            words = lines[0].replace(",", "").split()
            yield f"{which}_{mode}", int(words[5]) - int(words[3])


def inherit():
    print("comes along from the old one    Open MPI            MPICH")
    print("                            attribute handler  attribute handler")
    rows = {which: [list(map(int, line.split())) for line in run(which, 2, ("inherit",)).splitlines()] for which in BOTH}
    for i, kind in enumerate(("dup", "split", "create", "create_group")):
        for which in BOTH:
            attribute, handler, congruent = rows[which][i]
            yield f"{which}_{kind}_attribute", attribute
            yield f"{which}_{kind}_handler", handler
            yield f"{which}_{kind}_congruent", congruent
        text = [("no", "yes")[rows[w][i][k]] for w in BOTH for k in (0, 1)]
        print(f"MPI_Comm_{kind:20}{text[0]:>8}{text[1]:>8}{text[2]:>11}{text[3]:>8}")


def main():
    out, row = {}, []
    for name, value in {f.__name__: f for f in (create, holes, match, late, leak, balance, inherit)}[sys.argv[1]]():
        if name is None:
            print(value + "".join(f"{number:9g}" for number in row))
            row = []
        else:
            out[name] = value
            row.append(value)
    print(json.dumps(out))


if __name__ == "__main__":
    main()
