/* The function under study. It is compiled three times, under three names and with different
   flags (see lab.yml): with a branch in the loop, with a conditional move, and vectorised. */
#include "kernel.h"

long long NAME(const int *value, long count)
{
    long long sum = 0;
    for (long i = 0; i < count; i++)
        if (value[i] >= LIMIT)
            sum += value[i];
    return sum;
}
