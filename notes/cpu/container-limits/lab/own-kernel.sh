#!/bin/bash
# Runs a command as root in a Linux kernel of its own: User-Mode Linux, a kernel that is an ordinary
# process. The groups of the machine are out of its reach.
#     bash own-kernel.sh python3 limits.py steady
# The command sees the same files as here; what it prints comes back through a file.
set -u
out=$PWD/out.$$
init=$PWD/init.$$
{
    echo '#!/bin/bash'
    printf 'export PATH=%q LC_ALL=C\ncd %q\n' "$PATH:/usr/sbin:/sbin" "$PWD"
    echo 'mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t cgroup2 cgroup /sys/fs/cgroup'
    printf '%q ' "$@"
    printf '> %q 2>&1\n' "$out"
    printf 'echo $? > %q\n' "$out.status"
    echo 'echo o > /proc/sysrq-trigger; sleep 60'     # switch the kernel off
} > "$init"
chmod +x "$init"
touch "$out" "$out.status"
linux.uml mem=192M rootfstype=hostfs rootflags=/ rw init="$init" con=null con0=null,fd:1 \
    < /dev/null > "$out.console" 2>&1
cat "$out"
status=$(< "$out.status")
[[ $status ]] || { tail -n 20 "$out.console" >&2; status=1; }
rm -f "$out" "$out".* "$init"
exit "$status"
