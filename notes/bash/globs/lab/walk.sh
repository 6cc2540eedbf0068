#!/usr/bin/env bash
# Expands one pattern in the folder tree, for a count of system calls; prints how many names came.
#
#     walk.sh nothing | all | depth | fixed | stars

shopt -s globstar
cd tree || exit 1
case ${1-} in
  nothing) x=() ;;
  all)     x=(**/*.txt) ;;
  depth)   x=(*/*/*.txt) ;;
  fixed)   x=(*/*/f.txt) ;;
  stars)   x=(**) ;;
  *)       echo "usage: walk.sh WHAT" >&2; exit 2 ;;
esac
echo "${#x[@]}"
