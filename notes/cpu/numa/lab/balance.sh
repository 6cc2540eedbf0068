#!/bin/sh
# Automatic NUMA balancing: on, with a policy, for a process that stays, and off.
echo 1 > /proc/sys/kernel/numa_balancing
/balance default 40
/balance preferred 5 preferred
/balance bind 5 bind
/balance stay 5 stay
echo 0 > /proc/sys/kernel/numa_balancing
/balance off 5
