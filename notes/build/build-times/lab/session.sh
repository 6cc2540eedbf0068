#!/usr/bin/env bash
# Gives the commands of one section of sessions.txt to a fresh bash, in a folder of their own with the
# small project of project.py, and prints them and what they print.
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

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 prepare.py "$1" "$folder" || exit
cd "$folder" || exit
bash --norc -c '
  for line_; do
    printf "$ %s\n" "$line_"
    eval "$line_"
  done' bash "${lines[@]}" 2>&1
exit 0
