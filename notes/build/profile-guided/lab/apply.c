#include "work.h"

static unsigned add(unsigned x) { return x + 3; }
static unsigned turn(unsigned x) { return x << 5 | x >> 27; }
static unsigned flip(unsigned x) { return x ^ 0x5bd1e995; }
static unsigned scale(unsigned x) { return x * 2654435761u; }

static unsigned (*const table[])(unsigned) = {add, turn, flip, scale};

unsigned apply(const unsigned char *choice, size_t n)
{
    unsigned x = 1;
    for (size_t i = 0; i < n; i++)
        x = table[choice[i]](x);
    return x;
}
