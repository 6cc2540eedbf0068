#!/usr/bin/env bash
# The same program for LLVM's runtime, where clang and libomp are installed; runs say if not.
command -v clang >/dev/null || exit 0
clang -std=gnu11 -O2 -g -Wall -Wextra -fopenmp -o affinity_llvm affinity.c
