# A word with a star in it, quoted and bare. The missing quotes are what this script is about:
# shellcheck disable=SC2086 shell=bash
cd many || exit; v='note *'
case $1 in quoted) : "$v" ;; bare) : $v ;; esac
