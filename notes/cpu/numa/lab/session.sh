#!/bin/sh
# Prints every command that it runs in the guest, and what that prints.
show() {
  printf '$ %s\n' "$1"
  eval "$1" 2>&1
}
show 'uname -sr'
show 'numactl --hardware'
show 'cat /sys/bus/pci/devices/0000:00:00.0/numa_node /proc/sys/vm/zone_reclaim_mode'
show 'numactl --physcpubind=1 --membind=0 ./place hold &'
sleep 4
PID=$(pidof place)
show 'numastat -p $PID'
show 'grep anon=8192 /proc/$PID/numa_maps'
show 'migratepages $PID 0 1; grep anon=8192 /proc/$PID/numa_maps'
kill "$PID"
mkdir /cg
mount -t cgroup2 cgroup2 /cg
echo +cpuset > /cg/cgroup.subtree_control
mkdir /cg/box
echo 0 > /cg/box/cpuset.mems
echo $$ > /cg/box/cgroup.procs
show 'grep Mems_allowed_list /proc/self/status'
show 'numactl --membind=1 true 2>&1 | head -1'
echo $$ > /cg/cgroup.procs
show './refuse numactl --membind=1 echo started'
show './refuse numactl --cpunodebind=1 echo started'
show './refuse grep Seccomp: /proc/self/status'
exit 0
