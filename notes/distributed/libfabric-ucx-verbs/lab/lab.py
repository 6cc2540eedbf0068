"""Runs the programs with different settings, prints a table and, in the last line, its numbers.

python3 lab.py offers | asked | calls | sizes | refused | mpi | chain
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SENDS = ("sendto", "sendmsg", "sendmmsg")
COPIES = ("process_vm_readv", "process_vm_writev")
OPEN_MPI = ["mpirun.openmpi", "--oversubscribe", "-n", "2"]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
PROGRAMS = {
    # name: (what it runs, its variables)
    "ucx_posix": (["./ucp", "send"], {"UCX_TLS": "posix"}),
    "ucx_cma": (["./ucp", "send"], {"UCX_TLS": "posix,cma"}),
    "ucx_not_cma": (["./ucp", "send"], {"UCX_TLS": "^cma"}),
    "ucx_eager": (["./ucp", "send"], {"UCX_TLS": "^cma", "UCX_RNDV_THRESH": "inf"}),
    "ucx_tcp": (["./ucp", "send"], {"UCX_TLS": "tcp"}),
    "fi_shm": (["./fi", "send"], {"FI_PROVIDER": "shm"}),
    "fi_net": (["./fi", "send"], {"FI_PROVIDER": "net"}),
    "fi_tcp": (["./fi", "send"], {"FI_PROVIDER": "tcp"}),
    "openmpi": ([*OPEN_MPI, "--mca", "pml", "ob1", "--mca", "btl", "self,vader", "./mpi.openmpi"], {}),
    "openmpi_ucx": (
        [*OPEN_MPI, "--mca", "pml", "ucx", "--mca", "pml_ucx_tls", "any", "--mca", "pml_ucx_devices", "any"]
        + ["./mpi.openmpi"],
        {},
    ),
    "openmpi_ofi": ([*OPEN_MPI, "--mca", "pml", "cm", "--mca", "mtl", "ofi", "./mpi.openmpi"], {}),
    "mpich": (["mpiexec.mpich", "-n", "2", "./mpi.mpich"], {}),
}
WORDS = {
    "ucx_posix": "UCX        UCX_TLS=posix",
    "ucx_cma": "UCX        UCX_TLS=posix,cma",
    "ucx_not_cma": "UCX        UCX_TLS=^cma",
    "ucx_eager": "UCX        ^cma, RNDV_THRESH=inf",
    "ucx_tcp": "UCX        UCX_TLS=tcp",
    "fi_shm": "libfabric  FI_PROVIDER=shm",
    "fi_net": "libfabric  FI_PROVIDER=net",
    "fi_tcp": "libfabric  FI_PROVIDER=tcp",
    "openmpi": "Open MPI   pml ob1, btl vader",
    "openmpi_ucx": "Open MPI   pml ucx, any",
    "openmpi_ofi": "Open MPI   pml cm, mtl ofi",
    "mpich": "MPICH",
}


def run(command, **env):
    """The finished program, its output and its errors in one text."""
    return subprocess.run(
        list(map(str, command)),
        env={**ENVIRONMENT, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )


def traced(name, size, count):
    """Successful calls that send on a socket, and calls that copy from another process, of a whole run."""
    command, env = PROGRAMS[name]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        strace = ["strace", "-f", "-qq", "--seccomp-bpf", "-o", log, "-e", f"trace={','.join(SENDS + COPIES)}"]
        done = run([*strace, *command, size, count], **env)
        if done.returncode or "wrong" in done.stdout:
            raise SystemExit(f"{command}\n{done.stdout}")
        text = log.read_text()
    # A call during which another process was traced is printed in two parts: the second has the result.
    calls = re.findall(r"(\w+)(?:\(| resumed>).*\) += (-?\d+)", text)
    made = [call for call, result in calls if int(result) >= 0]
    return sum(call in SENDS for call in made), sum(call in COPIES for call in made)


def per_message(name, size):
    """The same for one message: what a longer run makes more, so that start and end do not count.

    Rounded to a tenth, since a call at the start may happen in one run and not in the other.
    """
    few, many = traced(name, size, 20), traced(name, size, 120)
    return tuple(round((b - a) / 200, 1) + 0.0 for a, b in zip(few, many))


def offers():
    seen = {}
    for line in run(["./fi", "offers"]).stdout.splitlines():
        kind, cap, *names = line.split()
        seen[kind, cap] = names
        print(f"{kind:12}{cap:10} {' '.join(names) or '-'}")
        yield f"{kind[6:]}_{cap[3:]}".lower(), len(set(names))
    print("first for FI_EP_RDM and FI_TAGGED")
    for value in ("", "tcp", "^tcp", "^tcp,net", "verbs,tcp", "verbs", "tpc"):
        done = run(["./fi", "send"], **({"FI_PROVIDER": value} if value else {}))
        print(f"  {'FI_PROVIDER=' + value if value else 'unset':22}  {done.stdout.splitlines()[0]}")
        yield "runs_" + (value.replace("^", "not_").replace(",", "_") or "unset"), int(done.returncode == 0)


def asked():
    settings = [{}]
    settings += [{"UCX_TLS": tls} for tls in ("sm", "tcp", "^cma", "rc,sm", "rc", "self")]
    settings += [{"UCX_NET_DEVICES": "mlx5_0:1"}, {"UCX_TLS": "tcp", "UCX_NET_DEVICES": "mlx5_0:1"}]
    settings += [{"UCX_TSL": "tcp"}]
    for env in settings:
        done = run(["./ucp", "lanes"], **env)
        text = " ".join(f"{name}={value}" for name, value in env.items())
        lanes = re.findall(r"lane\[\d+\]: +\d+:(\S+?)\.\d+ .*?(?:sysdev\S+) *(.*)", done.stdout)
        used = ", ".join(lane for lane, _ in lanes)
        said = re.findall(r"UCX +(WARN|ERROR) +(.*)", done.stdout)
        print(f"{text or 'nothing set'}\n    {used or 'fails'}")
        for level, words in dict.fromkeys(said):
            print(f"    {level} {words.replace('<no debug data>', '…').split(', please')[0].split(' (set UCX')[0]}")
        name = re.sub(r"\W+", "_", text.replace("^", "not_").replace("UCX_", "")).lower().strip("_") or "nothing"
        yield f"{name}_runs", int(done.returncode == 0)
        yield f"{name}_said", len(set(said))
        yield f"{name}_shm", int("sysv" in used or "posix" in used)
        yield f"{name}_tcp", int("tcp" in used)


def calls():
    print("calls for one message               8 B          64 KiB          1 MiB")
    print("                              sends copies   sends copies   sends copies")
    for name, words in WORDS.items():
        if name == "openmpi_ofi":
            continue
        row = []
        for label, size in (("8", 8), ("64k", 65536), ("1m", 1 << 20)):
            sends, copies = per_message(name, size)
            yield f"{name}_{label}_sends", sends
            yield f"{name}_{label}_copies", copies
            row.append(f"{sends:8g}{copies:7g}")
        print(f"{words:32}{''.join(row)[3:]}", flush=True)


def first_copy(name, **env):
    """The smallest size for which the receiver or sender copies from the other process."""
    command, more = PROGRAMS[name]
    PROGRAMS["now"] = (command, {**more, **env})
    below, above = 0, 1 << 20
    while above - below > 1:
        middle = (below + above) // 2
        if traced("now", middle, 5)[1] >= 10:
            above = middle
        else:
            below = middle
    return above


def sizes():
    print("smallest message that is copied by the kernel in one piece, bytes")
    rows = [
        ("ucx", "ucx_cma", "UCX, posix,cma", {}),
        ("ucx_rndv", "ucx_cma", "UCX, posix,cma, UCX_RNDV_THRESH=32k", {"UCX_RNDV_THRESH": "32k"}),
        ("fi", "fi_shm", "libfabric, shm", {}),
        ("openmpi", "openmpi", "Open MPI, pml ob1, btl vader", {}),
    ]
    for key, name, words, env in rows:
        size = first_copy(name, **env)
        print(f"{words:38}{size:8}", flush=True)
        yield key, size


def refused():
    """The kernel refuses to copy from another process, as in some containers: strace lets the calls fail."""
    print("two processes, 3 messages of 1 MiB each way; process_vm_readv fails with EPERM")
    inject = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=process_vm_readv"]
    inject += ["-e", "inject=process_vm_readv:error=EPERM"]
    rows = [
        ("ucx", "UCX, posix,cma", "ucx_cma", [], {}),
        ("ucx_not", "UCX, ^cma", "ucx_cma", [], {"UCX_TLS": "^cma"}),
        ("fi", "libfabric, shm", "fi_shm", [], {}),
        ("fi_not", "libfabric, shm, FI_SHM_DISABLE_CMA=1", "fi_shm", [], {"FI_SHM_DISABLE_CMA": "1"}),
        ("openmpi", "Open MPI", "openmpi", [], {}),
        ("openmpi_none", "  btl_vader_single_copy_mechanism none", "openmpi", ["none"], {}),
    ]
    for key, words, name, options, env in rows:
        command, more = PROGRAMS[name]
        if options:
            command = [*command[:-1], "--mca", "btl_vader_single_copy_mechanism", "none", command[-1]]
        done = run([*inject, *command, 1 << 20, 3], **{**more, **env})
        right = int(done.returncode == 0 and "wrong" not in done.stdout)
        errors = [re.sub(r"^\[.*?\]\s*", "", line).strip() for line in done.stdout.splitlines()]
        errors = [line for line in errors if re.search("process_vm|Read -1|fi_cq_read", line)]
        short = re.sub(r"\{.*\}", "{…}", re.sub(r"pid=\d+", "pid=…", errors[0])) if errors else ""
        # How many errors an aborting pair prints depends on which of the two ends first.
        print(f"{words:40}" + (f"right   {len(errors):3} errors" if right else "aborts"))
        if short:
            print(f"    {short}")
        yield f"{key}_right", right
        if right:
            yield f"{key}_errors", len(errors)


def mpi():
    print("                              in memory: libucp libfabric libibverbs")
    for name in ("openmpi", "openmpi_ucx", "mpich"):
        command, env = PROGRAMS[name]
        done = run([*command, 8, 1], **env)
        found = re.search(r"loaded (\d) (\d) (\d)", done.stdout)
        if not found:
            raise SystemExit(f"{command}\n{done.stdout}")
        loaded = list(map(int, found.groups()))
        print(f"{WORDS[name]:41}" + "".join(f"{('no', 'yes')[n]:>7}   " for n in loaded))
        for library, n in zip(("ucp", "fabric", "ibverbs"), loaded):
            yield f"{name}_{library}", n
    print("mpirun --mca pml ucx ./mpi")
    done = run([*OPEN_MPI, "--mca", "pml", "ucx", "./mpi.openmpi"])
    for line in sorted({re.sub(r"^\[.*?\] ", "", line) for line in done.stdout.splitlines() if "PML" in line}):
        print(f"    {line}")
    yield "pml_ucx_runs", int(done.returncode == 0)
    # With nothing but the loopback interface the provider cannot be opened afterwards; what is chosen is told before.
    base = PROGRAMS["openmpi_ofi"][0]
    base = [*base[:-1], "--mca", "mtl_base_verbose", "100", "--mca", "mtl_ofi_verbose", "10"]
    for key, options in (
        ("ofi", []),
        ("ofi_excluded", ["--mca", "mtl_ofi_provider_exclude", "shm,sockets,tcp,udp,rstream,usnic,net"]),
    ):
        print("mpirun --mca pml cm --mca mtl ofi …")
        done = run([*base, *options, "./mpi.openmpi"])
        lines = [re.sub(r"^\[.*?\] \S+mtl_ofi_component.c:\d+: ", "", line) for line in done.stdout.splitlines()]
        for line in dict.fromkeys(line for line in lines if re.match(r'mtl:ofi:(provider_exclude|prov:| ")', line)):
            print(f"    {line}")
        yield f"{key}_net", int("mtl:ofi:prov: net" in lines)


def chain():
    """Who asks the dynamic linker for whom, as LD_DEBUG=files tells it."""
    names = r"libuc[ptm]\.|libuct_|libfabric|libibverbs|librdmacm|libpsm|libefa\.|libmlx5|mca_(pml_ucx|mtl_ofi)"
    for key in ("ucx_cma", "fi_shm", "openmpi", "openmpi_ucx", "openmpi_ofi", "mpich"):
        command, env = PROGRAMS[key]
        log = run([*command, 8, 1], LD_DEBUG="files", **{**env, "UCX_TLS": "sm"}).stdout
        edges = {}
        for name, how, by in re.findall(r"file=(\S+) \[0\]; +(needed|dynamically loaded) by (\S+)", log):
            edges.setdefault(Path(name).name, (how.split()[0], Path(by).name))
        # The providers that libfabric looks for as separate files, all in vain, are not there.
        initialised = {Path(path).name for path in re.findall(r"calling init: (\S+)", log)}
        edges = {name: edge for name, edge in edges.items() if name in initialised and re.search(names, name)}
        print(WORDS[key].split("  ")[0].strip(), *WORDS[key].split("  ")[1:])
        for name, (how, by) in edges.items():
            print(f"    {by:28} {'opens' if how == 'dynamically' else 'needs'} {name}")
        yield f"{key}_libraries", len(edges)
        yield f"{key}_ibverbs", int("libibverbs.so.1" in edges)


def main():
    out = {}
    for name, value in {f.__name__: f for f in (offers, asked, calls, sizes, refused, mpi, chain)}[sys.argv[1]]():
        out[name] = value
    print(json.dumps(out))


if __name__ == "__main__":
    main()
