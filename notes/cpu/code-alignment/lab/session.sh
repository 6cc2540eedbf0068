#!/usr/bin/env bash
# Gives the commands of one section of sessions.txt to a fresh bash in a folder with the sources,
# and prints them and what they print.
#
#     session.sh NAME
#
# Commands in single quotes are meant to stay as they are:
# shellcheck disable=SC2016

lines=() found=0
while IFS= read -r line; do
  case $line in
    "== ${1-}") found=1 ;;
    "== "*) found=0 ;;
    ?*) if ((found)); then lines+=("$line"); fi ;;
  esac
done < sessions.txt
if ((${#lines[@]} == 0)); then
  echo "usage: session.sh NAME, a section of sessions.txt" >&2
  exit 2
fi

rm -rf "session_$1"
mkdir "session_$1"
cp hot.c hot.h main.c other.c "session_$1"
cd "session_$1" || exit
bash --norc -c '
  for line_; do
    printf "$ %s\n" "$line_"
    eval "$line_"
  done' bash "${lines[@]}" 2>&1
exit 0
