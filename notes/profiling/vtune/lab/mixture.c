// Two loops in one program: one misses the cache, the other mispredicts branches.
// Their sum looks like a third kind of program, which no line of it is.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINES = 1 << 15, LINE = 64, BYTES = 1 << 12, ROUNDS = 8 };

static unsigned char far[LINES * LINE];       // 2 MiB: more than the simulated caches
static unsigned char near[BYTES];             // stays in the first cache

// One byte from each line; the only branch is that of the loop.
__attribute__((noinline)) static unsigned long stride(const unsigned char *a) {
    unsigned long sum = 0;
    for (size_t i = 0; i < (size_t)LINES * LINE; i += LINE)
        sum += a[i];
    return sum;
}

// Bytes that stay in the cache, and a branch that half of them take.
__attribute__((noinline)) static unsigned long branchy(const unsigned char *a) {
    unsigned long sum = 0;
    for (int i = 0; i < BYTES; i++)
        if (a[i] & 1) {
            sum += a[i];
            __asm__ volatile("" ::: "memory");    // keeps the branch a branch
        }
    return sum;
}

int main(void) {
    uint32_t x = 1;
    for (int i = 0; i < BYTES; i++) {
        x = x * 1664525u + 1013904223u;
        near[i] = (unsigned char)(x >> 24);
    }
    for (size_t i = 0; i < sizeof far; i += LINE)
        far[i] = (unsigned char)i;
    unsigned long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        sum += stride(far);
        for (int j = 0; j < LINES / BYTES; j++)      // as many bytes as stride reads
            sum += branchy(near);
    }
    printf("%lu\n", sum);
}
