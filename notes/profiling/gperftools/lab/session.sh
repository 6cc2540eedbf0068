#!/usr/bin/env bash
# What the two implementations of pprof print of the same profiles.
show() {
  printf '$ %s\n' "$1"
  eval "$1" 2>&1
}
case $1 in
perl)
  show 'gcc -O2 -g -no-pie -Wall -Wextra -o work work.c'
  show 'CPUPROFILE=cpu.prof LD_PRELOAD=libprofiler.so.0 ./work shares'
  show 'google-pprof --text ./work cpu.prof'
  show 'CPUPROFILE=chain.prof LD_PRELOAD=libprofiler.so.0 ./work chain'
  show 'google-pprof --text ./work chain.prof'
  show 'google-pprof --text --no-auto-signal-frm ./work chain.prof'
  show 'CPUPROFILE=blocked.prof LD_PRELOAD=libprofiler.so.0 ./work blocked'
  show 'google-pprof --text ./work blocked.prof'
  ;;
go)
  show 'gcc -O2 -g -no-pie -Wall -Wextra -o work work.c'
  show 'GO111MODULE=off GOPATH=/usr/share/gocode go build -o pprof github.com/google/pprof'
  show 'CPUPROFILE=cpu.prof CPUPROFILE_FREQUENCY=4000 LD_PRELOAD=libprofiler.so.0 ./work shares'
  show 'zgrep CONFIG_HZ= /proc/config.gz'
  show './pprof -text ./work cpu.prof'
  show './pprof -text -sample_index=samples ./work cpu.prof'
  show 'CPUPROFILE=chain.prof LD_PRELOAD=libprofiler.so.0 ./work chain'
  show './pprof -text ./work chain.prof'
  show 'go tool pprof -text ./work chain.prof'
  ;;
heap)
  show 'g++ -O2 -g -no-pie -Wall -Wextra -o heap heap.cpp -ltcmalloc'
  show 'HEAPPROFILE=./h ./heap 100000'
  show 'head -4 h.0001.heap'
  show 'google-pprof --text ./heap h.0001.heap'
  show 'google-pprof --text --alloc_objects ./heap h.0001.heap'
  show 'TCMALLOC_SAMPLE_PARAMETER=524288 ./heap 1000000 s.heap thread'
  show 'head -3 s.heap'
  show "grep -c '^ *1: *64 ' s.heap"
  show 'google-pprof --text --inuse_objects ./heap s.heap'
  ;;
esac
exit 0
