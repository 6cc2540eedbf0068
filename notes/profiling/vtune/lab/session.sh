#!/usr/bin/env bash
# What perf shows of a processor that this machine does not have.
show() {
  printf '$ %s\n' "$1"
  eval "$1" 2>&1
}
show 'export PERF_CPUID=GenuineIntel-6-8F-8'
show 'perf list metricgroup | grep Topdown'
show "perf list --details metric | grep -A2 '^  tma_dram_bound'"
show 'perf stat -e cycles true |& grep cycles'
exit 0
