/* CPU time per element of the loops in kernels.c, and of operations on subnormal numbers.

   Usage: speed ROUNDS    prints one JSON object, ns */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <xmmintrin.h>

enum { N = 1024, MOST_ROUNDS = 200, FLUSH = 0x8040 };

float sum_plain(const float *a, long n), sum_parts(const float *a, long n), sum_declared(const float *a, long n);
void roots_plain(float *out, const float *a, long n), roots_parts(float *out, const float *a, long n);

/* Not a multiple of a page apart, lest a store be taken for the next load. */
static float normal[N + 32], tiny[N + 32], subnormal[N + 32], out[N + 32];
static volatile float sink;

static double cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

#define EACH(name, op, x, y) \
    __attribute__((noipa)) static void name(void) \
    { \
        float factor = y; \
        __asm__ volatile("" : "+x"(factor)); \
        for (int i = 0; i < N; i++) \
            out[i] = x[i] op factor; \
    }
EACH(multiply_normal, *, normal, 0.5f)
EACH(multiply_to_tiny, *, tiny, 0.5f) /* tiny holds the smallest normal number: the product is subnormal */
EACH(add_normal, +, normal, 1.0f)
EACH(add_tiny, +, subnormal, 1e-40f)
EACH(divide_normal, /, normal, 3.0f)
EACH(divide_to_tiny, /, tiny, 3.0f)

/* A chain: each product waits for the one before. */
#define CHAIN(name, start) \
    __attribute__((noipa)) static void name(void) \
    { \
        float x = start, one = 1; \
        for (int i = 0; i < N; i++) \
            __asm__ volatile("mulss %1, %0" : "+x"(x) : "x"(one)); \
        sink = x; \
    }
CHAIN(chain_normal, 1.0f)
CHAIN(chain_tiny, 1e-40f)

static void run_sum_plain(void) { sink = sum_plain(normal, N); }
static void run_sum_parts(void) { sink = sum_parts(normal, N); }
static void run_sum_declared(void) { sink = sum_declared(normal, N); }
static void run_roots_plain(void) { roots_plain(out, normal, N); }
static void run_roots_parts(void) { roots_parts(out, normal, N); }

static const struct {
    const char *name;
    void (*run)(void);
    int flush;
} kernels[] = {
    {"sum_plain", run_sum_plain, 0}, {"sum_parts", run_sum_parts, 0}, {"sum_declared", run_sum_declared, 0},
    {"sum_again", run_sum_plain, 0}, {"roots_plain", run_roots_plain, 0}, {"roots_parts", run_roots_parts, 0},
    {"multiply_normal", multiply_normal, 0}, {"multiply_tiny", multiply_to_tiny, 0},
    {"multiply_flushed", multiply_to_tiny, 1}, {"add_normal", add_normal, 0}, {"add_tiny", add_tiny, 0},
    {"divide_normal", divide_normal, 0}, {"divide_tiny", divide_to_tiny, 0}, {"divide_flushed", divide_to_tiny, 1},
    {"chain_normal", chain_normal, 0}, {"chain_tiny", chain_tiny, 0}, {"chain_flushed", chain_tiny, 1},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

int main(int argc, char **argv)
{
    static double samples[KERNELS][MOST_ROUNDS];
    int rounds = argc == 2 ? atoi(argv[1]) : 0;
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: speed ROUNDS (at most 200)\n");
        return 1;
    }
    for (int i = 0; i < N; i++) {
        normal[i] = 1;
        tiny[i] = 1.17549435e-38f;
        subnormal[i] = 2e-40f;
    }
    for (int round = -1; round < rounds; round++)
        for (int k = 0; k < KERNELS; k++) {
            unsigned state = _mm_getcsr();
            _mm_setcsr((state & ~(unsigned)FLUSH) | (kernels[k].flush ? FLUSH : 0));
            double start = cpu_ns();
            for (int pass = 0; pass < 500; pass++)
                kernels[k].run();
            samples[k][round < 0 ? 0 : round] = (cpu_ns() - start) / (500.0 * N);
            _mm_setcsr(state);
        }
    for (int k = 0; k < KERNELS; k++) {
        printf("%s\"%s\": [", k ? ", " : "{", kernels[k].name);
        for (int round = 0; round < rounds; round++)
            printf("%s%.5g", round ? ", " : "", samples[k][round]);
        printf("]");
    }
    printf("}\n");
    return 0;
}
