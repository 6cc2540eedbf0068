#!/bin/bash
n=0
cat hosts | while read host; do
  ssh "$host" uptime
  n=$((n + 1))
done
echo "$n"
for f in $(cat list); do echo "$f"; done
