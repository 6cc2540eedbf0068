/* The same cache lines visited in several orders, and random lookups with and without a prefetch.
 *
 *   walks count forward|backward|strided|shuffled      once, for a cache simulator
 *   walks count sum|sum_ahead|work|work_ahead|list|list_ahead
 *   walks bench orders|lookups|distances|lists         CPU seconds a line, as JSON
 *   walks bench orders small                           the same on 4 KiB pages
 *
 * Every walk is the same function: an index array gives the order, so that instructions and lines
 * are the same. Each timed walk takes another window of the buffer, so that none finds what the one
 * before has left behind. Huge pages are requested, since address translation is another subject.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum {
    LINE = 64, PAGE_LINES = 64, HUGE_PAGE = 2 << 20, ROUNDS = 15,
    COUNTED = 1 << 18,     /* lines of a counted walk: 16 MiB */
    TIMED = 1 << 19,       /* lines of a timed walk, and of a window: 32 MiB */
    WINDOWS = 8,
    FITS = 256,            /* lines that fit into the first level: 16 KiB */
    DISTANCE = 16, FARTHEST = 4096, LISTS = 16
};
#define KERNEL __attribute__((noinline, noclone))

typedef struct { uint64_t zero, next, bits, rest[5]; } line;
typedef struct { line *a; const uint32_t *order; size_t lines, distance; } job;
static volatile uint64_t sink;
static uint32_t *order;
static int advice = MADV_HUGEPAGE;

static void fail(const char *why)
{
    fprintf(stderr, "walks: %s\n", why);
    exit(1);
}

/* Each address depends on the line before (its word is zero, which the compiler cannot know): no
 * miss begins before the last one has ended, unless the hardware foresees it. */
KERNEL uint64_t walk(const job *j)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < j->lines; i++)
        sum += j->a[j->order[i] + sum].zero;
    return sum;
}

/* Addresses known beforehand, nothing that would stop the core from going ahead by itself. */
KERNEL uint64_t sum(const job *j)
{
    uint64_t total = 0;
    for (size_t i = 0; i < j->lines; i++)
        total += j->a[j->order[i]].bits;
    return total;
}

/* The index array is longer than a walk by the farthest distance, so that no test is needed. */
KERNEL uint64_t sum_ahead(const job *j)
{
    uint64_t total = 0;
    for (size_t i = 0; i < j->lines; i++) {
        __builtin_prefetch(&j->a[j->order[i + j->distance]]);
        total += j->a[j->order[i]].bits;
    }
    return total;
}

/* What a program does with a record: some 370 instructions that need nothing but this line. Few
 * records fit into the core at once, so that it cannot go far ahead by itself. */
static inline uint64_t digest(const line *from)
{
    uint64_t parts[8] = {from->bits, from->bits ^ 1, from->bits ^ 2, from->bits ^ 3,
                         from->bits ^ 4, from->bits ^ 5, from->bits ^ 6, from->bits ^ 7};
    for (int turn = 0; turn < 4; turn++)
        for (int k = 0; k < 8; k++) {
            parts[k] ^= parts[k] >> 29;
            parts[k] *= 0xbf58476d1ce4e5b9u;
        }
    uint64_t all = 0;
    for (int k = 0; k < 8; k++)
        all ^= parts[k];
    return all;
}

KERNEL uint64_t work(const job *j)
{
    uint64_t total = 0;
    for (size_t i = 0; i < j->lines; i++)
        total += digest(&j->a[j->order[i]]);
    return total;
}

KERNEL uint64_t work_ahead(const job *j)
{
    uint64_t total = 0;
    for (size_t i = 0; i < j->lines; i++) {
        __builtin_prefetch(&j->a[j->order[i + j->distance]]);
        total += digest(&j->a[j->order[i]]);
    }
    return total;
}

/* A linked list: the next address is in the line that has not arrived. */
KERNEL uint64_t list(const job *j)
{
    uint64_t at = j->order[0];
    for (size_t i = 0; i < j->lines; i++)
        at = j->a[at].next;
    return at;
}

KERNEL uint64_t list_ahead(const job *j)
{
    uint64_t at = j->order[0];
    for (size_t i = 0; i < j->lines; i++) {
        uint64_t next = j->a[at].next;
        __builtin_prefetch(&j->a[next]);
        at = next;
    }
    return at;
}

/* As many nodes of the same list, by LISTS walkers who begin at different places, in turn. */
KERNEL uint64_t lists(const job *j)
{
    uint64_t at[LISTS];
    for (size_t k = 0; k < LISTS; k++)
        at[k] = j->order[k * (j->lines / LISTS)];
    for (size_t i = 0; i < j->lines / LISTS; i++)
        for (size_t k = 0; k < LISTS; k++)
            at[k] = j->a[at[k]].next;
    return at[0];
}

