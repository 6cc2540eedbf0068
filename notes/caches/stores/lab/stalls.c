/* Two things that make a store or a copy slow, in turn: CPU seconds, as JSON.
 *
 *   stalls forward       a load of eight bytes after one store of eight, or two of four
 *   stalls alias         memcpy of 16 KiB, the source at the start of a page, the destination at
 *                        the start of another one or some bytes further; source_12 has it the
 *                        other way round
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "kernels.h"

enum { ROUNDS = 15, STEPS = 200000, COPIED = 16 << 10, COPIES = 200, KINDS = 8 };
static uint64_t cell[8] __attribute__((aligned(64)));
static volatile uint64_t sink;
static void *(*volatile library)(void *, const void *, size_t) = memcpy;
static double took[KINDS][ROUNDS];

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static KERNEL uint64_t whole(uint64_t x)
{
    for (int i = 0; i < STEPS; i++)
        __asm__ volatile("mov %0, (%1)\n\tmov (%1), %0" : "+r"(x) : "r"(cell) : "memory");
    return x;
}

static KERNEL uint64_t halves(uint64_t x)
{
    for (int i = 0; i < STEPS; i++)
        __asm__ volatile("movl %k0, (%1)\n\tmovl %k0, 4(%1)\n\tmov (%1), %0"
                         : "+r"(x) : "r"(cell) : "memory");
    return x;
}

static void print(const char *const *names, int kinds)
{
    for (int k = 0; k < kinds; k++) {
        printf("%s\"%s\": [", k ? ", " : "{", names[k]);
        for (int i = 0; i < ROUNDS; i++)
            printf("%s%.6g", i ? ", " : "", took[k][i]);
        printf("]");
    }
    printf("}\n");
}

static void forward(void)
{
    static const char *const names[] = {"whole", "halves", "again"};
    for (int i = -1; i < ROUNDS; i++)
        for (int k = 0; k < 3; k++) {
            double start = seconds();
            sink = k == 1 ? halves(k) : whole(k);
            if (i >= 0)
                took[k][i] = (seconds() - start) / STEPS;
        }
    print(names, 3);
}

static void alias(void)
{
    static const char *const names[] = {"library_0", "library_1", "library_15", "library_16",
                                        "library_32", "source_12", "both_15", "again"};
    static const int shifts[] = {0, 1, 15, 16, 32, 0, 15, 0};
    char *from = aligned_alloc(4096, 2 * COPIED), *to = aligned_alloc(4096, 2 * COPIED);
    if (!from || !to)
        exit(1);
    memset(from, 1, 2 * COPIED);
    memset(to, 1, 2 * COPIED);
    for (int i = -1; i < ROUNDS; i++)
        for (int k = 0; k < KINDS; k++) {
            double start = seconds();
            for (int r = 0; r < COPIES; r++)
                library(to + shifts[k], from + (k == 5 ? 12 : k == 6 ? 15 : 0), COPIED);
            if (i >= 0)
                took[k][i] = (seconds() - start) / COPIES;
        }
    print(names, KINDS);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    if (!strcmp(argv[1], "forward"))
        forward();
    else
        alias();
    return 0;
}
