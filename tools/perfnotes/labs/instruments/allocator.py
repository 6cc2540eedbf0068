"""``allocator``: one program with several allocators, one after the other.

The program runs once with each allocator in ``allocators`` (glibc, tcmalloc, jemalloc, mimalloc),
which is preloaded; glibc needs no preload. Quantities per allocator: ``<allocator>_<quantity>`` for
what the program prints as JSON, in the ``units`` given, and ``<allocator>_max_rss`` (B). With
``statistics: true`` also two numbers that the allocator reports when the program ends, both in B:
``<allocator>_in_use`` (not for mimalloc), and ``<allocator>_system``, the bytes that it took from
the system and did not give back. The dynamic linker's log proves that each allocator was used, so
the run fails for a statically linked program.
"""

from __future__ import annotations

from perfnotes.labs.box import Box, Finished, LabError
from perfnotes.labs.instruments import Measurement, _malloc_statistics, _preload
from perfnotes.labs.instruments._call import command_of, execute, own_folder
from perfnotes.labs.instruments._printed import quantities
from perfnotes.labs.instruments._schema import COMMAND, UNITS, options
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples

ALLOCATORS = ("glibc", "tcmalloc", "jemalloc", "mimalloc")
OPTIONS = options(
    "command",
    command=COMMAND,
    allocators={
        "type": "array",
        "items": {"enum": list(ALLOCATORS)},
        "minItems": 1,
        "uniqueItems": True,
    },
    units=UNITS,
    statistics={"type": "boolean"},
)


def needs(run: Run) -> Needs:
    """The packages of the libraries; gcc as well if glibc's statistics are asked for."""
    packages = tuple(_preload.PACKAGES[a] for a in _allocators(run) if a in _preload.PACKAGES)
    if run.options.get("statistics") and "glibc" in _allocators(run):
        return Needs(tools=("gcc",), debian=(*packages, "gcc", "libc6-dev"))
    return Needs(debian=packages)


def measure(run: Run, box: Box) -> Measurement:
    """Run the program once with each allocator; the output is that of the first."""
    # All libraries are looked up before the first run, so that a missing one wastes no time.
    libraries = {a: _preload.find(a, run, box) for a in _allocators(run) if a != "glibc"}
    found: dict[str, Samples] = {}
    outputs = []
    for allocator in _allocators(run):
        done = _run(run, box, allocator, libraries.get(allocator, ""))
        outputs.append(done.stdout)
        mine = {"max_rss": Samples((done.max_rss,), "B")}
        if run.options.get("units") or done.stdout.rstrip().endswith("}"):
            mine |= quantities(done.stdout, run.options.get("units"))
        if run.options.get("statistics"):
            statistics = _malloc_statistics.read(allocator, done.stderr)
            names = {"in_use": "in_use", "from_system": "system"}
            mine |= {names[name]: Samples((value,), "B") for name, value in statistics.items()}
        found |= {f"{allocator}_{name}": samples for name, samples in mine.items()}
    return Measurement(found, outputs[0])


def _allocators(run: Run) -> list[str]:
    return list(run.options.get("allocators", ALLOCATORS))


def _run(run: Run, box: Box, allocator: str, library: str) -> Finished:
    command = command_of(run, box)
    for name in ("LD_PRELOAD", "LD_DEBUG", "LD_DEBUG_OUTPUT"):
        if name in run.env:
            raise LabError(f"env: this instrument sets {name} itself")
    with own_folder(box) as own:
        env = _preload.log_bindings(own)
        statistics = bool(run.options.get("statistics"))
        if statistics:
            env |= _malloc_statistics.ENVIRONMENT[allocator]
            if "MALLOC_CONF" in env and "MALLOC_CONF" in run.env:
                env["MALLOC_CONF"] += f",{run.env['MALLOC_CONF']}"
        if statistics and allocator == "glibc":
            (own / "tell.c").write_text(_malloc_statistics.SHIM, "utf-8")
            (own / "tell.c").chmod(0o644)  # for the user that the lab runs as
            library = str(own / "tell.so")
            build = ["gcc", "-O1", "-shared", "-fPIC", "-o", library, str(own / "tell.c")]
            box.execute(build, run.limits)
        if library:
            env["LD_PRELOAD"] = library
        # `env` sets the variables, so that they apply only to the program and its children.
        setting = [f"{name}={value}" for name, value in env.items()]
        done = execute(run, box, ["env", *setting, *command])
        shown = " ".join(command)
        used = "libc.so.6" if allocator == "glibc" else library
        _preload.read_bindings(box, own).require(allocator, used, shown)
    return done
