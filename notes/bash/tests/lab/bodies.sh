#!/usr/bin/env bash
# Writes for each body two scripts that run it in a loop, NAME.1 once a turn and NAME.11 eleven
# times, so that their difference is the cost of ten bodies per turn.
#
#     bodies.sh TURNS
#
# The bodies are text here:
# shellcheck disable=SC2016

turns=${1:?usage: bodies.sh TURNS}
: > some.txt

body() {
  local copies c
  for copies in 1 11; do
    {
      printf 'x=abc; i=7; f=some.txt\nfor ((k = 0; k < %d; k++)); do\n' "$turns"
      for ((c = 0; c < copies; c++)); do printf '%s\n' "$2"; done
      echo 'done'
    } > "$1.$copies"
  done
}

body nothing ':'
body arithmetic '(( i == 7 ))'
body case 'case $x in abc) ;; esac'
body double '[[ $x == abc ]]'
body pattern '[[ $x == a* ]]'
body regex '[[ $x =~ ^a ]]'
body single '[ "$x" = abc ]'
body double_file '[[ -f $f ]]'
body single_file '[ -f "$f" ]'
body program '/usr/bin/[ "$x" = abc ]'