static uint64_t random_number(void)
{
    static uint64_t x = 88172645463325252u;
    x ^= x << 13;
    x ^= x >> 7;
    return x ^= x << 17;
}

static void shuffle(uint32_t *a, size_t n)
{
    for (size_t i = n - 1; i > 0; i--) {
        size_t j = random_number() % (i + 1);
        uint32_t t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

static void strided(uint32_t *a, size_t n, size_t step)
{
    size_t k = 0;
    for (size_t first = 0; first < step; first++)
        for (size_t i = first; i < n; i += step)
            a[k++] = i;
}

/* Whole pages in order with their lines shuffled, or shuffled pages with their lines in order. */
static void by_pages(uint32_t *a, size_t n, int shuffle_pages)
{
    static uint32_t pages[TIMED / PAGE_LINES], inside[PAGE_LINES];
    for (size_t p = 0; p < n / PAGE_LINES; p++)
        pages[p] = p;
    for (size_t l = 0; l < PAGE_LINES; l++)
        inside[l] = l;
    if (shuffle_pages)
        shuffle(pages, n / PAGE_LINES);
    for (size_t p = 0; p < n / PAGE_LINES; p++) {
        if (!shuffle_pages)
            shuffle(inside, PAGE_LINES);
        for (size_t l = 0; l < PAGE_LINES; l++)
            a[p * PAGE_LINES + l] = pages[p] * PAGE_LINES + inside[l];
    }
}

enum { FORWARD, BACKWARD, STEP_2, STEP_16, STEP_61, STEP_1021, INSIDE, PAGES, SHUFFLED, ORDERS };
static const char *const order_names[ORDERS] = {
    "forward", "backward", "step_2", "step_16", "step_61", "step_1021", "inside", "pages", "shuffled"};

static void arrange(uint32_t *a, size_t n, int which)
{
    static const size_t steps[] = {[STEP_2] = 2, [STEP_16] = 16, [STEP_61] = 61,
                                   [STEP_1021] = 1021};
    switch (which) {
    case INSIDE:
    case PAGES:
        by_pages(a, n, which == PAGES);
        break;
    case STEP_2: case STEP_16: case STEP_61: case STEP_1021:
        strided(a, n, steps[which]);
        break;
    default:
        for (size_t i = 0; i < n; i++)
            a[i] = which == BACKWARD ? n - 1 - i : i;
        if (which == SHUFFLED)
            shuffle(a, n);
    }
    memcpy(a + n, a, FARTHEST * sizeof *a);     /* what is prefetched beyond the end */
}

static void *memory(size_t bytes)
{
    char *area = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED)
        fail(strerror(errno));
    char *start = (char *)(((uintptr_t)area + HUGE_PAGE - 1) & ~((uintptr_t)HUGE_PAGE - 1));
    madvise(start, bytes, advice);      /* a request: the kernel may have no huge pages left */
    return start;
}

/* Zeros, random bits, and the lines of each window linked in the order of the index array. */
static line *fill(size_t windows, size_t lines)
{
    line *a = memory(windows * lines * LINE);
    for (size_t w = 0; w < windows; w++)
        for (size_t i = 0; i < lines; i++) {
            line *to = &a[w * lines + order[i]];
            *to = (line){.next = order[i + 1 == lines ? 0 : i + 1], .bits = random_number() >> 8};
        }
    return a;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

typedef uint64_t kernel(const job *);
static line *buffer;

/* In a window that has been left alone for the longest time. */
static double time_one(kernel *run, const uint32_t *by, size_t lines, size_t distance)
{
    static size_t turn;
    job j = {buffer + turn++ % WINDOWS * TIMED, by, lines, distance};
    double start = seconds();
    sink = run(&j);
    return (seconds() - start) / lines;
}

/* Over lines that are in the first-level cache. */
static double time_hits(kernel *run)
{
    job j = {buffer, order, FITS, DISTANCE};
    sink = run(&j);
    double start = seconds();
    for (int lap = 0; lap < 500; lap++)
        sink = run(&j);
    return (seconds() - start) / FITS / 500;
}

static int printed;
static void print(const char *name, const double *samples)
{
    printf("%s\"%s\": [", printed++ ? ", " : "{", name);
    for (int r = 0; r < ROUNDS; r++)
        printf("%s%.5g", r ? ", " : "", samples[r]);
    printf("]");
}

static void bench_orders(void)
{
    static uint32_t orders[ORDERS][TIMED + FARTHEST];
    static double samples[ORDERS + 1][ROUNDS];
    for (int o = 0; o < ORDERS; o++)
        arrange(orders[o], TIMED, o);
    for (int round = -1; round < ROUNDS; round++)
        for (int o = 0; o <= ORDERS; o++)       /* the last is the first once more, as a control */
            samples[o][round < 0 ? 0 : round] = time_one(walk, orders[o % ORDERS], TIMED, 0);
    for (int o = 0; o <= ORDERS; o++)
        print(o < ORDERS ? order_names[o] : "again", samples[o]);
}

static void bench_kernels(int count, kernel *const *runs, const char *const *names, size_t lines)
{
    static double samples[8][ROUNDS];
    for (int round = -1; round < ROUNDS; round++)
        for (int k = 0; k < count; k++)
            samples[k][round < 0 ? 0 : round] = time_one(runs[k], order, lines, DISTANCE);
    for (int k = 0; k < count; k++)
        print(names[k], samples[k]);
}

static void bench_hits(int count, kernel *const *runs, const char *const *names)
{
    static double samples[8][ROUNDS];
    for (size_t i = 0; i < FITS + DISTANCE; i++)
        order[i] = i * 97 % FITS;
    for (int round = -1; round < ROUNDS; round++)
        for (int k = 0; k < count; k++)
            samples[k][round < 0 ? 0 : round] = time_hits(runs[k]);
    for (int k = 0; k < count; k++)
        print(names[k], samples[k]);
}

static void bench_distances(void)
{
    static const size_t distances[] = {0, 1, 2, 4, 8, 16, 32, 64, 256, 4096};
    enum { N = sizeof distances / sizeof *distances };
    static double samples[N][ROUNDS];
    char name[32];
    for (int round = -1; round < ROUNDS; round++)
        for (int d = 0; d < N; d++)
            samples[d][round < 0 ? 0 : round] =
                time_one(d ? work_ahead : work, order, TIMED, distances[d]);
    for (int d = 0; d < N; d++) {
        snprintf(name, sizeof name, "ahead_%zu", distances[d]);
        print(name, samples[d]);
    }
}

static int bench(const char *what)
{
    static kernel *const lookups[] = {sum, sum_ahead, work, work_ahead, work};
    static const char *const lookup_names[] = {"sum", "sum_ahead", "work", "work_ahead", "again"};
    static kernel *const near_lookups[] = {sum, sum_ahead, work};
    static const char *const near_names[] = {"near_sum", "near_sum_ahead", "near_work"};
    static kernel *const chains[] = {list, list_ahead, lists, list};
    static const char *const chain_names[] = {"list", "list_ahead", "lists", "again"};
    buffer = fill(WINDOWS, TIMED);
    if (!strcmp(what, "orders"))
        bench_orders();
    else if (!strcmp(what, "lookups")) {
        bench_kernels(5, lookups, lookup_names, TIMED);
        bench_hits(3, near_lookups, near_names);
    } else if (!strcmp(what, "distances"))
        bench_distances();
    else if (!strcmp(what, "lists"))
        bench_kernels(4, chains, chain_names, TIMED / 4);
    else
        fail("bench orders, lookups, distances or lists");
    printf("}\n");
    return 0;
}

static const struct { const char *name; kernel *run; int order; } counted[] = {
    {"forward", walk, FORWARD},        {"backward", walk, BACKWARD},
    {"strided", walk, STEP_61},        {"shuffled", walk, SHUFFLED},
    {"sum", sum, SHUFFLED},            {"sum_ahead", sum_ahead, SHUFFLED},
    {"work", work, SHUFFLED},      {"work_ahead", work_ahead, SHUFFLED},
    {"list", list, SHUFFLED},          {"list_ahead", list_ahead, SHUFFLED}};

int main(int argc, char **argv)
{
    if (argc != 3 && !(argc == 4 && !strcmp(argv[3], "small")))
        fail("usage: walks count|bench WHAT (see the source)");
    if (argc == 4)
        advice = MADV_NOHUGEPAGE;
    order = memory((TIMED + FARTHEST) * sizeof *order);
    arrange(order, TIMED, SHUFFLED);
    if (!strcmp(argv[1], "bench"))
        return bench(argv[2]);
    for (size_t c = 0; c < sizeof counted / sizeof *counted; c++)
        if (!strcmp(argv[2], counted[c].name)) {
            arrange(order, COUNTED, counted[c].order);
            job j = {fill(1, COUNTED), order, COUNTED, DISTANCE};
            sink = counted[c].run(&j);
            return 0;
        }
    fail("count what?");
}
