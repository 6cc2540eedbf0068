#!/usr/bin/env bash
# Runs the commands of one session in a fresh bash, and prints them and what they print: show.sh NAME
# Commands in single quotes are meant to stay as they are:
# shellcheck disable=SC2016

case ${1-} in
  writes)
    lines=('g++ -std=c++20 -O2 -Wall -Wextra -Wl,-z,now -o streams streams.cpp'
      'strace -o trace -e trace=write,writev ./streams endl > /dev/null'
      "grep -c '^write' trace"
      'strace -o trace -e trace=write,writev ./streams newline > /dev/null'
      "grep -c '^write' trace")
    ;;
  warnings)
    lines=("g++ -std=c++20 -Wall -c wrong.cpp 2>&1 | grep -o 'wrong.*:.*\\[-W.*\\]' | sed 's/std::__cxx11:://g'")
    ;;
  tidy)
    lines=("clang-tidy-14 --quiet --checks='-*,performance-*' wrong.cpp -- -std=c++20 2>&1 | grep -o 'wrong.cpp.*\\[perf.*'")
    ;;
  order)
    lines=('g++ -std=c++20 -D_GLIBCXX_DEBUG -o checked order.cpp'
      "./checked equal 2 2>&1 | grep -A1 '^Error'")
    ;;
  symbols)
    lines=('g++ -std=c++20 -o unoptimised loop.cpp'
      'g++ -std=c++20 -O2 -o optimised loop.cpp'
      "nm -C unoptimised | grep -cE ' [Wt] std::[^(]*::(size|begin|end)[[(]'"
      "nm -C optimised | grep -cE ' [Wt] std::[^(]*::(size|begin|end)[[(]'")
    ;;
  *)
    echo "usage: show.sh writes|warnings|tidy|order|symbols" >&2
    exit 2
    ;;
esac

bash --norc -c '
  for line_; do
    printf "$ %s\n" "$line_"
    eval "$line_"
  done' bash "${lines[@]}"
exit 0
