#!/usr/bin/env bash
# The same program by time, by strace -c, and by strace -c -w.
show() {
  printf '$ %s\n' "$1"
  eval "$1" 2>&1
}
TIMEFORMAT='real %R  user %U  sys %S'
show 'gcc -O2 -g -Wall -Wextra -pthread -o waits waits.c'
show "export TIMEFORMAT='real %R  user %U  sys %S'"
show 'time ./waits pipe 100'
show 'strace -f -c ./waits pipe 100'
show 'strace -f -c -w ./waits pipe 100'
show 'strace --version | head -n 1; uname -r'
exit 0
