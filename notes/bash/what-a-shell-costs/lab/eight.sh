#!/usr/bin/env bash
# Runs twenty jobs, eight at a time, and says which failed.

job() { sleep "0.$(( $1 % 4 ))"; (( $1 % 5 )); }    # fails for 5, 10, 15 and 20

declare -A name=()
failed=()
reap() {
  local pid
  wait -n -p pid || failed+=("${name[$pid]}")
  unset "name[$pid]"
}
for i in {1..20}; do
  (( ${#name[@]} < 8 )) || reap
  job "$i" &
  name[$!]=$i
done
while (( ${#name[@]} )); do reap; done
printf 'failed: %s\n' "${failed[@]}" | sort -V
(( ${#failed[@]} == 0 ))
