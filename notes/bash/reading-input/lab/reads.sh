#!/usr/bin/env bash
# Reads the numbers from 1 to 1,000, a line each, in one of several ways, so that system calls can be
# counted.
#
#     reads.sh file|pipe|mapfile|mapfile-pipe|nothing

# The lines are only read:
# shellcheck disable=SC2034
case ${1-} in
  file) while IFS= read -r line; do :; done < numbers.txt ;;
  pipe) while IFS= read -r line; do :; done < <(printf '%s\n' {1..1000}) ;;
  mapfile) mapfile -t lines < numbers.txt ;;
  mapfile-pipe) mapfile -t lines < <(printf '%s\n' {1..1000}) ;;
  nothing) : ;;
  *)
    echo "usage: reads.sh file|pipe|mapfile|mapfile-pipe|nothing" >&2
    exit 2
    ;;
esac
