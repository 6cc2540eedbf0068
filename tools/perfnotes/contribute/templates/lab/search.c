/* Looks keys up in a sorted array, one after the other and by halves.
 *
 *   search count N    comparisons, as JSON
 *   search bench N    CPU seconds of interleaved rounds, as JSON
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 15, LOOKUPS = 100 };
static volatile size_t sink;
static uint64_t comparisons;

__attribute__((noinline)) static size_t linear(const uint32_t *a, size_t n, uint32_t key)
{
    size_t i = 0;
    while (i < n && a[i] < key)
        i++;
    comparisons += i + 1;
    return i;
}

__attribute__((noinline)) static size_t binary(const uint32_t *a, size_t n, uint32_t key)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        comparisons++;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void die(const char *message)
{
    fprintf(stderr, "search: %s\n", message);
    exit(2);
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef size_t (*search)(const uint32_t *, size_t, uint32_t);

/* The same keys in every call, so that two runs of one search do the same work. */
static void look_up(search find, const uint32_t *a, size_t n)
{
    uint32_t state = 1;
    for (int i = 0; i < LOOKUPS; i++) {
        state = state * 1664525u + 1013904223u;
        sink += find(a, n, 2 * (uint32_t)((uint64_t)state * n >> 32));
    }
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"linear", "binary", "again"};
    static const search searches[] = {linear, binary, binary};
    static double seconds[3][ROUNDS];
    int count = argc == 3 && !strcmp(argv[1], "count");
    if (!count && !(argc == 3 && !strcmp(argv[1], "bench")))
        die("usage: search count|bench N");
    long n = atol(argv[2]);
    if (n < 2 || n > 1 << 24)
        die("N must lie between 2 and 16777216");
    uint32_t *a = malloc((size_t)n * sizeof *a);
    if (!a)
        die("out of memory");
    for (long i = 0; i < n; i++)
        a[i] = 2 * (uint32_t)i;
    for (int k = 0; count && k < 3; k++) {
        comparisons = 0;
        look_up(searches[k], a, (size_t)n);
        printf("%s\"%s\": %llu", k ? ", " : "{", names[k], (unsigned long long)comparisons);
    }
    for (int round = -1; !count && round < ROUNDS; round++) /* round -1 warms up */
        for (int k = 0; k < 3; k++) {
            int passes = k ? 50 : 1; /* long enough for the clock */
            double begin = cpu_seconds();
            for (int pass = 0; pass < passes; pass++)
                look_up(searches[k], a, (size_t)n);
            if (round >= 0)
                seconds[k][round] = (cpu_seconds() - begin) / passes;
        }
    for (int k = 0; !count && k < 3; k++) {
        printf("%s\"%s\": [", k ? ", " : "{", names[k]);
        for (int round = 0; round < ROUNDS; round++)
            printf("%s%.9f", round ? ", " : "", seconds[k][round]);
        printf("]");
    }
    printf("}\n");
    free(a);
    return 0;
}
