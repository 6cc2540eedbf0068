# shellcheck shell=sh
# Sourced by the scripts beside it: how to say, and how to run, one apt-get command.

# The command that a person can paste, for the packages given.
apt_command() {
    sudo='sudo '
    [ "$(id -u)" -ne 0 ] || sudo=''
    update=''
    # A fresh container has no package lists, and then nothing can be installed by name.
    if [ -z "$(find /var/lib/apt/lists -name '*Packages*' -print -quit 2>/dev/null)" ]; then
        update="${sudo}apt-get update && "
    fi
    printf '%s%sapt-get install -y --no-install-recommends %s\n' "$update" "$sudo" "$*"
}

# Whether this user may install packages without being asked for anything.
may_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    [ "$(id -u)" -eq 0 ] || sudo -n true >/dev/null 2>&1
}

# Installs the packages given. Lists are renewed first: stale ones name files that are gone. One
# broken source among many fails the update and not the installation, so only the latter counts.
apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update >&2 || true
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 \
        install -y --no-install-recommends "$@" >&2
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

# stop MESSAGE [LINE...]: ends the run; the lines are commands that help.
stop() {
    printf 'perfnotes: %s\n' "$1" >&2
    shift
    for line; do printf '    %s\n' "$line" >&2; done
    exit 1
}
