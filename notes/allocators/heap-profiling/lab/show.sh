#!/bin/bash
# Each tool on heapdemo, as one would run it by hand.
set -e
case $1 in
massif)
    valgrind -q --tool=massif --massif-out-file=massif.out ./heapdemo
    ms_print massif.out | grep -m 1 'time(i)'
    ms_print massif.out | grep -B 1 -A 5 -m 1 '^99.*heap allocation functions'
    ;;
dhat)
    valgrind -q --tool=dhat --dhat-out-file=dhat.out ./heapdemo 2>/dev/null
    python3 dhat_top.py dhat.out
    ;;
heaptrack)
    heaptrack -o ht ./heapdemo >/dev/null
    heaptrack_print -f ht.zst -p 0 -T 0 | grep -A 1 'calls to allocation functions with' | head -5
    heaptrack_print -f ht.zst -a 0 -p 0 -T 0 -l 1 | grep -A 1 'leaked over' | head -2
    heaptrack_print -f ht.zst | tail -5
    ;;
gperftools)
    export HEAPPROFILE=./gp
    LD_PRELOAD=libtcmalloc.so.4 ./heapdemo 2>&1
    HEAP_PROFILE_INUSE_INTERVAL=16777216 LD_PRELOAD=libtcmalloc.so.4 ./heapdemo 2>&1
    google-pprof --text ./heapdemo gp.0001.heap 2>/dev/null | head -3
    google-pprof --text --alloc_objects ./heapdemo gp.0002.heap 2>/dev/null | head -3
    ;;
jemalloc)
    MALLOC_CONF=prof:true,prof_final:true,prof_prefix:j LD_PRELOAD=libjemalloc.so.2 ./heapdemo
    jeprof --text ./heapdemo j.*.heap 2>/dev/null | head -2
    ;;
*)
    echo "usage: show.sh massif|dhat|heaptrack|gperftools|jemalloc" >&2
    exit 2
    ;;
esac
