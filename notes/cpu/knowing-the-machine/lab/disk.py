"""Reads of 4 KiB at random places of a file, past the page cache: how long each one takes."""

import json
import mmap
import os
import random
import sys
import time

SIZE, BLOCK, READS = 64 << 20, 4096, int(sys.argv[1])
with open("random.bin", "wb") as file:
    file.writelines(os.urandom(1 << 20) for _ in range(SIZE >> 20))
    file.flush()
    os.fsync(file.fileno())
descriptor = os.open("random.bin", os.O_RDONLY | os.O_DIRECT)
buffer = mmap.mmap(-1, BLOCK)  # aligned to a page, as O_DIRECT wants it
places = random.Random(1)
took = []
for _ in range(READS):
    at = places.randrange(SIZE // BLOCK) * BLOCK
    start = time.monotonic()
    os.preadv(descriptor, [buffer], at)
    took.append(time.monotonic() - start)
print(json.dumps({"read": took}))
