# Shows the program with the mistake, in three states of its memory.
gcc -O2 -g -Wall -Wextra -o fresh fresh.c
echo '$ gcc -O2 -g -Wall -Wextra -o fresh fresh.c'
echo '$ ./fresh; ./fresh reused; MALLOC_PERTURB_=190 ./fresh'
./fresh; ./fresh reused; MALLOC_PERTURB_=190 ./fresh
