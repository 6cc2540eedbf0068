/* A pointer chase through buffers of growing size.
 *
 *   ladder levels             what CPUID says about the caches, as JSON
 *   ladder count KIB LAPS     laps around a random cycle over KIB kibibytes, for a cache simulator
 *   ladder bench              nanoseconds per load of interleaved sizes, as JSON
 */
#define _DEFAULT_SOURCE
#include <cpuid.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { LINE = 64, ROUNDS = 15, HUGE_PAGE = 2 << 20 };
typedef struct line { struct line *next; char rest[LINE - sizeof(struct line *)]; } line;
static void *volatile sink;
static volatile char touched;

__attribute__((noinline)) const line *chase(const line *p, long loads)
{
    for (long k = 0; k < loads; k++)
        p = p->next;
    return p;
}

static void die(const char *message)
{
    fprintf(stderr, "ladder: %s\n", message);
    exit(2);
}

static uint64_t random_below(uint64_t bound)
{
    static uint64_t x = 88172645463325252u;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x % bound;
}

/* One random cycle through all lines (Sattolo's shuffle), on huge pages where they are granted. */
static line *cycle(size_t lines)
{
    size_t bytes = (lines * LINE + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    line *a = aligned_alloc(HUGE_PAGE, bytes);
    uint32_t *next = malloc(lines * sizeof *next);
    if (!a || !next)
        die("out of memory");
    madvise(a, bytes, MADV_HUGEPAGE);
    for (size_t i = 0; i < lines; i++)
        next[i] = (uint32_t)i;
    for (size_t i = lines - 1; i > 0; i--) {
        size_t j = random_below(i);
        uint32_t keep = next[i];
        next[i] = next[j];
        next[j] = keep;
    }
    for (size_t i = 0; i < lines; i++)
        a[i].next = &a[next[i]];
    free(next);
    return a;
}

static void warm(const line *a, size_t lines)
{
    for (size_t i = 0; i < lines; i++)
        touched += a[i].rest[0];
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bench(void)
{
    static const struct { const char *name; size_t kib; long loads; } v[] = {
        {"kib_16", 16, 4000000},  {"kib_16_again", 16, 4000000}, {"kib_256", 256, 2000000},
        {"mib_4", 4096, 300000},  {"mib_16", 16384, 200000},     {"mib_64", 65536, 100000},
        {"mib_256", 262144, 100000}};
    enum { VARIANTS = sizeof v / sizeof *v };
    static const line *at[VARIANTS];
    static line *start[VARIANTS];
    static double ns[VARIANTS][ROUNDS];
    for (int k = 0; k < VARIANTS; k++)
        at[k] = start[k] = cycle(v[k].kib * 1024 / LINE);
    for (int round = -1; round < ROUNDS; round++) /* round -1 warms up */
        for (int k = 0; k < VARIANTS; k++) {
            if (v[k].kib <= 16384)
                warm(start[k], v[k].kib * 1024 / LINE);
            double begin = cpu_seconds();
            at[k] = chase(at[k], v[k].loads);
            double end = cpu_seconds();
            if (round >= 0)
                ns[k][round] = (end - begin) * 1e9 / (double)v[k].loads;
        }
    for (int k = 0; k < VARIANTS; k++) {
        sink = (void *)(uintptr_t)at[k];
        printf("%s\"%s\": [", k ? ", " : "{", v[k].name);
        for (int round = 0; round < ROUNDS; round++)
            printf("%s%.4f", round ? ", " : "", ns[k][round]);
        printf("]");
    }
    printf("}\n");
}

/* Leaf 4 on Intel, 0x8000001d on AMD: one sub-leaf for each cache. */
static void levels(void)
{
    unsigned leaf = __get_cpuid_max(0x80000000, NULL) >= 0x8000001d ? 0x8000001d : 4;
    unsigned a, b, c, d, ways[4] = {0}, inclusive[4] = {0};
    unsigned long bytes[4] = {0};
    for (unsigned i = 0; __get_cpuid_count(leaf, i, &a, &b, &c, &d) && (a & 31); i++) {
        unsigned type = a & 31, level = a >> 5 & 7;
        if (type == 2 || level < 1 || level > 3)
            continue; /* instructions only, or a fourth level */
        ways[level] = (b >> 22) + 1;
        bytes[level] = ways[level] * ((b & 0xfff) + 1ul) * ((b >> 12 & 0x3ff) + 1ul) * (c + 1ul);
        inclusive[level] = d >> 1 & 1;
    }
    if (!bytes[1])
        die("CPUID does not describe the caches");
    for (int level = 1; level <= 3; level++)
        printf("%s\"l%d_bytes\": %lu, \"l%d_ways\": %u, \"l%d_inclusive\": %u%s",
               level > 1 ? ", " : "{", level, bytes[level], level, ways[level], level,
               inclusive[level], level < 3 ? "" : "}\n");
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "bench")) {
        bench();
    } else if (argc == 2 && !strcmp(argv[1], "levels")) {
        levels();
    } else if (argc == 4 && !strcmp(argv[1], "count")) {
        long kib = atol(argv[2]), laps = atol(argv[3]);
        if (kib < 1 || kib > 262144 || laps < 1)
            die("KIB must lie between 1 and 262144, LAPS above 0");
        size_t lines = (size_t)kib * 1024 / LINE;
        line *a = cycle(lines);
        warm(a, lines);
        if (chase(a, laps * (long)lines) != a)
            die("the cycle does not close");
    } else {
        die("usage: ladder levels | ladder count KIB LAPS | ladder bench");
    }
    return 0;
}
