#!/bin/sh
# Builds each program for the implementations of MPI that are there, by the names that Debian gives them.

set -eu

for program in create match late leak inherit; do
    if command -v mpicc.openmpi > /dev/null; then
        mpicc.openmpi -O2 -Wall -Wextra -o $program.openmpi $program.c
    fi
    if command -v mpicc.mpich > /dev/null; then
        mpicc.mpich -O2 -Wall -Wextra -DCOUNT_UCX -o $program.mpich $program.c -ldl
    fi
done

# The counter between a program and MPI is a library.
for which in openmpi mpich; do
    if command -v mpicc.$which > /dev/null; then
        mpicc.$which -O2 -Wall -Wextra -shared -fPIC -o balance.$which.so balance.c
    fi
done
