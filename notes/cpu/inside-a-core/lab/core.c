/* How many instructions a core has in hand: chains, units and the window.

   Usage: core once KERNEL COUNT    one sum of COUNT numbers (for counting), KERNEL sum_1 to sum_32
          core chains ROUNDS        ns per instruction, dependent and independent, as JSON
          core sums COUNT ROUNDS    ns per addition, and per dependent integer addition ("cycle")
          core window ROUNDS        ns per turn of two cache misses with fillers between them */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "sum.h"

enum { MOST_ROUNDS = 200, MOST_QUANTITIES = 24, LINES = 1 << 20, LINE = 64 };

static volatile double sink;

static void fail(const char *why)
{
    fprintf(stderr, "core: %s\n", why);
    exit(1);
}

static double cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static long parse(const char *text, long most)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (*end || number < 1 || number > most)
        fail("a number is missing or out of range");
    return number;
}

static double samples[MOST_QUANTITIES][MOST_ROUNDS];

static void print(const char *const *names, int quantities, int rounds)
{
    for (int q = 0; q < quantities; q++) {
        printf("%s\"%s\": [", q ? ", " : "{", names[q]);
        for (int r = 0; r < rounds; r++)
            printf("%s%.5g", r ? ", " : "", samples[q][r]);
        printf("]");
    }
    printf("}\n");
}

/* Chains: every body has 64 instructions. */
#define X2(s) s s
#define X8(s) X2(X2(X2(s)))
#define BODY(name, text) \
    __attribute__((noipa)) static void name(long turns) \
    { \
        while (turns--) \
            __asm__ volatile(text ::: "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc", \
                "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7"); \
    }
#define EIGHT(op, a, b, c, d, e, f, g, h) \
    op a "," a "\n" op b "," b "\n" op c "," c "\n" op d "," d "\n" \
    op e "," e "\n" op f "," f "\n" op g "," g "\n" op h "," h "\n"
#define R_8(op) EIGHT(op, "%%rax", "%%rcx", "%%rdx", "%%rsi", "%%r8", "%%r9", "%%r10", "%%r11")
#define X_8(op) EIGHT(op, "%%xmm0", "%%xmm1", "%%xmm2", "%%xmm3", "%%xmm4", "%%xmm5", "%%xmm6", "%%xmm7")
BODY(add_chain, X8(X8("add %%rax,%%rax\n")))
BODY(add_apart, X8(R_8("add ")))
BODY(imul_chain, X8(X8("imul %%rax,%%rax\n")))
BODY(imul_apart, X8(R_8("imul ")))
BODY(addsd_chain, X8(X8("addsd %%xmm0,%%xmm0\n")))
BODY(addsd_apart, X8(X_8("addsd ")))
/* Four integer and two vector additions together: as many as are dispatched in a cycle. */
#define SIX "add $1,%%rax\nadd $1,%%rcx\npaddd %%xmm0,%%xmm0\nadd $1,%%rdx\nadd $1,%%rsi\npaddd %%xmm1,%%xmm1\n"
BODY(mixed, X8(SIX) SIX SIX "add $1,%%r8\nadd $1,%%r9\npaddd %%xmm2,%%xmm2\nadd $1,%%r10\n")

static void chains(int rounds)
{
    static const char *const names[] = {"add_chain", "add_apart", "imul_chain", "imul_apart",
                                        "addsd_chain", "addsd_apart", "mixed", "again"};
    static void (*const bodies[])(long) = {add_chain, add_apart, imul_chain, imul_apart,
                                           addsd_chain, addsd_apart, mixed, add_chain};
    const long turns = 5000;
    for (int round = -1; round < rounds; round++)
        for (int q = 0; q < 8; q++) {
            double start = cpu_ns();
            bodies[q](turns);
            samples[q][round < 0 ? 0 : round] = (cpu_ns() - start) / (64.0 * turns);
        }
    print(names, 8, rounds);
}

/* Sums */
typedef double (*sum)(const double *, long);
static const char *const sum_names[] = {"sum_1", "sum_2", "sum_4", "sum_8", "sum_32", "again", "cycle"};
static const sum sum_kernels[] = {sum_1, sum_2, sum_4, sum_8, sum_32, sum_1};

static double *numbers(long count)
{
    if (count % 32)
        fail("COUNT must be a multiple of 32");
    double *a = aligned_alloc(LINE, count * sizeof *a);
    if (!a)
        fail("no memory");
    for (long i = 0; i < count; i++)
        a[i] = i % 1000; /* whole numbers, so that every order of adding gives the same sum */
    return a;
}

