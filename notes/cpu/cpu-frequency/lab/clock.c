/* Measures the core's clock with chains of dependent instructions: n additions that wait for one
 * another take n cycles. Prints JSON: for each chain the clock in Hz, cycles being counted by the
 * latencies 1 for `add` and 3 for `imul`; the time stamp counter's rate; /proc/cpuinfo's "MHz".
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#define X4(s) s s s s
#define ADD "add %1, %0\n"
#define IMUL "imul %1, %0\n"
#define FMA(r) "vfmadd231ps %%" r "4, %%" r "5, %%" r "0\n vfmadd231ps %%" r "4, %%" r "5, %%" r \
    "1\n vfmadd231ps %%" r "4, %%" r "5, %%" r "2\n vfmadd231ps %%" r "4, %%" r "5, %%" r "3\n"
#define CHAIN(name, steps) /* each step waits for the one before */ \
    __attribute__((noipa)) void name(long n) \
    { \
        long x = 1, one = 1; \
        while (n--) \
            __asm__ volatile(steps : "+r"(x) : "r"(one) : "xmm0", "xmm1", "xmm2", "xmm3"); \
    }
CHAIN(add, X4(X4(X4(ADD))))
CHAIN(imul, X4(X4(X4(IMUL))))
CHAIN(mixed, X4(X4(X4(ADD)) IMUL))        /* 64 additions and 4 multiplications: 76 cycles */
CHAIN(ymm, X4(X4(X4(ADD X4(ADD) FMA("ymm")))))
CHAIN(zmm, X4(X4(X4(ADD X4(ADD) FMA("zmm")))))

enum { ROUNDS = 31, TURNS = 160000, TESTS = 6 };

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double wall_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The first "cpu MHz" of /proc/cpuinfo, in Hz, or 0. */
static double reported(void)
{
    char line[256];
    double mhz = 0;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, "cpu MHz", 7) && strchr(line, ':')) {
            mhz = atof(strchr(line, ':') + 1);
            break;
        }
    if (f)
        fclose(f);
    return mhz * 1e6;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(long);
        double cycles; /* of one turn, by the latencies */
    } test[TESTS] = {{"add", add, 64},   {"imul", imul, 64 * 3}, {"mixed", mixed, 68},
                     {"ymm", ymm, 64 * 5}, {"zmm", zmm, 64 * 5},   {"again", add, 64}};
    static double clock[TESTS][ROUNDS];
    if (argc != 1) {
        fprintf(stderr, "usage: %s\n", argv[0]);
        return 2;
    }
    if (!__builtin_cpu_supports("avx512f")) {
        fprintf(stderr, "clock: this CPU has no AVX-512\n");
        return 2;
    }
    double wall = wall_now();
    unsigned long long tsc = __rdtsc();
    for (int r = -1; r < ROUNDS; r++) /* round -1 warms up */
        for (int k = 0; k < TESTS; k++) {
            long turns = TURNS * 64 / (long)test[k].cycles;
            double t = cpu_now();
            test[k].run(turns);
            t = cpu_now() - t;
            if (r >= 0)
                clock[k][r] = test[k].cycles * (double)turns / t;
        }
    double rate = (double)(__rdtsc() - tsc) / (wall_now() - wall);
    printf("{\"tsc\": %.6e, \"reported\": %.6e", rate, reported());
    for (int k = 0; k < TESTS; k++) {
        printf(", \"%s\": [", test[k].name);
        for (int r = 0; r < ROUNDS; r++)
            printf("%s%.6e", r ? ", " : "", clock[k][r]);
        printf("]");
    }
    printf("}\n");
    return 0;
}
