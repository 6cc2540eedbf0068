/* Where the function hot and the stack lie: the place of hot within a line of 64 bytes, that of a
 * local variable within a page of 4096 bytes. With an argument, run hot for a simulator instead. */
#include <stdint.h>
#include <stdio.h>

uint64_t hot(uint64_t steps);
int other(int x);

int main(int count, char **words)
{
    volatile char local = 0;
    (void)words;
    if (count > 1) {
        printf("%lu\n", (unsigned long)(hot(100000) % 10) + other(1));
        return 0;
    }
    printf("{\"code\": %lu, \"stack\": %lu}\n", (unsigned long)((uintptr_t)hot % 64),
           (unsigned long)((uintptr_t)&local % 4096));
    return local;
}
