#!/usr/bin/env bash
# Counts the words that a list of files becomes, and prints JSON.
#
#     words.sh          counts for four files, and for five, one of them called "*"
#     words.sh show     the words themselves, one per line in angle brackets
#
# Unquoted expansions, loops over ls and a counter lost in a pipe are what this script is about:
# shellcheck disable=SC2016,SC2030,SC2031,SC2035,SC2045,SC2046,SC2068

set -u
unset QUOTING_STYLE     # ls would obey it; its output to a pipe is plain otherwise

here=$(mktemp -d) || exit 1
trap 'rm -rf -- "$here"' EXIT
cd -- "$here" || exit 1

count() { echo $#; }

existing() {
  local found=0 word
  for word; do
    if [[ -e $word ]]; then found=$((found + 1)); fi
  done
  echo "$found"
}

: > 'report.txt'            # one word
: > 'two words.txt'         # two
: > 'a long name.txt'       # three
: > $'line one\nline.txt'   # three: a newline separates as well as a blank

if [[ ${1-} == show ]]; then
  echo 'for f in $(ls)'
  for f in $(ls); do printf '<%s>\n' "$f"; done
  echo 'for f in *'
  for f in *; do printf '<%s>\n' "$f"; done
  exit
elif (( $# )); then
  echo "usage: words.sh [show]" >&2
  exit 2
fi

ls_words=$(count $(ls))
ls_existing=$(existing $(ls))
ls_quoted=$(count "$(ls)")
ls_lines=$(IFS=$'\n'; set -f; count $(ls))
glob_words=$(count *)
glob_existing=$(existing *)
files=(*)
array_words=$(count "${files[@]}")
array_bare=$(count ${files[@]})
array_star=$(count "${files[*]}")
mapfile -d '' -t found < <(find . -type f -print0)
found_words=$(count "${found[@]}")
files=(*.zip)
unmatched=${#files[@]}
shopt -s nullglob
files=(*.zip)
unmatched_null=${#files[@]}
shopt -u nullglob

in_pipe=0
printf '%s\0' * | while IFS= read -r -d '' f; do in_pipe=$((in_pipe + 1)); done
in_shell=0
while IFS= read -r -d '' f; do in_shell=$((in_shell + 1)); done < <(printf '%s\0' *)

: > '*'
star_ls=$(count $(ls))
star_glob=$(count *)

printf '{"ls": %d, "ls_existing": %d, "ls_quoted": %d, "ls_lines": %d, ' \
  "$ls_words" "$ls_existing" "$ls_quoted" "$ls_lines"
printf '"glob": %d, "glob_existing": %d, "array": %d, "array_bare": %d, "array_star": %d, ' \
  "$glob_words" "$glob_existing" "$array_words" "$array_bare" "$array_star"
printf '"found": %d, "unmatched": %d, "unmatched_null": %d, ' \
  "$found_words" "$unmatched" "$unmatched_null"
printf '"in_pipe": %d, "in_shell": %d, "star_ls": %d, "star_glob": %d}\n' \
  "$in_pipe" "$in_shell" "$star_ls" "$star_glob"
