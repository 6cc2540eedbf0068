/* A memset written as a loop: does the compiler turn it into a call of itself? Compiled, not run. */
#include <stddef.h>

void *memset(void *to, int value, size_t n)
{
    unsigned char *p = to;
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)value;
    return to;
}