static int once(const char *name, long count)
{
    for (int k = 0; k < 5; k++)
        if (!strcmp(name, sum_names[k])) {
            sink = sum_kernels[k](numbers(count), count);
            return 0;
        }
    fail("KERNEL is one of sum_1, sum_2, sum_4, sum_8, sum_32");
    return 1;
}

static void sums(long count, int rounds)
{
    double *a = numbers(count), expected = sum_1(a, count);
    long passes = 1 + 1000000 / count;
    for (int round = -1; round < rounds; round++)
        for (int q = 0; q < 7; q++) {
            int right = 1;
            double start = cpu_ns(), additions = (double)count * passes;
            if (q < 6)
                for (long pass = 0; pass < passes; pass++)
                    right &= sum_kernels[q](a, count) == expected;
            else
                add_chain((long)(additions = 20000));
            samples[q][round < 0 ? 0 : round] = (cpu_ns() - start) / (q < 6 ? additions : 64 * additions);
            if (!right)
                fail("the sums differ");
        }
    print(sum_names, 7, rounds);
}

/* The window: two independent chases through memory, with fillers between their loads. */
#define MOVES "movapd %%xmm0,%%xmm1\nmovapd %%xmm1,%%xmm0\n"
#define ADDS "lea 1(%%r8),%%r8\nlea 1(%%r9),%%r9\n"
#define WINDOW(name, filler, pairs) \
    __attribute__((noipa)) static void name(void *a, void *b, long turns) \
    { \
        while (turns--) \
            __asm__ volatile("mov (%0),%0\n.rept " #pairs "\n" filler ".endr\n" \
                             "mov (%1),%1\n.rept " #pairs "\n" filler ".endr\n" \
                             : "+r"(a), "+r"(b)::"r8", "r9", "cc", "xmm0", "xmm1"); \
    }
WINDOW(moves_64, MOVES, 32)
WINDOW(moves_128, MOVES, 64)
WINDOW(moves_256, MOVES, 128)
WINDOW(moves_304, MOVES, 152)
WINDOW(moves_336, MOVES, 168)
WINDOW(moves_640, MOVES, 320)
WINDOW(adds_64, ADDS, 32)
WINDOW(adds_128, ADDS, 64)
WINDOW(adds_256, ADDS, 128)
WINDOW(adds_304, ADDS, 152)

/* A cycle through all lines of a buffer in random order (Sattolo), each line pointing to the next. */
static char *circle(void)
{
    char *memory = aligned_alloc(2 << 20, (size_t)LINES * LINE);
    uint32_t *order = malloc(LINES * sizeof *order);
    uint64_t state = 88172645463325252u;
    if (!memory || !order)
        fail("no memory");
    for (uint32_t i = 0; i < LINES; i++)
        order[i] = i;
    for (uint32_t i = LINES - 1; i > 0; i--) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        uint32_t j = (uint32_t)(state >> 32) % i, kept = order[i];
        order[i] = order[j], order[j] = kept;
    }
    for (uint32_t i = 0; i < LINES; i++)
        *(void **)(memory + (size_t)order[i] * LINE) = memory + (size_t)order[(i + 1) % LINES] * LINE;
    free(order);
    return memory;
}

static void window(int rounds)
{
    static const char *const names[] = {"moves_64", "moves_128", "moves_256", "moves_304", "moves_336",
                                        "moves_640", "adds_64", "adds_128", "adds_256", "adds_304"};
    static void (*const bodies[])(void *, void *, long) = {
        moves_64, moves_128, moves_256, moves_304, moves_336,
        moves_640, adds_64, adds_128, adds_256, adds_304};
    const long turns = 4000;
    char *memory = circle();
    uint32_t at = 0;
    for (int round = -1; round < rounds; round++)
        for (int q = 0; q < 10; q++) {
            /* Another pair of places each time, so that nothing is left in the caches. */
            char *a = memory + (size_t)((at += 104729) % LINES) * LINE;
            char *b = memory + (size_t)((at += 104729) % LINES) * LINE;
            double start = cpu_ns();
            bodies[q](a, b, turns);
            samples[q][round < 0 ? 0 : round] = (cpu_ns() - start) / turns;
        }
    print(names, 10, rounds);
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "once"))
        return once(argv[2], parse(argv[3], 1L << 27));
    if (argc == 3 && !strcmp(argv[1], "chains"))
        chains((int)parse(argv[2], MOST_ROUNDS));
    else if (argc == 4 && !strcmp(argv[1], "sums"))
        sums(parse(argv[2], 1L << 27), (int)parse(argv[3], MOST_ROUNDS));
    else if (argc == 3 && !strcmp(argv[1], "window"))
        window((int)parse(argv[2], MOST_ROUNDS));
    else
        fail("usage: core once KERNEL COUNT, core chains ROUNDS, core sums COUNT ROUNDS, core window ROUNDS");
    return 0;
}
