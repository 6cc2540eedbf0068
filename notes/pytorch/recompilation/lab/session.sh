run() {
    echo "\$ $*"
    eval "$@"
}
run "TORCH_LOGS=recompiles python3 shapes.py 2>&1 | grep -o 'Recompiling function f\|- [0-9][^#]*[^# ]'"
run "TORCH_LOGS=graph_breaks python3 loop.py 2>&1 | grep -o 'Graph Break Reason.*\|Explanation: torch.*'"
