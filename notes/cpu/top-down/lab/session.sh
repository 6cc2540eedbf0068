#!/usr/bin/env bash
# What perf says where no counters are.
show() {
  printf '$ %s\n' "$1"
  eval "$1" 2>&1
}
show 'perf stat -M TopdownL1 true |& head -1'
show 'perf stat --topdown true |& tail -1'
show "perf stat -e cycles,instructions true |& grep -e cycles -e instr"
show 'perf --version'
exit 0
