/* One loop, compiled for vectors of 32 and of 64 bytes. */
#include "uses.h"

void NAME(float *restrict out, const float *restrict a, const float *restrict b, long n)
{
    for (long i = 0; i < n; i++)
        out[i] = a[i] + b[i];
}
