/* Plain loops against intrinsics.

   Usage: simd once KERNEL    one call on 16,384 elements, for counting
          simd bench ROUNDS   ns per element of every kernel, as JSON */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "uses.h"

enum { N = 16384, FLOATS = 1024, MOST_ROUNDS = 200 };

static uint8_t text[N], left[N], right[N], sums[2][N];
static int32_t value[N], kept[3][N + 8];
/* Three arrays at fixed places within their pages, so that no run meets other addresses. */
static _Alignas(4096) float floats[3][FLOATS + 384];

static void fail(const char *why)
{
    fprintf(stderr, "simd: %s\n", why);
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
    static uint64_t state = 88172645463325252u; /* xorshift: the same numbers everywhere */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 32;
}

static void fill(void)
{
    static const char letters[] = "{}[]:,\"abcdefghijklmnopqrstuvwxyz 0123456789";
    for (long i = 0; i < N; i++) {
        text[i] = i % 97 ? (uint8_t)letters[random_bits() % (sizeof letters - 1)] : (uint8_t)random_bits();
        left[i] = random_bits(), right[i] = random_bits();
        value[i] = random_bits() % 1000;
    }
    for (long i = 0; i < FLOATS + 384; i++)
        floats[0][i] = floats[1][i] = i;
}

static volatile long sink;
static void run_count_table(void) { sink = count_table(text, N); }
static void run_count_compare(void) { sink = count_compare(text, N); }
static void run_count_shuffle(void) { sink = count_shuffle(text, N); }
static void run_keep_branch(void) { sink = keep_branch(kept[0], value, N, 500); }
static void run_keep_step(void) { sink = keep_step(kept[1], value, N, 500); }
static void run_keep_permute(void) { sink = keep_permute(kept[2], value, N, 500); }
static void run_add_plain(void) { add_plain(sums[0], left, right, N); }
static void run_add_saturated(void) { add_saturated(sums[1], left, right, N); }
/* Within one line, and with every second load and store of 32 bytes across two lines. */
static void run_add_256(void) { add_256(floats[2], floats[0], floats[1], FLOATS); }
static void run_add_offset(void) { add_256(floats[2] + 1, floats[0] + 1, floats[1] + 1, FLOATS); }
static void run_add_512(void) { add_512(floats[2], floats[0], floats[1], FLOATS); }
static void run_add_512_offset(void) { add_512(floats[2] + 1, floats[0] + 1, floats[1] + 1, FLOATS); }

static const struct {
    const char *name;
    void (*run)(void);
    int elements;
} kernels[] = {
    {"count_table", run_count_table, N}, {"count_compare", run_count_compare, N},
    {"count_shuffle", run_count_shuffle, N}, {"keep_branch", run_keep_branch, N},
    {"keep_step", run_keep_step, N}, {"keep_permute", run_keep_permute, N},
    {"add_plain", run_add_plain, N}, {"add_saturated", run_add_saturated, N},
    {"again", run_add_plain, N}, {"add_256", run_add_256, FLOATS},
    {"add_offset", run_add_offset, FLOATS}, {"add_512", run_add_512, FLOATS},
    {"add_512_offset", run_add_512_offset, FLOATS},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static void check(void)
{
    long n = count_table(text, N), k = keep_branch(kept[0], value, N, 500);
    if (count_compare(text, N) != n || count_shuffle(text, N) != n)
        fail("the counts differ");
    if (keep_step(kept[1], value, N, 500) != k || keep_permute(kept[2], value, N, 500) != k
        || memcmp(kept[0], kept[1], k * sizeof(int32_t)) || memcmp(kept[0], kept[2], k * sizeof(int32_t)))
        fail("the kept values differ");
    add_plain(sums[0], left, right, N);
    add_saturated(sums[1], left, right, N);
    if (memcmp(sums[0], sums[1], N))
        fail("the sums differ");
}

static void bench(int rounds)
{
    static double samples[KERNELS][MOST_ROUNDS];
    check();
    for (int round = -1; round < rounds; round++)
        for (int k = 0; k < KERNELS; k++) {
            long passes = (1 << 19) / kernels[k].elements;
            double start = cpu_ns();
            for (long pass = 0; pass < passes; pass++)
                kernels[k].run();
            samples[k][round < 0 ? 0 : round] = (cpu_ns() - start) / ((double)passes * kernels[k].elements);
        }
    for (int k = 0; k < KERNELS; k++) {
        printf("%s\"%s\": [", k ? ", " : "{", kernels[k].name);
        for (int round = 0; round < rounds; round++)
            printf("%s%.5g", round ? ", " : "", samples[k][round]);
        printf("]");
    }
    printf("}\n");
}

int main(int argc, char **argv)
{
    fill();
    if (argc == 3 && !strcmp(argv[1], "once"))
        for (int k = 0; k < KERNELS; k++)
            if (!strcmp(argv[2], kernels[k].name)) {
                kernels[k].run();
                return 0;
            }
    if (argc == 3 && !strcmp(argv[1], "bench") && atoi(argv[2]) > 0 && atoi(argv[2]) <= MOST_ROUNDS) {
        bench(atoi(argv[2]));
        return 0;
    }
    fail("usage: simd once KERNEL, or simd bench ROUNDS (at most 200)");
}
