#!/usr/bin/env bash
# Runs one body 100 times, or as often as the second argument says, for a count of its system calls.

n=${2-100}
printf -v large '%70000s' x

case ${1-} in
  nothing) for ((i = 0; i < n; i++)); do :; done ;;
  inside)  for ((i = 0; i < n; i++)); do echo line >> out.txt; done ;;
  around)  for ((i = 0; i < n; i++)); do echo line; done > out.txt ;;
  kept)    exec 3> out.txt; for ((i = 0; i < n; i++)); do echo line >&3; done ;;
  small)   for ((i = 0; i < n; i++)); do read -r _ <<< x; done ;;
  large)   for ((i = 0; i < n; i++)); do read -r -n 1 _ <<< "$large"; done ;;
  process) for ((i = 0; i < n; i++)); do read -r _ < <(echo x); done ;;
  *)       echo "usage: loop.sh BODY [TIMES]" >&2; exit 2 ;;
esac
