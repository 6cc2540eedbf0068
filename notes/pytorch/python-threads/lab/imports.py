"""Starts four processes with the given method; each imports what this file imports."""

import multiprocessing
import os
import sys

import heavy

if __name__ == "__main__":
    method, *preload = sys.argv[1:]
    context = multiprocessing.get_context(method)
    if preload:
        context.set_forkserver_preload(preload)
    processes = [context.Process(target=heavy.nothing) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    with open(os.environ["IMPORTS"]) as file:
        print(len(file.read()))
