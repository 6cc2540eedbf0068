#!/bin/sh
# The default cost models of the vectoriser at two levels.
gcc --version | head -n 1
for level in -O2 -O3; do
    echo "$level: $(gcc -Q $level --help=optimizers | sed -n 's/^ *-fvect-cost-model=[^ \t]*[ \t]*//p')"
done
