# The session that the note shows; compile.py ran before.
show() { # a command, and what it prints; several lines are typed one by one
    printf "%s\n" "$1" | sed "s|^|$ |"
    sh -c "$1"
}
show "grep -m1 -o 'sizePerThread.*order' add-aligned.ttgir"
show "grep -o 'ld.global[^ ]*' add-aligned.ptx | sort | uniq -c"
show "nvdisasm -c add-aligned.cubin | grep -o 'LDG[^ ]*' | sort | uniq -c"
show "nvdisasm -c add-odd-length.cubin | grep -o 'LDG[^ ]*' | sort | uniq -c"
show "nvdisasm -c matmul-90.cubin | grep -oE '(HGMMA|LDGSTS)[^ ]*' | sort | uniq -c"
show "nvdisasm -c matmul-75.cubin | grep -oE '(H[A-Z]*MMA|FFMA)[^ ]*' | sort | uniq -c"
show "export TRITON_ALWAYS_COMPILE=1 MLIR_ENABLE_DIAGNOSTICS=remarks
python3 compile.py matmul-75 2>&1 | grep -o 'remark:.*'"
