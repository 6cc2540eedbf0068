#!/bin/sh
# Shows which functions of the runtime a launch and copies without a stream call, by the flag that compiled them.
set -eu

run() {
    printf '$ %s\n' "$1"
    eval "$1"
}

per_thread() { # FILE: how many functions it calls whose default stream is that of the thread
    nm -u "$1" | grep -c '_ptsz\|_ptds' || true
}

run 'nvcc -arch=sm_90 -c -o legacy.o launch.cu'
run "nm -u legacy.o | grep 'Launch\|Memcpy\|Record'"
run 'nvcc -arch=sm_90 --default-stream per-thread -c -o thread.o launch.cu'
run "nm -u thread.o | grep 'Launch\|Memcpy\|Record'"
run "(echo '#define CUDA_API_PER_THREAD_DEFAULT_STREAM'; cat launch.cu) > defined.cu"
run 'nvcc -arch=sm_90 -c -o defined.o defined.cu'
run "nm -u defined.o | grep -c '_ptsz\|_ptds' || true"
run 'nvcc -arch=sm_90 -DCUDA_API_PER_THREAD_DEFAULT_STREAM -c -o option.o launch.cu'
run "nm -u option.o | grep -c '_ptsz\|_ptds' || true"

printf '{"legacy": %d, "thread": %d, ' "$(per_thread legacy.o)" "$(per_thread thread.o)"
printf '"defined": %d, "option": %d}\n' "$(per_thread defined.o)" "$(per_thread option.o)"
