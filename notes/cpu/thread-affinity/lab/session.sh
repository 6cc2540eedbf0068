#!/usr/bin/env bash
# Prints every command that it executes and what it prints, standard error included.
show() {
  printf '$ %s\n' "$1"
  eval "$1" 2>&1
}
case $1 in
masks)
  show 'export OMP_NUM_THREADS=2'
  show ./affinity
  show 'OMP_PROC_BIND=true ./affinity'
  show 'taskset -c 1 ./affinity'
  show "taskset -c 1 env OMP_PLACES='{0},{1}' ./affinity"
  show "taskset -c 1 env GOMP_CPU_AFFINITY='0 1' ./affinity"
  ;;
say)
  show 'export OMP_NUM_THREADS=2'
  show "export OMP_AFFINITY_FORMAT='thread %n of %N may use CPU %A'"
  show 'OMP_DISPLAY_AFFINITY=true OMP_PROC_BIND=true ./affinity count'
  show 'OMP_DISPLAY_ENV=true OMP_PLACES=cores ./affinity count |& grep -e BIND -e PLACES'
  show 'unset OMP_NUM_THREADS'
  show 'taskset -c 1 nproc'
  show 'OMP_NUM_THREADS=7 nproc'
  ;;
numa)
  show 'export OMP_NUM_THREADS=2'
  show 'numactl --show'
  show 'numactl --hardware | head -4'
  show 'numactl --physcpubind=1 --localalloc ./affinity'
  ;;
esac
exit 0
