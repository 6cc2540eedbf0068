#!/bin/sh
# Runs a command with its temporary files in memory, where there is plenty:
#
#     tools/setup/in_memory.sh COMMAND...
#
# The tests and the benchmark make and remove many sites. Without a journal, as on many virtual
# machines, ext4 gives out no inode of a file that was removed in the last minutes and looks at all
# of these for every new file: that was up to half of the time of a test run.
# A TMPDIR of one's own is left alone.
set -eu

NEEDS=8388608  # KiB

is_roomy() {
    [ "$(df --output=fstype /dev/shm 2>/dev/null | tail -n 1)" = tmpfs ] && [ -w /dev/shm ] &&
        [ "$(df --output=avail -k /dev/shm | tail -n 1)" -ge "$NEEDS" ] &&
        [ "$(awk '$1 == "MemAvailable:" {print $2}' /proc/meminfo)" -ge $((NEEDS * 2)) ]
}

# Labs are compiled and run there.
runs_programs() {
    printf '#!/bin/sh\n' >"$1/program"
    chmod +x "$1/program"
    "$1/program" 2>/dev/null && rm "$1/program"
}

if [ -n "${TMPDIR:-}" ] || ! is_roomy; then
    exec "$@"
fi
folder=$(mktemp -d /dev/shm/perfnotes.XXXXXX)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
if runs_programs "$folder"; then
    TMPDIR=$folder
    export TMPDIR
fi
"$@"
