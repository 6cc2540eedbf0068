#!/usr/bin/env bash
# Runs one body 100 times, or as often as the second argument says, for a count of its processes.
# shellcheck disable=SC2116  # the useless echo stands for any builtin

n=${2-100}
p=/usr/share/doc/report.txt

case ${1-} in
  empty)    for ((i = 0; i < n; i++)); do :; done ;;
  group)    for ((i = 0; i < n; i++)); do { x=$p; }; done ;;
  subshell) for ((i = 0; i < n; i++)); do (x=$p); done ;;
  command)  for ((i = 0; i < n; i++)); do x=$(echo "$p"); done ;;
  basename) for ((i = 0; i < n; i++)); do x=$(basename "$p"); done ;;
  strip)    for ((i = 0; i < n; i++)); do x=${p##*/}; done ;;
  pipe)     for ((i = 0; i < n; i++)); do echo "$p" | read -r x; done ;;
  string)   for ((i = 0; i < n; i++)); do read -r x <<< "$p"; done ;;
  process)  for ((i = 0; i < n; i++)); do read -r x < <(echo "$p"); done ;;
  *)        echo "usage: loop.sh empty | group | subshell | command | basename | strip | pipe |" \
              "string | process [TIMES]" >&2
            exit 2 ;;
esac
: "$x"
