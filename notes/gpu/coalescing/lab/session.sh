#!/bin/sh
# Shows the loads in the machine code of two kernels, with the commands that print them.
set -eu

run() {
    printf '$ %s\n' "$1"
    eval "$1"
}

run 'nvcc -cubin -arch=sm_90 -o copy.cubin copy.cu'
run "nvdisasm -c copy.cubin | sed -n '/text.*members/,/EXIT/p' | grep -o 'LDG[^;]*'"
run "nvdisasm -c copy.cubin | sed -n '/text.*aligned/,/EXIT/p' | grep -o 'LDG[^;]*'"
