#!/bin/sh
# Provides the Debian packages that labs name, so that `make verify` runs them all, and bubblewrap,
# which makes the sandbox that they run in.
#
#     tools/setup/labs.sh            bubblewrap and what the labs of the notes need
#     tools/setup/labs.sh PACKAGE... these
#
# What is missing is installed where this user may do so without being asked; otherwise the run
# ends with the command that helps. A system without Debian's packages is left as it is: a lab
# that lacks something says so.
set -eu
cd "$(dirname "$0")/../.."
. tools/setup/apt.sh

command -v dpkg-query >/dev/null 2>&1 || exit 0

# Ubuntu's names for the same where they differ.
name_here() {
    case $1 in
    linux-perf)
        # Ubuntu's perf belongs to one kernel.
        for name in linux-perf "linux-tools-$(uname -r)" linux-tools-generic; do
            if is_known "$name"; then break; fi
        done
        echo "$name"
        ;;
    libtcmalloc-minimal4) if is_known "$1"; then echo "$1"; else echo "${1}t64"; fi ;;
    *) echo "$1" ;;
    esac
}

is_known() {
    is_installed "$1" || ! command -v apt-cache >/dev/null 2>&1 ||
        [ -n "$(apt-cache show "$1" 2>/dev/null | head -1)" ]
}

is_installed() {
    dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'
}

if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046
    set -- bubblewrap $(.venv/bin/perfnotes lab list --packages)
fi
wanted=''
for package; do
    is_installed "$package" || is_installed "${package}t64" || wanted="$wanted $package"
done
[ -n "$wanted" ] || exit 0

# shellcheck disable=SC2086
command=$(apt_command $wanted)
may_install || stop "the labs need$wanted. This installs it:" "$command"
echo "perfnotes: the labs need$wanted; installing it" >&2
as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update >&2 || true
packages=''
for package in $wanted; do packages="$packages $(name_here "$package")"; done
# shellcheck disable=SC2086
apt_install $packages || stop 'that did not work; by hand:' "$command"
