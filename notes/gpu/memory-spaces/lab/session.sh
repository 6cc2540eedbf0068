#!/bin/sh
# Shows an array of a thread in local memory: what ptxas says of it, and the code of the loop.
set -eu

run() {
    printf '$ %s\n' "$1"
    eval "$1"
}

run "nvcc -cubin -arch=sm_90 -Xptxas -v -o local.cubin local.cu 2>&1 | grep -A1 'properties for.*histogram'"
run "nvdisasm -c local.cubin | sed -n '/text.*histogram/,/EXIT/p' | grep -oE '(LDL|STL)[^;]*'"
