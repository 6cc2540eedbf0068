#!/usr/bin/env bash
# Runs one body in a loop, for a count of the system calls by which a name is looked up.
#
#     loop.sh BODY TIMES

n=${2:?usage: loop.sh BODY TIMES}
case $1 in
  nothing)  for ((i = 0; i < n; i++)); do :; done ;;
  program)  for ((i = 0; i < n; i++)); do uname; done ;;
  subshell) for ((i = 0; i < n; i++)); do (uname; :); done ;;
  known)    hash uname; for ((i = 0; i < n; i++)); do (uname; :); done ;;
  command)  for ((i = 0; i < n; i++)); do command -v uname; done ;;
  which)    for ((i = 0; i < n; i++)); do which uname; done ;;
  *)        exit 2 ;;
esac > /dev/null
