#!/usr/bin/env bash
# Counts the words that expansions give, and prints JSON.
#
# Unquoted expansions are what this script is about:
# shellcheck disable=SC2048,SC2068,SC2086,SC2089,SC2090

here=$(mktemp -d) || exit 1
trap 'rm -rf -- "$here"' EXIT
cd -- "$here" || exit 1
: > a.txt
: > b.txt
: > 'c d.txt'
count() { echo $#; }

brace='{a,b}'
star='*.txt'
quotes='"a b"'
set -- 'a b' '' c
printf '{"brace_typed": %d, "brace_value": %d, ' "$(count {a,b})" "$(count $brace)"
printf '"star_bare": %d, "star_quoted": %d, ' "$(count $star)" "$(count "$star")"
printf '"quotes_typed": %d, "quotes_value": %d, ' "$(count "a b")" "$(count $quotes)"
printf '"at_quoted": %d, "star_joined": %d, ' "$(count "$@")" "$(count "$*")"
nothing=
printf '"empty_bare": %d, "empty_quoted": %d}\n' "$(count $nothing)" "$(count "$nothing")"
