#!/usr/bin/env bash
# Writes the inputs of the lab: lines.txt, words.txt, a file of one line, and the locale en_US.UTF-8.

awk 'BEGIN { for (i = 1; i <= 1000; i++) print "line" i, i % 7 }' > lines.txt
awk 'BEGIN { x = 1; for (i = 0; i < 10000; i++) { s = ""; for (j = 0; j < 12; j++) {
  x = (x * 16807) % 2147483647; s = s sprintf("%c", 97 + x % 26) } print s } }' > words.txt
echo abc > few.txt
localedef -i en_US -f UTF-8 ./en_US.UTF-8
