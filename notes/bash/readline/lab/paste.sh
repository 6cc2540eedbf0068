#!/usr/bin/env bash
# Pastes two lines that make a file each, with and without the marks that a terminal sends in
# bracketed paste mode, and prints as JSON how many of the files exist before Enter is pressed.

here=$(mktemp -d) || exit 1
trap 'rm -rf -- "$here"' EXIT
cp -- keys.py "$here" && cd -- "$here" || exit 1

made() { local n=0 f; for f in a b; do if [[ -e $f ]]; then n=$((n + 1)); fi; done; rm -f a b; echo "$n"; }

python3 keys.py '' '\e[200~touch a\ntouch b\n\e[201~' > /dev/null
marked=$(made)
python3 keys.py --inputrc 'set enable-bracketed-paste off' '' 'touch a\ntouch b\n' > /dev/null
printf '{"marked": %d, "plain": %d}\n' "$marked" "$(made)"
