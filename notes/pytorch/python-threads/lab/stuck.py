"""Three ways in which a program stops for ever, each with one that ends: a table, JSON on the last line.

Without an argument it starts itself once for each way, and ends what has not ended after three seconds.
"""

import ctypes
import json
import multiprocessing
import os
import subprocess
import sys
import threading
import time

WAYS = {
    "fork_held": "fork while another thread holds a lock",
    "fork_free": "fork after that thread has let it go",
    "spawn_held": "spawn while another thread holds a lock",
    "pydll": "a mutex in C code, waited for with the GIL",
    "cdll": "a mutex in C code, waited for without it",
}
LOCK = threading.Lock()


def child():
    with LOCK:
        pass


def process_with_lock(method, held):
    """Starts a process while a thread holds LOCK, or after it."""
    taken, release = threading.Event(), threading.Event()

    def hold():
        with LOCK:
            taken.set()
            release.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait()
    if not held:
        release.set()
        thread.join()
    process = multiprocessing.get_context(method).Process(target=child)
    process.start()
    release.set()  # too late for a forked child: its copy of the lock stays taken
    thread.join()
    process.join()


def mutex_and_gil(with_lock):
    """One thread has a mutex of C code and wants the GIL; another has the GIL and wants the mutex."""
    library = ctypes.CDLL(None)
    lock = (ctypes.PyDLL(None) if with_lock else library).pthread_mutex_lock
    mutex = ctypes.create_string_buffer(128)
    library.pthread_mutex_lock(mutex)

    def other():
        time.sleep(0.5)  # releases the GIL; the main thread gets to the mutex meanwhile
        library.pthread_mutex_unlock(mutex)

    thread = threading.Thread(target=other)
    thread.start()
    lock(mutex)
    thread.join()


def run(way):
    if way in ("pydll", "cdll"):
        mutex_and_gil(way == "pydll")
    else:
        method, state = way.split("_")
        process_with_lock(method, state == "held")


def ends(way):
    process = subprocess.Popen([sys.executable, __file__, way], start_new_session=True)
    try:
        return int(process.wait(timeout=3) == 0)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()
        return 0


def main():
    if len(sys.argv) > 1:
        run(sys.argv[1])
        return
    found = {}
    print(f"{'way':<46} ends within 3 s")
    for way, label in WAYS.items():
        found[way] = ends(way)
        print(f"{label:<46} {'yes' if found[way] else 'no'}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
