#!/bin/bash
# What this machine says of itself.
say() {
    echo "\$ $1"
    eval "$1"
}
cd "$(dirname "$0")" || exit
say 'systemd-detect-virt --vm'
say 'lscpu | grep Hypervisor'
say 'grep -c -w hypervisor /proc/cpuinfo'
say './who'
say 'cat /sys/devices/system/clocksource/clocksource0/current_clocksource'
say 'strace -e trace=clock_gettime ./ask 1000 2>&1 | grep -c clock_gettime'
say './counters'
say 'ls -d /sys/devices/system/cpu/cpu0/cpufreq'
say "awk '/^cpu / { print \"steal\", (\$9 > 0 ? \"is reported\" : \"0\") }' /proc/stat"
