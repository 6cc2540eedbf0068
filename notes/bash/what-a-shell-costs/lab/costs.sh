#!/usr/bin/env bash
# Prints samples as JSON, with the variants interleaved.
#
#     costs.sh fork     CPU time of one turn in microseconds, of the shell and its children
#     costs.sh jobs     seconds that eight equal computations take, one to eight at a time
#
# The needless subshells are what is measured; `turn` is text for eval:
# shellcheck disable=SC2016,SC2034

if [[ ${1-} != fork && ${1-} != jobs ]]; then
  echo "usage: costs.sh fork | jobs" >&2
  exit 2
fi

samples=$PWD/samples.txt
: > "$samples"
add() { printf '%s %s\n' "$1" "$2" >> "$samples"; }

cpu() {  # cpu NAME TURNS BODY: nanoseconds of one turn
  local TIMEFORMAT='%3U %3S' turn user system
  turn="for ((k = 0; k < $2; k++)); do $3; done"
  { time eval "$turn" 2>&3 > /dev/null; } 3>&2 2> took.txt
  read -r user system < took.txt
  add "$1" "$(( (10#${user/./} + 10#${system/./}) * 1000000 / $2 ))"
}

jobs_at_once() {  # jobs_at_once NAME COUNT
  local TIMEFORMAT='%3R %3U %3S' real user system
  { time printf '%s\n' {1..8} | xargs -P "$2" -n 1 \
      bash -c 'for ((i = 0; i < 20000; i++)); do :; done'; } 2> took.txt
  read -r real user system < took.txt
  add "$1" "$real"
  add "$1_cpu" "$(( 10#${user/./} + 10#${system/./} ))"
}

for ((sample = 0; sample < 5; sample++)); do
  if [[ $1 == fork ]]; then
    cpu group 20000 '{ x=1; }'
    cpu again 20000 '{ x=1; }'
    cpu subshell 100 '(x=1)'
    cpu repeated 100 '(x=1)'
    cpu program 100 /bin/true
    (   # the array is made in a copy of the shell, which ends with it
      mapfile -t many < <(seq 300000)
      cpu large 50 '(x=1)'
      unset many
      cpu after 50 '(x=1)'
    )
  else
    jobs_at_once one 1
    jobs_at_once same 1
    jobs_at_once two 2
    jobs_at_once four 4
    jobs_at_once eight 8
  fi
done

awk '{ all[$1] = all[$1] (all[$1] == "" ? "" : ", ") $2 }
     END { for (name in all) { printf "%s\"%s\": [%s]", (n++ ? ", " : "{"), name, all[name] }
           print "}" }' "$samples"
