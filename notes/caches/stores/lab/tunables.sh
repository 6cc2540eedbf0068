#!/bin/sh
# The tunables of the string functions, as the loader lists them.
/lib64/ld-linux-x86-64.so.2 --list-tunables | grep -E 'x86_(non|rep|shared|memset)' | sort
