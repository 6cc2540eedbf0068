#!/bin/sh
# Builds everything that facts.py looks at.
# $ORIGIN is meant to stay as it is:
# shellcheck disable=SC2016

set -eu
mkdir -p old oldc one two own

# Programs of the C++ library, and stand-ins for old libraries.
g++ -O2 -o app app.cpp
g++ -O2 -static-libstdc++ -o app_static app.cpp
gcc -O2 -o hello hello.c
gcc -shared -fPIC -Wl,-soname,libstdc++.so.6 -Wl,--version-script=old-cxx.map \
    -o old/libstdc++.so.6 nothing.c
gcc -shared -fPIC -nostdlib -Wl,-soname,libc.so.6 -Wl,--version-script=old-c.map \
    -o oldc/libc.so.6 nothing.c

# A folder with a C++ library of its own, as a compiler in a prefix has.
cp "$(g++ -print-file-name=libstdc++.so.6)" own/libstdc++.so.6
ln -sf libstdc++.so.6 own/libstdc++.so
g++ -O2 -Lown -o app_linked app.cpp
g++ -O2 -Lown -Wl,-rpath,'$ORIGIN/own' -o app_rpath app.cpp

# Two libraries of one name.
for number in 1 2; do
    folder=one
    [ "$number" = 2 ] && folder=two
    gcc -O2 -shared -fPIC -DNUMBER="$number" -Wl,-soname,libwhere.so.1 \
        -o "$folder/libwhere.so.1" where.c
done
gcc -O2 -o with_nothing ask.c one/libwhere.so.1
gcc -O2 -o with_default ask.c one/libwhere.so.1 -Wl,-rpath,'$ORIGIN/one'
gcc -O2 -o with_rpath ask.c one/libwhere.so.1 -Wl,--disable-new-dtags,-rpath,'$ORIGIN/one'
gcc -O2 -o with_runpath ask.c one/libwhere.so.1 -Wl,--enable-new-dtags,-rpath,'$ORIGIN/one'

# A library between the program and the one it is about.
gcc -O2 -shared -fPIC -Wl,-soname,libmiddle.so.1 -o one/libmiddle.so.1 middle.c one/libwhere.so.1
gcc -O2 -o top_rpath top.c one/libmiddle.so.1 -Wl,-rpath-link,one \
    -Wl,--disable-new-dtags,-rpath,'$ORIGIN/one'
gcc -O2 -o top_runpath top.c one/libmiddle.so.1 -Wl,-rpath-link,one \
    -Wl,--enable-new-dtags,-rpath,'$ORIGIN/one'

# A program that loads plugins.
gcc -O2 -shared -fPIC -o plugin.so plugin.c one/libwhere.so.1 \
    -Wl,--enable-new-dtags,-rpath,'$ORIGIN/one'
gcc -O2 -o host host.c -ldl

# Both kinds of string.
for abi in 0 1; do
    for name in greet use item order; do
        g++ -O2 -D_GLIBCXX_USE_CXX11_ABI="$abi" -c -o "$name$abi.o" "$name.cpp"
    done
    g++ -o "use$abi" "use$abi.o" "greet$abi.o"
    g++ -o "order$abi" "order$abi.o" "item$abi.o"
done
g++ -o order_mixed order1.o item0.o
