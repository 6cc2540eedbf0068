/* Sums the values of at least 128 in an array, unsorted or sorted, by the three versions of the
   function in kernel.c.

   Usage: branch once KERNEL ORDER COUNT    one pass (for counting), KERNEL branch|cmov|vector,
                                            ORDER unsorted|sorted
          branch bench COUNT FEW ROUNDS     prints one JSON object: ns per value, for arrays of
                                            COUNT values and of FEW */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "kernel.h"

#define MOST_ROUNDS 1000
#define VALUES_PER_SAMPLE (1L << 23)

typedef long long (*kernel)(const int *value, long count);

static volatile long long sink;

static void fail(const char *why)
{
    fprintf(stderr, "branch: %s\n", why);
    exit(1);
}

static double cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static uint32_t random_bits(void)
{
    static uint64_t state = 88172645463325252u;     /* xorshift: the same numbers everywhere */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 32;
}

static int *random_values(long count)
{
    int *value = malloc(count * sizeof *value);
    if (!value)
        fail("no memory");
    for (long i = 0; i < count; i++)
        value[i] = random_bits() & 255;
    return value;
}

/* The same values in ascending order (counting sort). */
static int *sorted_copy(const int *value, long count)
{
    long seen[256] = {0}, at = 0;
    int *sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        fail("no memory");
    for (long i = 0; i < count; i++)
        seen[value[i]]++;
    for (int v = 0; v < 256; v++)
        for (long i = 0; i < seen[v]; i++)
            sorted[at++] = v;
    return sorted;
}

static long parse(const char *text, long most)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (*end || number < 1 || number > most)
        fail("a number is missing or out of range");
    return number;
}

static int once(const char *name, const char *order, long count)
{
    kernel sum = !strcmp(name, "branch") ? sum_branch : !strcmp(name, "cmov") ? sum_cmov
               : !strcmp(name, "vector") ? sum_vector : NULL;
    int sorted = !strcmp(order, "sorted");
    if (!sum || (!sorted && strcmp(order, "unsorted")))
        fail("KERNEL is branch, cmov or vector; ORDER is unsorted or sorted");
    int *value = random_values(count);
    if (sorted)
        value = sorted_copy(value, count);
    sink = sum(value, count);
    printf("%lld\n", sink);
    return 0;
}

enum { BRANCH_UNSORTED, BRANCH_SORTED, AGAIN_SORTED, CMOV_UNSORTED, CMOV_SORTED, VECTOR_UNSORTED,
       FEW_UNSORTED, FEW_SORTED, QUANTITIES };

struct variant {
    const char *name;
    kernel sum;
    int sorted, few;
};

static const struct variant variants[QUANTITIES] = {
    [BRANCH_UNSORTED] = {"branch_unsorted", sum_branch, 0, 0},
    [BRANCH_SORTED] = {"branch_sorted", sum_branch, 1, 0},
    [AGAIN_SORTED] = {"again_sorted", sum_branch, 1, 0},
    [CMOV_UNSORTED] = {"cmov_unsorted", sum_cmov, 0, 0},
    [CMOV_SORTED] = {"cmov_sorted", sum_cmov, 1, 0},
    [VECTOR_UNSORTED] = {"vector_unsorted", sum_vector, 0, 0},
    [FEW_UNSORTED] = {"few_unsorted", sum_branch, 0, 1},
    [FEW_SORTED] = {"few_sorted", sum_branch, 1, 1},
};

static int bench(long count, long few, int rounds)
{
    static double samples[QUANTITIES][MOST_ROUNDS];
    int *value[2][2];                   /* [few][sorted] */
    long length[2] = {count, few};
    long long total[2];
    for (int f = 0; f < 2; f++) {
        value[f][0] = random_values(length[f]);
        value[f][1] = sorted_copy(value[f][0], length[f]);
        total[f] = sum_branch(value[f][0], length[f]);
    }
    for (int round = -1; round < rounds; round++)       /* round -1 warms up and is overwritten */
        for (int v = 0; v < QUANTITIES; v++) {
            const struct variant *it = &variants[v];
            long n = length[it->few], passes = VALUES_PER_SAMPLE / n;
            int right = 1;
            double start = cpu_ns();
            for (long pass = 0; pass < passes; pass++)
                right &= it->sum(value[it->few][it->sorted], n) == total[it->few];
            samples[v][round < 0 ? 0 : round] = (cpu_ns() - start) / ((double)n * passes);
            if (!right)
                fail("the versions disagree");
        }
    for (int v = 0; v < QUANTITIES; v++) {
        printf("%s\"%s\": [", v ? ", " : "{", variants[v].name);
        for (int i = 0; i < rounds; i++)
            printf("%s%.5g", i ? ", " : "", samples[v][i]);
        printf("]");
    }
    printf("}\n");
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 5 && !strcmp(argv[1], "once"))
        return once(argv[2], argv[3], parse(argv[4], 1L << 28));
    if (argc == 5 && !strcmp(argv[1], "bench"))
        return bench(parse(argv[2], VALUES_PER_SAMPLE), parse(argv[3], VALUES_PER_SAMPLE),
                     parse(argv[4], MOST_ROUNDS));
    fail("usage: branch once KERNEL ORDER COUNT, or branch bench COUNT FEW ROUNDS");
}
