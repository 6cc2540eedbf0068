"""What memray counts of memory that a C library allocates: a database of SQLite in memory."""

import json
import os
import sqlite3

import memray

MIB = 1 << 20
FILE = "native.bin"
if os.path.exists(FILE):
    os.remove(FILE)
database = sqlite3.connect(":memory:")
database.execute("create table held (block blob)")
with memray.Tracker(FILE, native_traces=True):  # as `memray run --native`
    for _ in range(64):
        database.execute("insert into held values (zeroblob(?))", (MIB,))
reader = memray.FileReader(FILE)
top = max(reader.get_high_watermark_allocation_records(), key=lambda record: record.size)
print(
    json.dumps(
        {
            "peak": reader.metadata.peak_memory / MIB,
            "share": 100 * top.size / reader.metadata.peak_memory,
            "line": top.stack_trace()[0][2],
        }
    )
)
os.remove(FILE)
