/* Five loops, each of which loses its pipeline slots for one reason, and each without that reason. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BYTES = 1 << 18, BIG = 1 << 20, SMALL = 256, LINE = 64, STEPS = 1 << 18 };
typedef struct line { struct line *next; char rest[LINE - sizeof(void *)]; } line;
static unsigned char mixed[BYTES], sorted[BYTES];
static line *far_ring, *near_ring;

#define X4(s) s s s s
#define X16(s) X4(X4(s))

/* Additions of one register, each waiting for the one before: one step takes one cycle. */
__attribute__((noipa)) static void clock_chain(long n)
{
    long x = 1, one = 1;
    while (n--)
        __asm__ volatile(X16(X4("add %1, %0\n")) : "+r"(x) : "r"(one));
}

/* Nothing waits: additions of twelve registers in turn. */
__attribute__((noipa)) static void busy(long n)
{
    while (n--)
        __asm__ volatile(X4("add $1, %%rax\nadd $1, %%rcx\nadd $1, %%rdx\nadd $1, %%rsi\n"
                            "add $1, %%r8\nadd $1, %%r9\nadd $1, %%r10\nadd $1, %%r11\n"
                            "lea 1(%%r12), %%r12\nlea 1(%%r13), %%r13\nlea 1(%%r14), %%r14\n"
                            "lea 1(%%r15), %%r15\n")
                         : : : "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13",
                           "r14", "r15");
}

/* Copies between registers: they take slots, and compute nothing. */
__attribute__((noipa)) static void copies(long n)
{
    while (n--)
        __asm__ volatile(X16("mov %%rax, %%rcx\nmov %%rdx, %%rsi\nmov %%r8, %%r9\nmov %%r10, %%r11\n")
                         : : : "rcx", "rsi", "r9", "r11");
}

/* A multiplication needs three cycles: in one chain, and in four. */
__attribute__((noipa)) static void one_chain(long n)
{
    long a = 1;
    while (n--)
        __asm__ volatile(X16("imul $3, %0, %0\n") : "+r"(a));
}

__attribute__((noipa)) static void four_chains(long n)
{
    long a = 1, b = 2, c = 3, d = 4;
    while (n--)
        __asm__ volatile(X4("imul $3, %0, %0\nimul $3, %1, %1\nimul $3, %2, %2\nimul $3, %3, %3\n")
                         : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
}

/* Counts odd bytes with a branch; written in assembly so that it stays a branch. */
__attribute__((noipa)) static long count(const unsigned char *p)
{
    const unsigned char *end = p + BYTES;
    long odd = 0;
    __asm__ volatile("0:\ntestb $1, (%0)\njz 1f\nadd $1, %1\n1:\nadd $1, %0\ncmp %2, %0\njne 0b\n"
                     : "+r"(p), "+r"(odd) : "r"(end) : "memory", "cc");
    return odd;
}

static void count_mixed(long n) { while (n--) count(mixed); }
static void count_sorted(long n) { while (n--) count(sorted); }

/* Follows a ring of lines: one that no cache holds, and one that the first level holds. */
__attribute__((noipa)) static void chase(line *at, long n)
{
    while (n--)
        at = at->next;
    __asm__ volatile("" : : "r"(at));
}

static void chase_far(long n) { chase(far_ring, n); }
static void chase_near(long n) { chase(near_ring, n); }

/* The same additions as straight code of 432 KiB, and as a loop of 3.4 KiB. */
#define ADDS "add $0x12345, %%rax\nadd $0x12345, %%rcx\nadd $0x12345, %%rdx\nadd $0x12345, %%rsi\n"
__attribute__((noipa)) static void long_code(long n)
{
    while (n--)
        __asm__ volatile(".rept 16384\n" ADDS ".endr\n" : : : "rax", "rcx", "rdx", "rsi");
}

__attribute__((noipa)) static void short_code(long n)
{
    while (n--)
        for (int i = 0; i < 128; i++)
            __asm__ volatile(".rept 128\n" ADDS ".endr\n" : : : "rax", "rcx", "rdx", "rsi");
}

static line *ring(size_t n)
{
    line *all = aligned_alloc(4096, n * sizeof *all);
    size_t *order = malloc(n * sizeof *order);
    unsigned long long x = 88172645463325252ull;
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = n - 1; i > 0; i--) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        size_t j = x % (i + 1), t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
    for (size_t i = 0; i < n; i++)
        all[order[i]].next = &all[order[(i + 1) % n]];
    free(order);
    return all;
}

static int by_oddness(const void *a, const void *b)
{
    return (*(const unsigned char *)a & 1) - (*(const unsigned char *)b & 1);
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Turns and instructions that one turn of each loop is made of (the loop's own two left out). */
static const struct kernel { const char *name; void (*run)(long); long turns; double instructions; } kernels[] = {
    {"clock", clock_chain, 20000, 64},
    {"busy", busy, 30000, 48},
    {"again", busy, 30000, 48},
    {"copies", copies, 30000, 64},
    {"one_chain", one_chain, 30000, 16},
    {"four_chains", four_chains, 60000, 16},
    {"mixed", count_mixed, 1, 5.5 * BYTES},
    {"sorted", count_sorted, 4, 5.5 * BYTES},
    {"far", chase_far, 8192, 1},
    {"near", chase_near, 1 << 19, 1},
    {"long_code", long_code, 20, 65536},
    {"short_code", short_code, 20, 65536},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 0;
    unsigned long long x = 1;
    for (int i = 0; i < BYTES; i++) {
        x = x * 6364136223846793005ull + 1442695040888963407ull;
        mixed[i] = x >> 33;
    }
    memcpy(sorted, mixed, BYTES);
    qsort(sorted, BYTES, 1, by_oddness);
    if (!rounds) {                              /* for counting: one run of the kernel that is named */
        for (int k = 0; k < KERNELS; k++)
            if (argc > 2 && !strcmp(argv[2], kernels[k].name) && strcmp(argv[2], "far") && strcmp(argv[2], "near"))
                kernels[k].run(1);
        return 0;
    }
    far_ring = ring(BIG), near_ring = ring(SMALL);
    double *took[KERNELS];
    for (int k = 0; k < KERNELS; k++) {
        took[k] = calloc(rounds, sizeof *took[k]);
        kernels[k].run(1);
    }
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < KERNELS; k++) {
            double start = cpu_seconds();
            kernels[k].run(kernels[k].turns);
            took[k][r] = (cpu_seconds() - start) / (kernels[k].turns * kernels[k].instructions);
        }
    printf("{");
    for (int k = 0; k < KERNELS; k++) {
        printf("%s\"%s\": [", k ? ", " : "", kernels[k].name);
        for (int r = 0; r < rounds; r++)
            printf("%s%.6g", r ? ", " : "", took[k][r]);
        printf("]");
    }
    printf("}\n");
    return 0;
}
