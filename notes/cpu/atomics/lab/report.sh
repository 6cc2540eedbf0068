# What ThreadSanitizer says about a hand-over by a relaxed flag: the lines that name the accesses.
set -eu
TSAN_OPTIONS=exitcode=0 ./races relaxed_flag 2>&1 | sed -n 's/ (pid=[0-9]*)//; s/ at 0x[0-9a-f]*//; s/ (races+0x[0-9a-f]*)//; s/#0 \([a-z_]*\) .*\//#0 \1 /; /WARNING/p; /of size/p; /#0 [rw]/p'
