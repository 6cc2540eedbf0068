/* What a power-of-two distance between lines does to a set-associative cache.
 *
 *   strides count chase STRIDE        100 laps over 64 lines, STRIDE bytes apart
 *   strides count transpose N LD      transposes N x N integers, rows LD integers apart
 *   strides bench                     CPU seconds of interleaved variants, as JSON
 */
#define _DEFAULT_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { LINES = 64, ROUNDS = 21, SCRATCH = 4 << 20, BIG = 8 << 20, HUGE_PAGE = 2 << 20 };
static volatile uintptr_t sink;

/* Each line holds the address of the next, so that no load can start before the last one ended. */
__attribute__((noinline)) uintptr_t chase(const uintptr_t *p, long laps)
{
    for (long k = 0; k < laps * LINES; k++)
        p = (const uintptr_t *)*p;
    return (uintptr_t)p;
}

__attribute__((noinline)) void transpose(uint32_t *to, const uint32_t *from, size_t n, size_t ld)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            to[j * ld + i] = from[i * ld + j];
}

static void die(const char *message)
{
    fprintf(stderr, "strides: %s\n", message);
    exit(2);
}

/* Zeroed, on huge pages where the kernel grants them: physical addresses then keep the stride. */
static void *room(size_t bytes)
{
    void *p = aligned_alloc(HUGE_PAGE, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
    if (!p)
        die("out of memory");
    madvise(p, bytes, MADV_HUGEPAGE);
    memset(p, 0, bytes);
    return p;
}

static uintptr_t *ring(char *base, size_t stride)
{
    for (size_t k = 0; k < LINES; k++)
        *(uintptr_t *)(void *)(base + k * stride) = (uintptr_t)(base + (k + 1) % LINES * stride);
    return (uintptr_t *)(void *)base;
}

/* Pushes everything else out of the simulated caches. */
static void evict(void)
{
    volatile char *scratch = room(SCRATCH);
    for (size_t i = 0; i < SCRATCH; i += 64)
        scratch[i] = 1;
    free((void *)scratch);
}

static void fill(uint32_t *a, size_t n, size_t ld)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            a[i * ld + j] = (uint32_t)(i * n + j);
}

static void check(const uint32_t *t, size_t n, size_t ld)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (t[j * ld + i] != (uint32_t)(i * n + j))
                die("wrong transpose");
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bench(void)
{
    enum { VARIANTS = 6, LAPS = 40000, N = 1024, PASSES = 4 };
    static const struct { const char *name; size_t distance; } v[VARIANTS] = {
        {"chase_4096", 4096}, {"chase_4160", 4160}, {"chase_again", 4160},
        {"transpose_1024", 1024}, {"transpose_1040", 1040}, {"transpose_again", 1040}};
    static double seconds[VARIANTS][ROUNDS];
    char *base = room(BIG);
    uint32_t *from = room(BIG), *to = room(BIG);
    for (int round = -1; round < ROUNDS; round++) /* round -1 warms up */
        for (int turn = 0; turn < VARIANTS; turn++) {
            /* There and back: none is always the one that finds its data left in the last level. */
            int k = round % 2 ? VARIANTS - 1 - turn : turn;
            double begin, end;
            if (k < 3) {
                uintptr_t *start = ring(base, v[k].distance);
                begin = cpu_seconds();
                sink += chase(start, LAPS);
                end = cpu_seconds();
            } else {
                fill(from, N, v[k].distance);
                begin = cpu_seconds();
                for (int pass = 0; pass < PASSES; pass++)
                    transpose(to, from, N, v[k].distance);
                end = cpu_seconds();
                check(to, N, v[k].distance);
            }
            if (round >= 0)
                seconds[k][round] = (end - begin) / (k < 3 ? (double)LAPS * LINES : PASSES);
        }
    for (int k = 0; k < VARIANTS; k++) {
        printf("%s\"%s\": [", k ? ", " : "{", v[k].name);
        for (int round = 0; round < ROUNDS; round++)
            printf("%s%.12f", round ? ", " : "", seconds[k][round]);
        printf("]");
    }
    printf("}\n");
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "bench")) {
        bench();
    } else if (argc == 4 && !strcmp(argv[1], "count") && !strcmp(argv[2], "chase")) {
        size_t stride = (size_t)atol(argv[3]);
        if (stride < 64 || stride % 64 || stride * LINES > BIG)
            die("STRIDE must be a multiple of 64, 131072 at most");
        uintptr_t *start = ring(room(BIG), stride);
        evict();
        sink += chase(start, 100);
    } else if (argc == 5 && !strcmp(argv[1], "count") && !strcmp(argv[2], "transpose")) {
        size_t n = (size_t)atol(argv[3]), ld = (size_t)atol(argv[4]);
        if (n < 2 || n > 2048 || ld < n || ld > BIG / sizeof(uint32_t) / n)
            die("N must be at least 2, LD at least N, and N * LD at most 2097152");
        uint32_t *from = room(BIG), *to = room(BIG);
        fill(from, n, ld);
        evict();
        transpose(to, from, n, ld);
        check(to, n, ld);
    } else {
        die("usage: strides count chase STRIDE | strides count transpose N LD | strides bench");
    }
    return 0;
}
