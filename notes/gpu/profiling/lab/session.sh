# The sessions that the note shows; the cubins are built before.
show() {
    printf '$ %s\n' "$1"
    sh -c "$1"
}
case $1 in
sets) show "ncu --list-sets | awk '/ (yes|no) +[0-9]+ *\$/ {print \$1, \$NF}'" ;;
lines) show "nvdisasm -c -g lineinfo.cubin | grep -o 'smooth.cu\", line [0-9]*' | sort -u -V" ;;
esac
