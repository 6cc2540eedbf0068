#include "work.h"

unsigned sum(const unsigned *value, size_t n)
{
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += value[i];
    return sum;
}
