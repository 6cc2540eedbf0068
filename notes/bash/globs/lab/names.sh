#!/bin/bash
for f in $(ls *.txt); do rm $f; done
rm *
for f in "*.txt"; do rm "$f"; done
find . -name *.txt
[ -f *.txt ] && ls | grep txt
f=*.txt
for f in $1/*; do echo **/*.txt; done
