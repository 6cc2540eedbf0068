#!/usr/bin/env bash
# Prints every command that it executes and what it prints, standard error included.
show() {
  printf '$ %s\n' "$1"
  eval "$1" 2>&1
}
case $1 in
topology)
  show 'lscpu -e=CPU,CORE,SOCKET,CACHE,ONLINE'
  show "lscpu | grep 'Thread(s) per core'"
  show 'grep . /sys/devices/system/cpu/cpu*/topology/thread_siblings_list'
  show 'grep . /sys/devices/system/cpu/smt/*'
  ;;
cores)
  show "cores=\$(lscpu -p=CORE,SOCKET | grep -v '#' | sort -u | wc -l)"
  show "one_each=\$(sed 's/[-,].*//' /sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list | sort -nu | paste -sd,)"
  show 'echo $cores cores: CPUs $one_each'
  show 'taskset -c $one_each nproc'
  ;;
esac
exit 0
