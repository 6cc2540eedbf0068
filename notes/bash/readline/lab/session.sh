#!/usr/bin/env bash
# Gives the commands of one section of sessions.txt to a fresh bash, in an empty folder beside keys.py,
# and prints them and what they print. As at a prompt, messages name no line.
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

here=$(mktemp -d) || exit 1
trap 'rm -rf -- "$here"' EXIT
cp -- keys.py "$here" || exit 1
cd -- "$here" || exit 1

bash --norc -c '
  for line_; do
    printf "$ %s\n" "$line_"
    eval "$line_"
  done' bash "${lines[@]}" 2>&1 | sed 's/^bash: line [0-9]*: /bash: /'
