# The tensor core instructions that each architecture gets, and what a plain loop over floats has.
run() {
    echo "\$ $1"
    sh -c "$1"
}
run 'nvcc -cubin -arch=sm_90a -o mma.cubin mma.cu'
run "nvdisasm -c mma.cubin | grep -oE '[A-Z]+MMA[.0-9A-Zx]+' | sort | uniq -c"
run "nvdisasm -c mma.cubin | sed -n '/text.*plain/,/EXIT/p' | grep -oE '[A-Z0-9.]*MMA|FFMA' | sort | uniq -c"
for arch in sm_75 sm_80 sm_89 sm_100a sm_120a; do
    run "nvcc -cubin -arch=$arch -o mma.cubin mma.cu"
    run "nvdisasm -c mma.cubin | grep -oE '[A-Z]+MMA[.0-9A-Zx]*' | sort -u"
done
