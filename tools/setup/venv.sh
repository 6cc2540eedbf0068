#!/bin/sh
# Makes the environment .venv from hash-pinned requirements, and perfnotes in it.
#
#     tools/setup/venv.sh site    what building and serving the site needs
#     tools/setup/venv.sh dev     that, and what the tests need
#
# It does nothing while requirements, pyproject.toml, the Python and the place are those of the
# last run. Each stamp is written after its step is whole, so that an interrupted step is repeated.
# Of several at once, such as two `make` in two terminals, one works and the others wait.
set -eu
cd "$(dirname "$0")/../.."
. tools/setup/apt.sh

want=$1
turn=${2:-} # "taken" when this script calls itself
venv=.venv

# The Pythons for which the pinned packages have wheels.
oldest=11
newest=14

is_supported() {
    "$1" -c "import sys; sys.exit(not (3, $oldest) <= sys.version_info[:2] <= (3, $newest))" \
        >/dev/null 2>&1
}

find_python() {
    for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        if is_supported "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
    if [ -n "${PYTHON:-}" ]; then
        stop "PYTHON=$PYTHON is no Python 3.$oldest to 3.$newest that runs."
    elif command -v python3 >/dev/null 2>&1; then
        stop "Python 3.$oldest to 3.$newest is needed; python3 here is: $(python3 --version 2>&1)" \
            "make site PYTHON=/path/to/python3.$newest"
    else
        stop 'python3 is missing. This installs it:' "$(apt_command python3 python3-venv)"
    fi
}

# Debian and Ubuntu ship python3 without ensurepip, and venv then fails half way.
require_ensurepip() {
    if "$python" -c 'import venv, ensurepip; ensurepip.version()' >/dev/null 2>&1; then return; fi
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    package=python$version-venv
    default=$(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true)
    [ "$version" != "$default" ] || package=python3-venv
    stop "$python cannot make environments (ensurepip is missing). This installs it:" \
        "$(apt_command "$package")"
}

# An environment holds absolute paths, so the place is part of what it was made from.
place_and_python() {
    pwd -P
    "$python" -c 'import sys; print(sys.version_info[:2], sys.base_prefix)'
}

requirements_key() {
    { place_and_python; cat "requirements/$1.txt"; } | cksum
}

package_key() {
    { place_and_python; cat pyproject.toml tools/bin/perfnotes; } | cksum
}

stamped() {
    [ -x "$venv/bin/python" ] && [ "$(cat "$venv/.stamp-$1" 2>/dev/null)" = "$2" ]
}

pip_install() {
    quiet=--quiet
    [ ! -t 1 ] || quiet=''
    # shellcheck disable=SC2086
    "$venv/bin/python" -m pip install $quiet --disable-pip-version-check --no-input "$@" ||
        stop 'the environment is not complete; the message above says why. Then run it again.'
}

install_requirements() {
    key=$(requirements_key "$want")
    if stamped "$want" "$key"; then return; fi
    # The tests' requirements hold those of the site, at the same versions.
    if [ "$want" = site ] && stamped dev "$(requirements_key dev)"; then return; fi

    echo "perfnotes: installing what the $want environment needs into $venv (once)"
    if stamped site "$(requirements_key site)"; then
        rm -f "$venv"/.stamp-*
    else
        "$python" -m venv --clear "$venv"
    fi
    # Wheels only: building from source would fetch build tools that no hash covers.
    pip_install --require-hashes --only-binary :all: -r "requirements/$want.txt"
    echo "$key" >"$venv/.stamp-$want"
}

install_perfnotes() {
    key=$(package_key)
    if stamped package "$key" && [ -x "$venv/bin/perfnotes" ]; then return; fi
    rm -f "$venv/.stamp-package"
    pip_install --no-deps --no-build-isolation --editable .
    echo "$key" >"$venv/.stamp-package"
}

is_complete() {
    stamped package "$(package_key)" && [ -x "$venv/bin/perfnotes" ] || return 1
    if stamped "$want" "$(requirements_key "$want")"; then return; fi
    [ "$want" = site ] && stamped dev "$(requirements_key dev)"
}

# Runs this script again with a lock on its folder, which the system drops when the last of its
# processes has ended, however it ends. Not every system has flock(1), but here is a Python.
take_turn() {
    exec "$python" -c '
import fcntl, os, sys
folder = os.open("tools/setup", os.O_RDONLY)
try:
    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print("perfnotes: another process makes .venv; waiting for its end", file=sys.stderr)
    fcntl.flock(folder, fcntl.LOCK_EX)
except OSError:
    pass  # a file system without locks
os.set_inheritable(folder, True)
os.execv("/bin/sh", ["sh", "tools/setup/venv.sh", sys.argv[1], "taken"])
' "$want"
}

python=$(find_python)
require_ensurepip
if is_complete; then exit; fi
[ "$turn" = taken ] || take_turn
install_requirements
install_perfnotes
