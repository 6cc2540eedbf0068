/* Compiled twice, without and with -DKEYWORD=register, to compare the instructions. */
#include <stddef.h>

#ifndef KEYWORD
#define KEYWORD
#endif

long weigh(const long *a, size_t n);

long weigh(const long *a, size_t n)
{
    KEYWORD long sum = 0;
    for (KEYWORD size_t i = 0; i < n; i++)
        sum += a[i] * (long)i;
    return sum;
}
