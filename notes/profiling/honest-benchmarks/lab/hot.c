/* The function that nobody touches. */
#include <stdint.h>

uint64_t hot(uint64_t steps)
{
    uint64_t x = 88172645463325252u;
    for (uint64_t i = 0; i < steps; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x;
}
