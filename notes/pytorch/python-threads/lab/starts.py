"""What processes import again, and what is pickled for them: a table, and JSON on the last line."""

import concurrent.futures
import json
import multiprocessing
import os
import subprocess
import sys
from multiprocessing import reduction, shared_memory

import tasks

MIB = 1 << 20
ITEMS = 1000
WAYS = {
    "fork": "fork",
    "spawn": "spawn",
    "forkserver": "forkserver",
    "forkserver_preload": "forkserver, the module preloaded",
}


def imports(way):
    """How often heavy.py is executed in all, with four processes."""
    method, *preload = way.split("_")
    environment = {**os.environ, "IMPORTS": f"imports-{way}"}
    command = [sys.executable, "imports.py", method, *(["heavy"] if preload else [])]
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    return int(done.stdout)


class Counted:
    """Messages that are pickled in this process, and their bytes, within the block."""

    def __enter__(self):
        self.messages = self.bytes = 0
        self.dumps = reduction.ForkingPickler.dumps
        reduction.ForkingPickler.dumps = self.count
        return self

    def count(self, value, protocol=None):
        pickled = self.dumps(value, protocol)
        if value is not None:  # a worker's end
            self.messages += 1
            self.bytes += len(pickled)
        return pickled

    def __exit__(self, *_):
        reduction.ForkingPickler.dumps = self.dumps


def messages(chunksize):
    """Messages for the same items through ProcessPoolExecutor.map."""
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(2, context) as pool, Counted() as counted:
        list(pool.map(tasks.nothing, range(ITEMS), chunksize=chunksize))
    return counted.messages


def pool_messages():
    """Messages for them through Pool.map, which chooses the chunks itself."""
    with multiprocessing.get_context("fork").Pool(2) as pool, Counted() as counted:
        pool.map(tasks.nothing, range(ITEMS))
        sent = counted.messages
        pool.close()
        pool.join()
    return sent


def pickled(shared):
    """Bytes pickled for four tasks that need the same 8 MiB."""
    data = bytes(8 * MIB)
    block = shared_memory.SharedMemory(create=True, size=len(data))
    block.buf[:] = data
    with multiprocessing.get_context("fork").Pool(2) as pool, Counted() as counted:
        if shared:
            sizes = pool.map(tasks.size_of, [block.name] * 4, chunksize=1)
        else:
            sizes = pool.map(tasks.size, [data] * 4, chunksize=1)
    block.close()
    block.unlink()
    if sizes != [len(data)] * 4:
        raise SystemExit(f"the tasks saw {sizes}")
    return counted.bytes


def main():
    found = {}
    print(f"{'4 processes, start method':<44} a module is executed")
    for way, label in WAYS.items():
        found[way] = imports(way)
        print(f"{label:<44} {found[way]:>20}")
    print(f"{'1,000 items, 2 workers':<44}     messages to them")
    found["chunk_1"], found["chunk_100"], found["pool"] = messages(1), messages(100), pool_messages()
    print(f"{'ProcessPoolExecutor.map':<44} {found['chunk_1']:>20}")
    print(f"{'ProcessPoolExecutor.map, chunksize=100':<44} {found['chunk_100']:>20}")
    print(f"{'Pool.map':<44} {found['pool']:>20}")
    print(f"{'4 tasks that need the same 8 MiB':<44} bytes pickled for them")
    found["sent"], found["named"] = pickled(False), pickled(True)
    print(f"{'as an argument':<44} {found['sent']:>20,}")
    print(f"{'in shared memory, by its name':<44} {found['named']:>20,}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
