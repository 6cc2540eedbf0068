#!/usr/bin/env bash
# Runs one body 100 times, or as often as the second argument says, for a count of its processes.
# The programs that an expansion can replace are what is counted:
# shellcheck disable=SC2001,SC2034

n=${2-100}
p=/usr/share/doc/report.tar.gz

case ${1-} in
  nothing)   for ((i = 0; i < n; i++)); do :; done ;;
  replace)   for ((i = 0; i < n; i++)); do x=${p//r/R}; done ;;
  sed)       for ((i = 0; i < n; i++)); do x=$(echo "$p" | sed s/r/R/g); done ;;
  upper)     for ((i = 0; i < n; i++)); do x=${p^^}; done ;;
  tr)        for ((i = 0; i < n; i++)); do x=$(echo "$p" | tr '[:lower:]' '[:upper:]'); done ;;
  substring) for ((i = 0; i < n; i++)); do x=${p:5:5}; done ;;
  cut)       for ((i = 0; i < n; i++)); do x=$(echo "$p" | cut -c 6-10); done ;;
  default)   for ((i = 0; i < n; i++)); do x=${p:-$(date)}; done ;;
  unset)     for ((i = 0; i < n; i++)); do x=${q:-$(date)}; done ;;
  *)         echo "usage: loop.sh BODY [TIMES]" >&2; exit 2 ;;
esac
