#!/usr/bin/env bash
# Prints commands that ask a machine what it is, and what they print, standard error included.
show() {
  printf '$ %s\n' "$1"
  eval "$1" 2>&1
}
interface=$(ip route show default 2>/dev/null | awk '{for (i = 1; i < NF; i++) if ($i == "dev") {print $(i + 1); exit}}')
disk=$(lsblk -dno NAME,MOUNTPOINTS,TYPE 2>/dev/null | awk '/disk/ && !/zram|loop/ {print $1; exit}')
case $1 in
processor)
  show "lscpu | grep -e '^Model name' -e '^Hypervisor' -e ') per' -e 'NUMA node('"
  show 'lscpu -e=CPU,NODE,SOCKET,CORE,CACHE'
  show 'lscpu -C=NAME,ONE-SIZE,WAYS,SETS,ALL-SIZE'
  show 'lstopo-no-graphics --no-io'
  ;;
memory)
  show 'dmidecode -t 17'
  show 'ls /sys/firmware/dmi/tables'
  show 'numactl --hardware | head -3'
  show 'grep MemTotal /proc/meminfo /sys/devices/system/node/node0/meminfo'
  ;;
disk)
  show "lsblk -d -o NAME,TYPE,ROTA,SCHED,LOG-SEC,PHY-SEC,TRAN,MODEL /dev/$disk"
  show 'lspci'
  ;;
network)
  show "ethtool $interface | grep -e Speed -e Duplex -e 'Link det'"
  show "ethtool -i $interface | grep -e driver -e bus"
  show "ethtool -l $interface | tail -2"
  show 'ibv_devinfo'
  show 'rdma link'
  show 'fi_info -p verbs'
  show 'fi_info | grep provider | sort -u'
  ;;
esac
exit 0
