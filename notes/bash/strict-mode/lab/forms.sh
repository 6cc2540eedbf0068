#!/usr/bin/env bash
# Runs both scripts of each entry of forms.txt with `bash -e`, and prints as JSON how many entries
# there are, and in how many each of the two scripts reached its end with status 0.

forms=0 wrong=0 mended=0
reaches() { [[ $(bash -ec "$1" 2> errors.txt) == reached ]]; }

name='' first=''
while IFS= read -r line; do
  case $line in
    '' | '#'*) name='' first='' ;;
    *)
      if [[ -z $name ]]; then
        name=$line
      elif [[ -z $first ]]; then
        first=$line
      else
        forms=$((forms + 1))
        if reaches "$first"; then wrong=$((wrong + 1)); else echo "stops: $name" >&2; fi
        if reaches "$line"; then mended=$((mended + 1)); echo "goes on: $name" >&2; fi
      fi
      ;;
  esac
done < forms.txt
printf '{"forms": %d, "wrong": %d, "mended": %d}\n' "$forms" "$wrong" "$mended"
