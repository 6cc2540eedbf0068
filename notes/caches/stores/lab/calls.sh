#!/bin/sh
# Calls of the library that a compiler makes of plain loops, as JSON: calls.sh COMPILER.
count() {       # OBJECT FUNCTION...: relocations against memset, memcpy, memmove
    object=$1 total=0
    shift
    for name in "$@"; do
        found=$(objdump -dr -j ".text.$name" "$object" | grep -c 'R_X86_64_PLT32.*mem')
        total=$((total + found))
    done
    echo "$total"
}
compile() {     # OUTPUT SOURCE OPTION...
    output=$1 source=$2
    shift 2
    "$cc" -std=gnu11 -O2 -ffunction-sections "$@" -c -o "$output" "$source"
}
cc=$1
compile "$cc.plain.o" loops.c && compile "$cc.free.o" loops.c -ffreestanding &&
    compile "$cc.own.o" own.c && compile "$cc.own_free.o" own.c -ffreestanding || exit 1
printf '{"loops": %d, "free": %d, "own": %d, "own_free": %d}\n' \
    "$(count "$cc.plain.o" zero copy down)" "$(count "$cc.free.o" zero copy down)" \
    "$(count "$cc.own.o" memset)" "$(count "$cc.own_free.o" memset)"
