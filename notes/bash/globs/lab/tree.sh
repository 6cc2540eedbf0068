#!/usr/bin/env bash
# Makes the folder tree: ten folders with ten folders each, which hold two files each.

mkdir -p tree/d{0..9}/e{0..9}
for d in tree/d?/e?; do
  : > "$d/f.txt"
  : > "$d/g.c"
done
