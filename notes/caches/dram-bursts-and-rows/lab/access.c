/* One word from each 64-byte line of a buffer: as a chain, at known addresses, in address order.
 *
 *   access count chase|scatter|stream MIB   one pass over MIB, for a cache simulator
 *   access bench MIB                        ns per line of interleaved passes, as JSON
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

typedef struct { uint64_t next, pad[7]; } line; /* 64 bytes */
enum { ROUNDS = 15, HUGE = 2 << 20 };
static volatile uint64_t sink;
static uint64_t at; /* where the chain goes on in the next round */

/* The address of each load comes from the load before it. */
__attribute__((noinline)) uint64_t chase(const line *a, const uint32_t *order, uint32_t n)
{
    uint64_t i = at;
    for (uint32_t k = 0; k < n; k++)
        i = a[i].next;
    at = i;
    (void)order;
    return i;
}

/* The same random lines, addresses known ahead. */
__attribute__((noinline)) uint64_t scatter(const line *a, const uint32_t *order, uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += a[order[k]].next;
    return sum;
}

__attribute__((noinline)) uint64_t stream(const line *a, const uint32_t *order, uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += a[k].next;
    (void)order;
    return sum;
}

typedef struct {
    const char *name;
    uint64_t (*walk)(const line *, const uint32_t *, uint32_t);
    uint32_t part; /* a round does one part in so many */
} variant;
static const variant variants[] = {{"chase", chase, 16}, {"scatter", scatter, 4},
    {"stream", stream, 1}, {"scatter_again", scatter, 4}};
enum { VARIANTS = sizeof variants / sizeof *variants };

static void die(const char *message)
{
    fprintf(stderr, "access: %s\n", message);
    exit(2);
}

static double cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void fill(line *a, uint32_t *order, uint32_t lines)
{
    uint64_t x = 88172645463325252u;
    for (uint32_t i = 0; i < lines; i++)
        order[i] = i;
    for (uint32_t i = lines - 1; i > 0; i--) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        uint32_t j = (uint32_t)(x % (i + 1)), swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
    }
    for (uint32_t i = 0; i < lines; i++)
        a[order[i]].next = order[(i + 1) % lines];
    at = order[0];
}

static void bench(const line *a, const uint32_t *order, uint32_t lines)
{
    static double ns[VARIANTS][ROUNDS];
    for (int round = -1; round < ROUNDS; round++) /* round -1 warms up */
        for (int v = 0; v < VARIANTS; v++) {
            uint32_t n = lines / variants[v].part;
            double begin = cpu_ns();
            sink += variants[v].walk(a, order, n);
            double end = cpu_ns();
            if (round >= 0)
                ns[v][round] = (end - begin) / n;
        }
    for (int v = 0; v < VARIANTS; v++) {
        printf("%s\"%s\": [", v ? ", " : "{", variants[v].name);
        for (int round = 0; round < ROUNDS; round++)
            printf("%s%.4f", round ? ", " : "", ns[v][round]);
        printf("]");
    }
    printf("}\n");
}

int main(int argc, char **argv)
{
    int count = argc == 4 && !strcmp(argv[1], "count");
    if (!count && !(argc == 3 && !strcmp(argv[1], "bench")))
        die("usage: access count chase|scatter|stream MIB | access bench MIB");
    long mib = atol(argv[argc - 1]);
    if (mib < 2 || mib > 4096 || mib % 2)
        die("MIB must be even and lie between 2 and 4096");
    size_t bytes = (size_t)mib << 20;
    uint32_t lines = (uint32_t)(bytes / sizeof(line));
    line *a = aligned_alloc(HUGE, bytes);
    uint32_t *order = aligned_alloc(64, lines * sizeof *order);
    if (!a || !order)
        die("out of memory");
    madvise(a, bytes, MADV_HUGEPAGE); /* a request: without it the chain pays for translation */
    fill(a, order, lines);
    if (!count) {
        if (scatter(a, order, lines) != stream(a, order, lines))
            die("the two sums differ");
        bench(a, order, lines);
    } else {
        int v = 0;
        while (v < VARIANTS && strcmp(argv[2], variants[v].name))
            v++;
        if (v == VARIANTS)
            die("the walk must be chase, scatter or stream");
        uint64_t start = at;
        sink += variants[v].walk(a, order, lines);
        if (variants[v].walk == chase && at != start)
            die("the chain is no cycle through all lines");
    }
    free(order);
    free(a);
    return 0;
}
