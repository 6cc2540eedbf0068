#!/usr/bin/env bash
# Makes the folder many/ with as many empty files as asked for.
n=${1:?usage: files.sh N}
mkdir many || exit 1
for ((i = 1; i <= n; i++)); do : > "many/file$i.txt"; done
