#!/usr/bin/env bash
# The sessions that the note shows.
show() {
  printf '$ %s\n' "$1"
  eval "$1" 2>&1
}
case $1 in
table) show 'python3 -m cProfile -s tottime orders.py' ;;
start) show "python3 -S -X importtime -c 'import http.client' 2>&1 | sort -t'|' -k2 -n | tail -4" ;;
diff) show 'python3 grows.py' ;;
esac
exit 0
