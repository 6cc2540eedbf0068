/* In a file of its own, so that dot_bench can hold two compilations of it. */
#include "toolbox.h"

float dot(const float *a, const float *b, int n)
{
    float s[8] = {0}, sum = 0;
    for (int i = 0; i + 7 < n; i += 8)
        for (int k = 0; k < 8; k++)
            s[k] += a[i + k] * b[i + k];
    for (int k = 0; k < 8; k++)
        sum += s[k];
    for (int i = n & ~7; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
