#!/usr/bin/env bash
# Runs one body 100 times, or as often as the second argument says, for a count of its processes.
# The useless cat and the needless subshells are what is counted:
# shellcheck disable=SC2002,SC2018,SC2019,SC2034,SC2216

n=${2-100}
printf 'one line\n' > one.txt

case ${1-} in
  nothing)   for ((i = 0; i < n; i++)); do :; done ;;
  group)     for ((i = 0; i < n; i++)); do { x=1; }; done ;;
  call)      f() { x=1; }; for ((i = 0; i < n; i++)); do f; done ;;
  subshell)  for ((i = 0; i < n; i++)); do (x=1); done ;;
  program)   for ((i = 0; i < n; i++)); do /bin/true; done ;;
  wrapped)   for ((i = 0; i < n; i++)); do (/bin/true); done ;;
  list)      for ((i = 0; i < n; i++)); do (/bin/true; :); done ;;
  cat)       for ((i = 0; i < n; i++)); do x=$(cat one.txt); done ;;
  contents)  for ((i = 0; i < n; i++)); do x=$(< one.txt); done ;;
  read)      for ((i = 0; i < n; i++)); do read -r x < one.txt; done ;;
  catpipe)   for ((i = 0; i < n; i++)); do x=$(cat one.txt | tr a-z A-Z); done ;;
  input)     for ((i = 0; i < n; i++)); do x=$(tr a-z A-Z < one.txt); done ;;
  upper)     for ((i = 0; i < n; i++)); do read -r x < one.txt; x=${x^^}; done ;;
  date)      for ((i = 0; i < n; i++)); do x=$(date +%s%N); done ;;
  clock)     for ((i = 0; i < n; i++)); do x=$EPOCHREALTIME; done ;;
  *)         echo "usage: loop.sh BODY [TIMES]" >&2; exit 2 ;;
esac
