/* Loops that the parts of -ffast-math make faster, compiled under two names. */
#include <math.h>

float F(sum)(const float *a, long n)
{
    float sum = 0;
    for (long i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

void F(roots)(float *restrict out, const float *restrict a, long n)
{
    for (long i = 0; i < n; i++)
        out[i] = sqrtf(a[i]);
}

#ifdef REDUCTION
float sum_declared(const float *a, long n)
{
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (long i = 0; i < n; i++)
        sum += a[i];
    return sum;
}
#endif
