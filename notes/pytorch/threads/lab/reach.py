"""Whom torch.set_num_threads reaches: a table, and JSON on the last line.

Without an argument it starts itself once for each case, since a fork would change the answers.
"""

import json
import subprocess
import sys
import threading

import torch


def in_thread(work):
    answer = []
    thread = threading.Thread(target=lambda: answer.append(work()))
    thread.start()
    thread.join()
    return answer[0]


def caller():
    torch.set_num_threads(1)
    return torch.get_num_threads()


def new_thread():
    torch.set_num_threads(1)
    return in_thread(torch.get_num_threads)


def old_thread():
    asked, told = threading.Event(), threading.Event()
    answer = []

    def work():
        torch.ones(40_000)
        asked.set()
        told.wait()
        answer.append(torch.get_num_threads())

    thread = threading.Thread(target=work)
    thread.start()
    asked.wait()
    torch.set_num_threads(1)
    told.set()
    thread.join()
    return answer[0]


def interop():
    torch.set_num_interop_threads(3)
    torch.set_num_threads(1)
    return torch.get_num_interop_threads()


def main_that_has_run():
    torch.ones(40_000)
    in_thread(lambda: torch.set_num_threads(1))
    return torch.get_num_threads()


def main_that_has_not():
    in_thread(lambda: torch.set_num_threads(1))
    return torch.get_num_threads()


def later_thread():
    torch.ones(40_000)
    in_thread(lambda: torch.set_num_threads(1))
    return in_thread(torch.get_num_threads)


CASES = {
    "caller": ("the caller", caller),
    "new_thread": ("a thread started afterwards", new_thread),
    "old_thread": ("a thread that had run a large operator", old_thread),
    "interop": ("the inter-op pool, set to 3 before", interop),
    "main_that_has_run": ("the main thread, which had run one", main_that_has_run),
    "main_that_has_not": ("the main thread, which had not", main_that_has_not),
    "later_thread": ("a thread started after that", later_thread),
}


def ask(name):
    result = subprocess.run([sys.executable, __file__, name], capture_output=True, text=True, check=True)
    return int(result.stdout)


def main():
    found = {name: ask(name) for name in CASES}
    print("set_num_threads(1) in the main thread; afterwards have")
    for name, (text, _) in CASES.items():
        if name == "main_that_has_run":
            print("set_num_threads(1) in another thread; afterwards have")
        print(f"  {text:<40} {found[name]}")
    print(json.dumps(found))


if len(sys.argv) > 1:
    print(CASES[sys.argv[1]][1]())
else:
    main()
