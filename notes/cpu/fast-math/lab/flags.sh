#!/bin/sh
# Which options -ffast-math switches, by comparing two lists of the compiler.
gcc -Q -O2 --help=optimizers >plain.txt
gcc -Q -O2 -ffast-math --help=optimizers >fast.txt
diff plain.txt fast.txt | sed -n 's/^> *\(-[^ \t]*\)[ \t]*\(.*\)/\1 \2/p'
