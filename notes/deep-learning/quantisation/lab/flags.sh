echo '$ grep -o -w -E "avx2|avx_vnni|avx512_vnni|amx_int8|asimddp|i8mm" /proc/cpuinfo | sort | uniq -c'
grep -o -w -E "avx2|avx_vnni|avx512_vnni|amx_int8|asimddp|i8mm" /proc/cpuinfo | sort | uniq -c
