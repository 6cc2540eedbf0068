/* What is left of a timed loop, by what becomes of its result. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { STEPS = 100000, ROUNDS = 21 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static inline uint64_t work(uint64_t x, uint64_t steps)
{
    for (uint64_t i = 0; i < steps; i++)
        x = x * 6364136223846793005u + 1;
    return x;
}

__attribute__((noinline, noclone)) double unused(uint64_t steps)
{
    double start = seconds();
    work(1, steps);
    return seconds() - start;
}

__attribute__((noinline, noclone)) double used(uint64_t steps)
{
    double start = seconds();
    uint64_t result = work(1, steps);
    __asm__ volatile("" : : "r"(result) : "memory");
    return seconds() - start;
}

int main(void)
{
    static double samples[2][ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
        samples[0][round < 0 ? 0 : round] = unused(STEPS) / STEPS;
        samples[1][round < 0 ? 0 : round] = used(STEPS) / STEPS;
    }
    for (int k = 0; k < 2; k++) {
        printf("%s\"%s\": [", k ? ", " : "{", k ? "used" : "unused");
        for (int i = 0; i < ROUNDS; i++)
            printf("%s%.6g", i ? ", " : "", samples[k][i]);
        printf("]");
    }
    printf("}\n");
}
