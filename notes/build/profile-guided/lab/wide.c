#include "work.h"

/* The same shape 256 times. Which way a function goes, only the input says. */
#define MIX(a, b, c) x = (x ^ (x >> (a))) * (b) + (c);
#define ONE(n) MIX(7, 2 * n + 3u, n) MIX(9, 5 * n + 11u, 3) MIX(3, n + 77u, 1) MIX(5, n + 9u, n) MIX(11, n + 13u, 8)
#define TWO(n) MIX(6, 4 * n + 5u, n) MIX(8, 3 * n + 17u, 5) MIX(4, n + 51u, 7) MIX(2, n + 7u, n) MIX(10, n + 19u, 6)
#define DEFINE(n) \
    __attribute__((noinline)) static unsigned step##n(unsigned x, const unsigned char *flag) \
    { \
        if (flag[n]) { ONE(n) } else { TWO(n) } \
        return x; \
    }
#define CALL(n) x = step##n(x, flag);
#define EACH16(make, n) \
    make(n##0) make(n##1) make(n##2) make(n##3) make(n##4) make(n##5) make(n##6) make(n##7) \
    make(n##8) make(n##9) make(n##a) make(n##b) make(n##c) make(n##d) make(n##e) make(n##f)
#define EACH(make) \
    EACH16(make, 0x0) EACH16(make, 0x1) EACH16(make, 0x2) EACH16(make, 0x3) EACH16(make, 0x4) EACH16(make, 0x5) \
    EACH16(make, 0x6) EACH16(make, 0x7) EACH16(make, 0x8) EACH16(make, 0x9) EACH16(make, 0xa) EACH16(make, 0xb) \
    EACH16(make, 0xc) EACH16(make, 0xd) EACH16(make, 0xe) EACH16(make, 0xf)

EACH(DEFINE)

unsigned wide(const unsigned char *flag, unsigned x)
{
    EACH(CALL)
    return x;
}
