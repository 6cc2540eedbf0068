#!/usr/bin/env bash
# Lets bash and dash start a program in the background in different ways, and prints as JSON in how many of
# them the program ignores SIGINT and SIGQUIT: the program itself, within a subshell, and all of these in
# the front. The program is a grep that looks at itself.
#
# Commands in single quotes are meant to stay as they are:
# shellcheck disable=SC2016

directly=('P' ': | P')
within=('(P)' '(P; :)' '{ P; }' 'f() { P; }; f' 'for i in 1; do P; done' ': && P')
program='grep SigIgn /proc/self/status'
both=6 # the bits of signals 2 (INT) and 3 (QUIT)

ignoring() {
  local shell=$1 end=$2 way mask count=0
  shift 2
  for way; do
    # A shell that starts with both ignored passes that on in every case.
    mask=$(env --default-signal=INT,QUIT "$shell" -c "${way//P/$program} $end wait")
    if (((16#${mask##*[[:space:]]} & both) == both)); then count=$((count + 1)); fi
  done
  echo "$count"
}

printf '{'
for shell in bash dash; do
  printf '"%s_directly": %d, ' "$shell" "$(ignoring "$shell" '&' "${directly[@]}")"
  printf '"%s_within": %d, ' "$shell" "$(ignoring "$shell" '&' "${within[@]}")"
  printf '"%s_front": %d' "$shell" "$(ignoring "$shell" ';' "${directly[@]}" "${within[@]}")"
  if [[ $shell == bash ]]; then printf ', '; fi
done
echo '}'
