/* Times pairs of loads from DRAM: a fixed line and a random one, both flushed from the caches.
 *
 *   rowpair PAIRS   as JSON: the median of all pairs, and the pairs that are slow every time
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <x86intrin.h>

enum { MOST = 200000, ROUNDS = 101, AGAIN = 5, CLOCKS = 100000 };
static const double excess = 25; /* ns beyond the median that make a pair slow */

static void die(const char *message)
{
    fprintf(stderr, "rowpair: %s\n", message);
    exit(2);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median of the time stamp ticks to load two flushed lines, with no order between the two loads. */
__attribute__((noinline)) double pair(volatile char *p, volatile char *q)
{
    static double ticks[ROUNDS];
    unsigned aux;
    for (int r = 0; r < ROUNDS; r++) {
        _mm_clflushopt((void *)p);
        _mm_clflushopt((void *)q);
        _mm_mfence();
        uint64_t begin = __rdtscp(&aux);
        _mm_lfence();
        (void)*p;
        (void)*q;
        _mm_lfence();
        ticks[r] = (double)(__rdtscp(&aux) - begin);
    }
    qsort(ticks, ROUNDS, sizeof *ticks, ascending);
    return ticks[ROUNDS / 2];
}

static double ticks_per_ns(void)
{
    struct timespec a, b;
    unsigned aux;
    double ns;
    clock_gettime(CLOCK_MONOTONIC, &a);
    uint64_t begin = __rdtscp(&aux);
    do {
        clock_gettime(CLOCK_MONOTONIC, &b);
        ns = (double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec);
    } while (ns < 2e8);
    return (double)(__rdtscp(&aux) - begin) / ns;
}

/* The largest number of ticks that divides all differences between readings. */
static uint64_t step(void)
{
    unsigned aux;
    uint64_t last = __rdtscp(&aux), divisor = 0;
    for (int k = 0; k < CLOCKS; k++) {
        uint64_t now = __rdtscp(&aux), x = now - last, y = divisor;
        last = now;
        while (y) {
            uint64_t rest = x % y;
            x = y;
            y = rest;
        }
        divisor = x;
    }
    return divisor;
}

int main(int argc, char **argv)
{
    int pairs = argc == 2 ? atoi(argv[1]) : 0;
    if (pairs < 100 || pairs > MOST)
        die("usage: rowpair PAIRS, from 100 to 200000");
    size_t bytes = (size_t)1 << 30;
    char *a = aligned_alloc(2 << 20, bytes);
    if (!a)
        die("out of memory");
    madvise(a, bytes, MADV_HUGEPAGE);
    memset(a, 1, bytes);
    double per_ns = ticks_per_ns();
    static double ns[MOST], sorted[MOST];
    static size_t offset[MOST];
    uint64_t x = 88172645463325252u;
    for (int k = 0; k < pairs; k++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        offset[k] = x % bytes & ~(size_t)63;
        sorted[k] = ns[k] = pair(a, a + offset[k]) / per_ns;
    }
    qsort(sorted, (size_t)pairs, sizeof *sorted, ascending);
    double median = sorted[pairs / 2];
    int slow = 0, neighbours = 0;
    printf("{\"beyond\": [");
    for (int k = 0; k < pairs; k++) {
        int again = ns[k] > median + excess;
        for (int r = 0; again && r < AGAIN; r++) /* slow once proves nothing */
            again = pair(a, a + offset[k]) / per_ns > median + excess;
        if (again) {
            printf("%s%.2f", slow++ ? ", " : "", ns[k] - median);
            neighbours += pair(a, a + (offset[k] ^ 64)) / per_ns > median + excess;
        }
    }
    if (!slow) {
        printf("\n");
        die("no pair was slow every time");
    }
    printf("], \"median\": %.2f, \"pairs\": %d, \"slow\": %d, \"neighbours\": %d, ", median, pairs,
        slow, neighbours);
    printf("\"step\": %.3f}\n", (double)step() / per_ns);
    free(a);
    return 0;
}
