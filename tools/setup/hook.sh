#!/bin/sh
# `perfnotes check` as pre-commit and git run it, with the environment that lies beside it.
#
# In a clone of this project the environment is yours to make (`make check` does). Where pre-commit
# has cloned this project for the notes of another, nobody would, so this makes it, once.
set -eu
project=$(cd "$(dirname "$0")/../.." && pwd -P)
if [ ! -x "$project/.venv/bin/perfnotes" ]; then
    if [ "$project" = "$(git rev-parse --show-toplevel 2>/dev/null)" ]; then
        echo 'perfnotes: there is no environment yet; run `make check` once, then commit again' >&2
        exit 1
    fi
    "$project/tools/setup/venv.sh" site >&2
fi
exec "$project/.venv/bin/perfnotes" check "$@"
