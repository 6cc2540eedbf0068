#!/bin/sh
# The program in eight ways: plain, with link-time optimisation, with a profile, with both; -O2 and -O3.
# shellcheck disable=SC2086 # several options in one variable

set -eu

common="-std=c++20 -g -Wall -Wextra"
lto="-flto=1 -flto-partition=one"
for level in O2 O3; do
    g++ $common -$level -o plain_$level loops.cpp bodies.cpp ways.cpp
    g++ $common -$level $lto -o lto_$level loops.cpp bodies.cpp ways.cpp

    # One training run: the loop over a virtual function, and one class.
    mkdir -p train_$level
    for file in loops bodies ways; do
        g++ $common -$level -fprofile-generate -c -o train_$level/$file.o $file.cpp
    done
    g++ -fprofile-generate -o train_$level/ways train_$level/*.o
    train_$level/ways each_virtual 4096 1 > /dev/null
    for file in loops bodies ways; do
        g++ $common -$level -fprofile-use -c -o train_$level/$file.o $file.cpp
    done
    g++ -o pgo_$level train_$level/*.o
    for file in loops bodies ways; do
        g++ $common -$level -flto -fprofile-use -c -o train_$level/$file.o $file.cpp
    done
    g++ -$level $lto -o both_$level train_$level/*.o
done
g++ $common -O3 -fno-split-loops -c -o nosplit.o loops.cpp
