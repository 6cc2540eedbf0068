/* Two extremes for a heap profiler: nothing but malloc and free, and nothing but arithmetic.
 *
 *   pairs PAIRS ROUNDS   ns per pair and per step of arithmetic, as JSON; PAIRS of both per round
 *
 * CPU time of this thread: a helper process of the profiler is not in it.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 100, STEPS = 20 };
static void *volatile kept;
static volatile uint64_t sink = 1;

__attribute__((noinline)) void pairs(long n)
{
    for (long i = 0; i < n; i++) {
        kept = malloc(48);
        free(kept);
    }
}

/* Steps of a generator over one small block, which was allocated before. */
__attribute__((noinline)) void arithmetic(uint64_t *block, long n)
{
    for (long i = 0; i < n; i++)
        block[i & 7] = block[(i + 1) & 7] * 6364136223846793005u + (uint64_t)i;
}

static double cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    long n = argc == 3 ? atol(argv[1]) : 0;
    int rounds = argc == 3 ? atoi(argv[2]) : 0;
    if (n < 1 || n > 100000000 || rounds < 1 || rounds > MOST) {
        fprintf(stderr, "usage: pairs PAIRS ROUNDS\n");
        return 2;
    }
    static double pair[MOST], step[MOST];
    uint64_t *block = calloc(8, sizeof *block);
    if (!block)
        return 2;
    for (int round = -1; round < rounds; round++) { /* round -1 warms up */
        double a = cpu_ns();
        pairs(n);
        double b = cpu_ns();
        arithmetic(block, n * STEPS);
        double c = cpu_ns();
        if (round >= 0) {
            pair[round] = (b - a) / (double)n;
            step[round] = (c - b) / (double)n / STEPS;
        }
    }
    sink = block[0];
    free(block);
    printf("{\"pair\": [");
    for (int round = 0; round < rounds; round++)
        printf("%s%.4f", round ? ", " : "", pair[round]);
    printf("], \"step\": [");
    for (int round = 0; round < rounds; round++)
        printf("%s%.5f", round ? ", " : "", step[round]);
    printf("]}\n");
    return 0;
}
