# How a tile gets from global to shared memory, in the machine code of three kernels.
run() {
    echo "\$ $1"
    sh -c "$1"
}
run 'nvcc -cubin -arch=sm_90 -o units.cubin units.cu'
for kernel in copy_plain copy_async copy_bulk; do
    run "nvdisasm -c units.cubin | sed -n '/text.*$kernel/,/EXIT/p' | grep -oE '(LDG|STS|UBLKCP|SYNCS)[A-Z0-9.]*' | sort | uniq -c"
done
run "nvdisasm -c units.cubin | sed -n '/text.*short_if/,/EXIT/p' | grep -oE '(@!?P0 |ISETP|BRA|IADD3|IMAD |STG)[^;]*'"
accepts() {
    run "(nvcc -cubin -arch=$2 -o out.cubin $1 && echo accepted) 2>&1 | grep -oE 'Instruction.*|accepted'"
}
for arch in sm_90 sm_90a sm_100a sm_120a; do
    accepts group.cu $arch
done
for arch in sm_100 sm_100a sm_100f sm_120a; do
    accepts fifth.cu $arch
done
