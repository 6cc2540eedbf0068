#!/bin/sh
# Runs a command and `make lint` at once:
#
#     tools/setup/with_lint.sh COMMAND...
#
# Tests wait for servers and browsers now and then; meanwhile lint has the processors, and only then,
# since tests must not wait for it. What lint says is printed after the command's own lines. The
# exit status is that of the command, or 1 if lint alone has failed.
set -u

report=$(mktemp)
nice -n 19 make --no-print-directory lint >"$report" 2>&1 &
lint=$!
trap 'kill "$lint" 2>/dev/null; rm -f "$report"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

"$@"
status=$?
if ! wait "$lint"; then
    [ "$status" -ne 0 ] || status=1
fi
cat "$report"
exit "$status"
