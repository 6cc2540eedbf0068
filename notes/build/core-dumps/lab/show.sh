#!/usr/bin/env bash
# Prints the commands of one session and what they print, in an empty folder.
#
#     show.sh limits | reading | machine
#
# Commands in single quotes are meant to stay as they are:
# shellcheck disable=SC2016

sources=$PWD
here=$(mktemp -d) || exit 1
trap 'rm -rf -- "$here"' EXIT
cd -- "$here" || exit 1
cp "$sources"/{shop.c,shop.h,price.c,newer.c} . || exit 1
mkdir lib new

# Evaluates here, so that limits last; messages of the shell name no line and no process.
say() {
  (($# == 1)) && printf '$ %s\n' "$1"
  eval "$1" > "$sources/printed" 2>&1
  (($# == 1)) && sed -E 's/^.*: line [0-9]+: +[0-9]+ ([A-Z].*\)).*/\1/; s/^.*: line [0-9]+: /bash: /' \
    "$sources/printed"
}

build() {
  say 'gcc -O1 -g -fPIC -shared -o lib/libprice.so price.c' "$@"
  say 'gcc -O1 -g -o shop.full shop.c -Llib -lprice -Wl,-rpath,'\''$ORIGIN/lib'\' "$@"
  say 'strip -o shop shop.full' "$@"
  say 'ulimit -Sc unlimited' "$@"
  say './shop' "$@"
}

gdb='gdb -q -batch'

case ${1-} in
  limits)
    say 'bash -c "ulimit -Sc 0; ulimit -Sc unlimited; ulimit -c"'
    say 'bash -c "ulimit -c 0; ulimit -c unlimited; ulimit -c"'
    say "bash -c 'ulimit -Sc 0; prlimit --core=unlimited: --pid \$\$; ulimit -c'"
    ;;
  reading)
    build
    say "$gdb -ex 'bt 3' shop core 2>/dev/null | grep '^#' | sort -u"
    say "$gdb -ex bt -ex 'print *order' shop.full core 2>/dev/null | grep '^[#$]' | sort -u"
    ;;
  machine)
    build
    say 'mkdir theirs; cp --parents $(ldd shop | grep -o "/[^ ]*") theirs'
    say 'gcc -O1 -g -fPIC -shared -o lib/libprice.so newer.c'
    say "$gdb -ex bt shop.full core 2>&1 | grep -o '^#.*\|wrong library.*' | sort -u"
    say "$gdb -iex 'set sysroot theirs' -ex bt shop.full core 2>&1 | grep '^#' | sort -u"
    ;;
  *)
    echo "usage: show.sh limits | reading | machine" >&2
    exit 2
    ;;
esac
