# The tunables of malloc that the dynamic linker knows, with their defaults and bounds.
set -eu
/lib64/ld-linux-x86-64.so.2 --list-tunables | grep malloc | sort
