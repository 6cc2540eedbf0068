/* Loops that a compiler vectorises, or not. Each is compiled with several sets of flags. */
#include <math.h>
#include "loops.h"

void add_known(float *restrict c, const float *restrict a, const float *restrict b)
{
    for (int i = 0; i < 1024; i++)
        c[i] = a[i] + b[i];
}

void add_unknown(float *restrict c, const float *restrict a, const float *restrict b, long n)
{
    for (long i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

void add_aliased(float *c, const float *a, const float *b)
{
    for (int i = 0; i < 1024; i++)
        c[i] = a[i] + b[i];
}

int sum_int(const int *a)
{
    int sum = 0;
    for (int i = 0; i < 1024; i++)
        sum += a[i];
    return sum;
}

float sum_float(const float *a)
{
    float sum = 0;
    for (int i = 0; i < 1024; i++)
        sum += a[i];
    return sum;
}

void limit(float *restrict c, const float *restrict a)
{
    for (int i = 0; i < 1024; i++)
        c[i] = a[i] > 1 ? 1 : a[i];
}

void call_other(float *restrict c, const float *restrict a)
{
    for (int i = 0; i < 1024; i++)
        c[i] = other(a[i]);
}

void call_sqrt(float *restrict c, const float *restrict a)
{
    for (int i = 0; i < 1024; i++)
        c[i] = sqrtf(a[i]);
}

int find_zero(const int *a)
{
    int i = 0;
    while (i < 1024 && a[i])
        i++;
    return i;
}

void prefix(float *a)
{
    for (int i = 1; i < 1024; i++)
        a[i] += a[i - 1];
}

void table_lookup(unsigned char *restrict c, const unsigned char *restrict a, const unsigned char *restrict table)
{
    for (int i = 0; i < 1024; i++)
        c[i] = table[a[i]];
}

void average(unsigned char *restrict c, const unsigned char *restrict a, const unsigned char *restrict b)
{
    for (int i = 0; i < 1024; i++)
        c[i] = (unsigned char)((a[i] + b[i] + 1) >> 1);
}
