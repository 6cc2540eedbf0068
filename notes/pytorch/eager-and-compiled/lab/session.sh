run() {
    echo "\$ $*"
    eval "$@"
}
run "TORCH_LOGS=output_code python3 small.py 2>&1 | grep -o 'auto tmp.*\|out_ptr0\[.*\|buf0 = .*\| cpp_fused[^ ]*(.*'"
run "python3 old.py 2>&1 | grep -c Deprecation"
run "python3 -W default old.py 2>&1 | grep -o '[A-Za-z]*Warning: .*' | sort -u"
