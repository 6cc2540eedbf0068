#!/bin/bash
# The tools by hand; prints what the note shows.
set -e
case $1 in
cachegrind)
    for loop in waiting busy; do
        valgrind -q --tool=cachegrind --cache-sim=no --cachegrind-out-file=$loop.out ./kernels $loop
        cg_annotate --auto=no $loop.out | grep ":$loop$" | sed 's|/.*/||'
    done
    ;;
massif)
    valgrind -q --tool=massif --massif-out-file=last.out ./heap last
    ms_print last.out | sed -n '/^Number of snapshots/,/^ Detailed/p'
    ms_print last.out | grep -E '^ +[0-9]+ +[0-9,]+ '
    ;;
helgrind)
    ./race plain 5 20000000
    valgrind -q --tool=none ./race plain 5 20000000
    valgrind --tool=helgrind ./race plain 1 1000 2>&1 | sed -n 's/^==[0-9]*== //p' |
        grep -E '^(Possible data race|This conflicts|ERROR SUMMARY)' | sed -E 's/0x[0-9A-F]+/ADDRESS/'
    ;;
*)
    echo "usage: show.sh cachegrind|massif|helgrind" >&2
    exit 2
    ;;
esac
