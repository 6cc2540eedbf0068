#!/usr/bin/env bash
# Three kinds of [unknown], and a caller that is missing without any sign.
show() {
  printf '$ %s\n' "$1"
  eval "$1" 2>&1
}
show 'gcc -O2 -g -Wall -Wextra -fomit-frame-pointer -o without stacks.c'
show 'perf record -q -e cpu-clock:u -F 997 -g ./without chain'
show "perf script -F ip,sym,dso | awk -v RS= 'NR == 100'"
show 'gcc -O2 -Wall -Wextra -fno-omit-frame-pointer -s -o stripped stacks.c'
show 'perf record -q -e cpu-clock:u -F 997 -g ./stripped chain'
show "perf script -F ip,sym,dso | awk -v RS= 'NR == 100'"
show 'gcc -O2 -Wall -Wextra -fno-omit-frame-pointer -o jit jit.c'
show 'perf record -q -e cpu-clock:u -F 997 -g ./jit'
show "perf script -F ip,sym,dso | awk -v RS= 'NR == 100'"
show 'gcc -O2 -g -Wall -Wextra -fno-omit-frame-pointer -o with stacks.c'
show 'perf record -q -e cpu-clock:u -F 997 -g ./with strlen'
show "perf script -F ip,sym,dso | awk -v RS= 'NR == 100'"
show 'perf record -q -e cpu-clock:u -F 997 --call-graph dwarf ./with strlen'
show "perf script -F ip,sym,dso | awk -v RS= 'NR == 100'"
show 'perf script report flamegraph --format json --output stacks.json'
show 'perf --version'
exit 0
