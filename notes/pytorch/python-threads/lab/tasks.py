"""What the workers of starts.py are asked to do."""

from multiprocessing import shared_memory


def nothing(value):
    return value


def size(data):
    return len(data)


def size_of(name):
    block = shared_memory.SharedMemory(name)
    found = len(block.buf)
    block.close()
    return found
