/* Sums an n x n matrix of 32-bit integers along its rows and along its columns.
 *
 *   order count rows|columns N    one pass from a cold first-level cache, for a cache simulator
 *   order bench N                 CPU seconds of interleaved passes, as JSON
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 15, SCRATCH = 1 << 20 };
static volatile uint32_t sink;

__attribute__((noinline)) uint32_t sum_rows(const uint32_t *a, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            sum += a[i * n + j];
    return sum;
}

__attribute__((noinline)) uint32_t sum_columns(const uint32_t *a, size_t n)
{
    uint32_t sum = 0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            sum += a[i * n + j];
    return sum;
}

static void die(const char *message)
{
    fprintf(stderr, "order: %s\n", message);
    exit(2);
}

static uint32_t *matrix(size_t n)
{
    size_t bytes = (n * n * sizeof(uint32_t) + 63) / 64 * 64;
    uint32_t *a = aligned_alloc(64, bytes);
    if (!a)
        die("out of memory");
    for (size_t i = 0; i < n * n; i++)
        a[i] = (uint32_t)(i * 2654435761u);
    return a;
}

/* Pushes everything else out of a small cache. */
static void evict(void)
{
    volatile char *scratch = malloc(SCRATCH);
    if (!scratch)
        die("out of memory");
    for (size_t i = 0; i < SCRATCH; i += 64)
        scratch[i] = 1;
    free((void *)scratch);
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef uint32_t (*walk)(const uint32_t *, size_t);

static void bench(const uint32_t *a, size_t n)
{
    static const char *const names[] = {"rows", "columns", "again"};
    static const walk walks[] = {sum_rows, sum_columns, sum_rows};
    static double seconds[3][ROUNDS];
    long passes = 1 + 8000000 / (long)(n * n); /* small matrices: long enough for the clock */
    for (int round = -1; round < ROUNDS; round++) /* round -1 warms up */
        for (int k = 0; k < 3; k++) {
            double begin = cpu_seconds();
            for (long pass = 0; pass < passes; pass++)
                sink += walks[k](a, n);
            double end = cpu_seconds();
            if (round >= 0)
                seconds[k][round] = (end - begin) / (double)passes;
        }
    for (int k = 0; k < 3; k++) {
        printf("%s\"%s\": [", k ? ", " : "{", names[k]);
        for (int round = 0; round < ROUNDS; round++)
            printf("%s%.9f", round ? ", " : "", seconds[k][round]);
        printf("]");
    }
    printf("}\n");
}

int main(int argc, char **argv)
{
    int count = argc == 4 && !strcmp(argv[1], "count");
    if (!count && !(argc == 3 && !strcmp(argv[1], "bench")))
        die("usage: order count rows|columns N | order bench N");
    long n = atol(argv[argc - 1]);
    if (n < 2 || n > 30000)
        die("N must lie between 2 and 30000");
    uint32_t *a = matrix((size_t)n);
    if (!count) {
        if (sum_rows(a, (size_t)n) != sum_columns(a, (size_t)n))
            die("the two sums differ");
        bench(a, (size_t)n);
    } else {
        walk w = !strcmp(argv[2], "rows") ? sum_rows : sum_columns;
        if (w == sum_columns && strcmp(argv[2], "columns"))
            die("the order must be rows or columns");
        evict();
        sink += w(a, (size_t)n);
    }
    free(a);
    return 0;
}
