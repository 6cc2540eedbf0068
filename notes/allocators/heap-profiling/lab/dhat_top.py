# dhat_top.py
import json
import sys
from pathlib import Path

d = json.loads(Path(sys.argv[1]).read_text())
print(
    f"{'bytes':>11} {'blocks':>9} {'at peak':>11} {'at end':>10} {'read':>9} {'written':>10}"
    f" {'life':>11}  site"
)
for p in sorted(d["pps"], key=lambda p: -p["tb"]):
    frames = (d["ftbl"][f] for f in p["fs"])
    site = next(f for f in frames if "vgpreload" not in f).split(": ", 1)[1].split(" (")[0]
    print(
        f"{p['tb']:11,} {p['tbk']:9,} {p['gb']:11,} {p['eb']:10,} {p['rb']:9,} {p['wb']:10,}"
        f" {p['tl'] // p['tbk']:11,}  {site}"
    )
