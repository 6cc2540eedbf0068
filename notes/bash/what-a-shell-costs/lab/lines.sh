#!/usr/bin/env bash
# Reads the 1,000 lines of lines.txt in one of several ways, for a count of its system calls.
# shellcheck disable=SC2002,SC2034

case ${1-} in
  loop)    while IFS= read -r line; do :; done < lines.txt ;;
  pipe)    cat lines.txt | while IFS= read -r line; do :; done ;;
  mapfile) mapfile -t lines < lines.txt ;;
  sum)     s=0; while read -r _ x; do ((s += x)); done < lines.txt; echo "$s" ;;
  awk)     awk '{ s += $2 } END { print s }' lines.txt ;;
  one)     seq 1000 | xargs -n 1 /bin/true ;;
  hundred) seq 1000 | xargs -n 100 /bin/true ;;
  all)     seq 1000 | xargs /bin/true ;;
  *)       echo "usage: lines.sh WAY" >&2; exit 2 ;;
esac
