/* Work whose profile is known beforehand.

   work calls N        parent() calls busy() and light() N times, 3 : 1 by CPU time
   work naps MS        compute for MS of CPU time, and sleep 20 ms after each 20 ms
   work chase STEPS    follow a ring of pointers through 64 MiB: one slow load a step     */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static volatile uint64_t sink;

static __attribute__((noinline)) void busy(long turns)
{
    uint64_t x = 1;
    for (long i = 0; i < turns * 3; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    sink = x;
}

static __attribute__((noinline)) void light(long turns)
{
    uint64_t x = 1;
    for (long i = 0; i < turns; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    sink = x;
}

static __attribute__((noinline)) void parent(long turns)
{
    busy(turns);
    light(turns);
    sink = 0;
}

static __attribute__((noinline)) void *chase(void **at, long steps)
{
    while (steps--)
        __asm__ volatile("mov (%0), %0\n\t"
                         "nop\n\tnop\n\tnop\n\tnop"
                         : "+r"(at));
    return at;
}

static void **ring(size_t lines)
{
    size_t *order = malloc(lines * sizeof *order);
    char *base = aligned_alloc(64, lines * 64);
    uint64_t seed = 1;
    for (size_t i = 0; i < lines; i++)
        order[i] = i;
    for (size_t i = lines - 1; i > 0; i--) { /* Sattolo: one ring through all lines */
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t j = (seed >> 33) % i, kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (size_t i = 0; i < lines; i++)
        *(void **)(base + order[i] * 64) = base + order[(i + 1) % lines] * 64;
    free(order);
    return (void **)base;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    double start = now(CLOCK_PROCESS_CPUTIME_ID), begin = now(CLOCK_MONOTONIC);
    long n = atol(argv[2]);
    if (!strcmp(argv[1], "calls")) {
        for (long i = 0; i < n; i++)
            parent(100000);
    } else if (!strcmp(argv[1], "naps")) {
        struct timespec nap = {0, 20000000};
        while (now(CLOCK_PROCESS_CPUTIME_ID) - start < n * 1e-3) {
            double begun = now(CLOCK_PROCESS_CPUTIME_ID);
            while (now(CLOCK_PROCESS_CPUTIME_ID) - begun < 0.02)
                parent(20000);
            nanosleep(&nap, NULL);
        }
    } else if (!strcmp(argv[1], "chase")) {
        sink = (uintptr_t)chase(ring(1 << 20), n);
    }
    printf("%.6f %.6f\n", now(CLOCK_PROCESS_CPUTIME_ID) - start, now(CLOCK_MONOTONIC) - begin);
    return 0;
}
