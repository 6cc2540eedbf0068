#include "work.h"

/* The side effect keeps the branch from becoming a conditional move. */
volatile unsigned kept;

unsigned filter(const unsigned *value, size_t n)
{
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        if (value[i] & 1) {
            kept = value[i];
            sum += value[i];
        }
    return sum;
}
