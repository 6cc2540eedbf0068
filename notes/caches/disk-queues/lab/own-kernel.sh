#!/bin/bash
# Runs a command as root in a Linux kernel of its own: User-Mode Linux, a kernel that is an ordinary
# process. It has 192 MiB of memory and two disks, files of this folder: /dev/ubda with an ext4 file
# system, and /dev/ubdb. This machine's disks are out of its reach.
#     bash own-kernel.sh python3 syncs.py each
# The command sees the same files as here; what it prints comes back through a file.
set -u
out=$PWD/out.$$
init=$PWD/init.$$
PATH=$PATH:/usr/sbin:/sbin
truncate -s 192M "$out.disk"
truncate -s 64M "$out.second"
mke2fs -q -t ext4 -b 4096 -E lazy_itable_init=0,lazy_journal_init=0 "$out.disk"
{
    echo '#!/bin/bash'
    printf 'export PATH=%q LC_ALL=C\ncd %q\n' "$PATH" "$PWD"
    echo 'mount -t proc proc /proc'
    printf '%q ' "$@"
    printf '> %q 2>&1\n' "$out"
    printf 'echo $? > %q\n' "$out.status"
    echo 'echo o > /proc/sysrq-trigger; sleep 60'     # switch the kernel off
} > "$init"
chmod +x "$init"
touch "$out" "$out.status"
linux.uml mem=192M ubd0="$out.disk" ubd1="$out.second" rootfstype=hostfs rootflags=/ rw \
    init="$init" con=null con0=null,fd:1 < /dev/null > "$out.console" 2>&1
cat "$out"
status=$(< "$out.status")
[[ $status ]] || { tail -n 20 "$out.console" >&2; status=1; }
rm -f "$out" "$out".* "$init"
exit "$status"
