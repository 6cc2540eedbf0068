#!/bin/sh
# Builds everything that facts.py and the sessions look at.

set -eu

# One library of C, and what each option makes of it.
shared() { # NAME COMPILER OPTIONS...
    name=$1 compiler=$2
    shift 2
    "$compiler" -O2 -fPIC -shared -Wall -Wextra -Wl,-soname,libstats.so -o "lib$name.so" "$@" stats.c inner.c
}
shared plain gcc
shared again gcc
shared hidden gcc -fvisibility=hidden
shared script gcc -Wl,--version-script=stats.map
shared symbolic gcc -Wl,-Bsymbolic
shared functions gcc -Wl,-Bsymbolic-functions
shared nosemantic gcc -fno-semantic-interposition
shared both gcc -fno-semantic-interposition -Wl,-Bsymbolic-functions
shared lto gcc -flto -Wl,--version-script=stats.map
shared ltoplain gcc -flto
if command -v clang > /dev/null; then shared clang clang; fi

# The same program for each of them, in a folder of its own; and one with a function of its own.
for name in plain again hidden script symbolic functions nosemantic both lto ltoplain; do
    mkdir -p "$name"
    cp "lib$name.so" "$name/libstats.so"
done
gcc -O2 -Wall -Wextra -o use use.c plain/libstats.so
gcc -O2 -Wall -Wextra -rdynamic -o whole use.c stats.c inner.c
gcc -O2 -Wall -Wextra -o clash clash.c plain/libstats.so

# A static library inside two shared ones.
for number in 1 2; do
    gcc -O2 -fPIC -DNUMBER="$number" -c -o "parse$number.o" parse.c
    ar rcs "libparse$number.a" "parse$number.o"
done
mkdir -p kept dropped
for folder in kept dropped; do
    exclude=
    [ "$folder" = dropped ] && exclude=-Wl,--exclude-libs,ALL
    # shellcheck disable=SC2086 # without an option it is nothing
    gcc -O2 -fPIC -shared -DFUNCTION=first -o "$folder/libfirst.so" part.c libparse1.a $exclude
    # shellcheck disable=SC2086
    gcc -O2 -fPIC -shared -DFUNCTION=second -o "$folder/libsecond.so" part.c libparse2.a $exclude
done
gcc -O2 -o both_parts both.c -Lkept -lfirst -lsecond

# A variable that a program reads.
for name in plain symbolic functions; do
    option=-Wl,-Bno-symbolic
    [ "$name" = symbolic ] && option=-Wl,-Bsymbolic
    [ "$name" = functions ] && option=-Wl,-Bsymbolic-functions
    gcc -O2 -fPIC -shared -Wl,-soname,liblevel.so -o "$name/liblevel.so" level.c "$option"
done
gcc -O2 -o read_level read.c plain/liblevel.so

# The address of a function, as the library and two kinds of program see it.
gcc -O2 -fPIC -shared -Wl,-soname,libwhere.so -o plain/libwhere.so where.c
gcc -O2 -fPIC -shared -Wl,-soname,libwhere.so -Wl,-Bsymbolic-functions -o functions/libwhere.so where.c
gcc -O2 -fPIE -pie -o same_pie same.c plain/libwhere.so
gcc -O2 -fno-pie -no-pie -o same_fixed same.c plain/libwhere.so

# One library of C++.
g++ -O2 -fPIC -shared -Wall -Wextra -o words_plain.so words.cpp
g++ -O2 -fPIC -shared -fvisibility-inlines-hidden -o words_inlines.so words.cpp
g++ -O2 -fPIC -shared -fvisibility=hidden -fvisibility-inlines-hidden -o words_hidden.so words.cpp
g++ -O2 -fPIC -shared -Wl,--version-script=words.map -o words_script.so words.cpp
g++ -O2 -fPIC -shared -fvisibility=hidden -fvisibility-inlines-hidden \
    -Wl,--version-script=words.map -o words_both.so words.cpp
for name in plain inlines hidden script both; do
    strip -o "words_$name.stripped" "words_$name.so"
    gcc -O2 -o "ask_$name" ask.c "./words_$name.so"
done

# Types on both sides.
for visibility in default hidden; do
    mkdir -p "types_$visibility"
    g++ -O2 -fPIC -shared -fvisibility="$visibility" -o "types_$visibility/libtypes.so" types.cpp
    g++ -O2 -fvisibility="$visibility" -o "cast_$visibility" cast.cpp "./types_$visibility/libtypes.so"
done

# A program and its plugin.
gcc -O2 -fPIC -shared -o plugin.so plugin.c
gcc -O2 -o host host.c -ldl
gcc -O2 -rdynamic -o host_exports host.c -ldl

# A class of which only the constructor is marked, and one that is marked as a whole.
g++ -O2 -fPIC -shared -fvisibility=hidden -o libarea_member.so area.cpp
g++ -O2 -fPIC -shared -fvisibility=hidden '-DCLASS=__attribute__((visibility("default")))' \
    -o libarea_class.so area.cpp
