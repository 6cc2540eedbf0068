#!/bin/sh
# Shows what nvcc makes of a launch, and which code it puts into the object for which GPUs; counts them as JSON.
set -eu

run() {
    printf '$ %s\n' "$1"
    eval "$1"
}

elements() { # FILE KIND: how many elements of that kind cuobjdump lists
    cuobjdump "$2" "$1" 2>/dev/null | grep -c file || true
}

run 'nvcc -arch=sm_90 -c -o ninety.o timing.cu'
run "nm -u ninety.o | grep 'Launch\|Config\|GetKernel\|Register'"
run 'cuobjdump -lelf -lptx ninety.o'
run 'nvcc -c -o default.o timing.cu'
run 'cuobjdump -lelf -lptx default.o'
run 'nvcc -arch=compute_90 -c -o ptx.o timing.cu'
run 'cuobjdump -lelf -lptx ptx.o 2>/dev/null'

printf '{"launch_calls": %d, ' "$(nm -u ninety.o | grep -c 'LaunchKernel\|CallConfiguration')"
printf '"default_elf": %d, "default_ptx": %d, ' "$(elements default.o -lelf)" "$(elements default.o -lptx)"
printf '"ninety_elf": %d, "ninety_ptx": %d, ' "$(elements ninety.o -lelf)" "$(elements ninety.o -lptx)"
printf '"ptx_elf": %d, "ptx_ptx": %d}\n' "$(elements ptx.o -lelf)" "$(elements ptx.o -lptx)"
