"""Which names of metrics Nsight Compute knows for a chip: those of nvprof, and those for today.

    python3 names.py gh100    one line for each pair, then the counts as JSON; needs ncu and no GPU
"""

import json
import subprocess
import sys

PAIRS = {  # as in NVIDIA's table of nvprof's metrics, without the suffixes
    "achieved_occupancy": "sm__warps_active",
    "sm_efficiency": "smsp__cycles_active",
    "ipc": "smsp__inst_executed",
    "gld_efficiency": "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld",
    "gld_transactions_per_request": (
        "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld"
    ),
    "local_load_transactions": "l1tex__t_sectors_pipe_lsu_mem_local_op_ld",
    "l2_tex_hit_rate": "lts__t_sector_hit_rate",
    "dram_read_bytes": "dram__bytes_read",
    "dram_utilization": "dram__throughput",
    "branch_efficiency": "smsp__sass_average_branch_targets_threads_uniform",
    "warp_execution_efficiency": "smsp__thread_inst_executed_per_inst_executed",
    "stall_memory_dependency": "smsp__warp_issue_stalled_long_scoreboard_per_warp_active",
}

listed = subprocess.run(
    ["ncu", "--query-metrics", "--chips", sys.argv[1]], capture_output=True, text=True, check=True
).stdout
known = {line.split()[0] for line in listed.splitlines() if "__" in line.split(" ", 1)[0]}
for old, new in PAIRS.items():
    print(f"{old:30}{'known' if old in known else 'gone':7}{'ok' if new in known else 'no'}")
counts = {"pairs": len(PAIRS), "metrics": len(known)}
counts["old"] = sum(old in known for old in PAIRS)
counts["new"] = sum(new in known for new in PAIRS.values())
print(json.dumps(counts))
