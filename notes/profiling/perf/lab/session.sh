#!/usr/bin/env bash
# What perf prints on a machine without counters.
show() {
  printf '$ %s\n' "$1"
  eval "$1" 2>&1
}
show 'gcc -O2 -g -Wall -Wextra -o events events.c'
show 'perf stat -e cycles,instructions,task-clock,page-faults,page-faults:u,context-switches ./events read 5000'
show 'perf record -q -e cycles:upp true && perf evlist'
show 'gcc -O2 -g -no-pie -fno-omit-frame-pointer -Wall -Wextra -o work work.c'
show 'perf record -q -e cpu-clock:u -F 199 --call-graph dwarf ./work calls 1200'
show 'perf report --stdio -q -g none --percent-limit 1 -F overhead_children,overhead,sym'
show 'perf report --stdio -q -g none --percent-limit 1 --no-children -F overhead,sym'
show 'perf record -q -e cpu-clock:u -F 997 ./work chase 4000000'
show "perf annotate --stdio -q -s chase | grep -A1 -E '^ +[1-9][0-9.]+ '"
show "objdump -d --no-show-raw-insn --disassemble=chase work | grep -A1 'mov .*(%rax)'"
show 'perf record -q -e page-faults:u -F 99 ./events touch 20000'
show "perf report --stdio | grep -E 'Samples|count'"
show 'perf record -q -e page-faults:u -c 1 ./events touch 20000'
show "perf report --stdio | grep -E 'Samples|count'"
show 'gcc -O2 -no-pie -s -Wall -Wextra -o stripped work.c'
show 'perf record -q -e cpu-clock:u -F 997 ./stripped calls 1200'
show "perf report --stdio -q -F overhead,dso,sym | head -n 5"
show 'perf mem record true'
show 'perf --version'
exit 0
