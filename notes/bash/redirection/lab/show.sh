#!/usr/bin/env bash
# Shows the script here.sh, and what it prints in bash and in dash.

echo '$ cat here.sh'
cat here.sh
echo '$ bash here.sh'
bash here.sh
echo '$ bash here.sh > b; dash here.sh | cmp - b && echo "the same in dash"'
bash here.sh > b
dash here.sh | cmp - b && echo "the same in dash"
