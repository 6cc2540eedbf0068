/* The two roofs of one thread, and a linear layer Y = X W^T between them, in float32.
 *
 *   linear bench                     peak, bandwidth and products for batches 1 to 64, as JSON
 *   linear blas                      the same products by OpenBLAS, as JSON
 *   linear once together|apart B     one product of B inputs with a matrix of 1024 x 1024, in one
 *                                    pass or in one pass per input, for a cache simulator
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { N = 8192, COUNTED = 1024, CACHED = 256, MOST = 64, BATCHES = 7, ROUNDS = 15 };
enum { PEAK = 1500000, CHAIN = 750000, CLOCK = 150000, PASSES = 1000, STEPS = 20000, LINE = 64 };

typedef float v16 __attribute__((vector_size(64), aligned(4)));
#define V(p) (*(const v16 *)(p))
#define F4(a, b, c, d) F(a) F(b) F(c) F(d)
#define F(r) "vfmadd231ps %%zmm30, %%zmm31, %%zmm" #r "\n" /* 16 lanes, 32 FLOP */
#define X4(s) s s s s

static volatile float sink;

/* 12 independent chains of multiply-adds */
__attribute__((noipa)) static void peak(long n)
{
    while (n--)
        __asm__ volatile(F4(0, 1, 2, 3) F4(4, 5, 6, 7) F4(8, 9, 10, 11)::: "xmm0", "xmm1",
                         "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                         "xmm10", "xmm11");
}

/* the same work in one chain for four: each waits for the one before */
__attribute__((noipa)) static void one_chain(long n)
{
    while (n--)
        __asm__ volatile(X4(F(0))::: "xmm0");
}

/* 64 additions, each waits for the one before: 64 cycles */
__attribute__((noipa)) static void ticks(long n)
{
    long x = 1, one = 1;
    while (n--)
        __asm__ volatile(X4(X4(X4("add %1, %0\n"))) : "+r"(x) : "r"(one));
}

static float sum16(const v16 *v)
{
    float s = 0;
    for (int i = 0; i < 16; i++)
        s += (*v)[i];
    return s;
}

/* four streams */
__attribute__((noipa)) static float read_all(const float *w)
{
    v16 s[4] = {{0}};
    long q = (long)N * N / 4;
    for (long i = 0; i < q; i += 16)
        for (int k = 0; k < 4; k++)
            s[k] += V(w + k * q + i);
    s[0] += s[1] + s[2] + s[3];
    return sum16(&s[0]);
}

/* 4 rows of W times nb inputs; the 4 * nb sums live in registers */
__attribute__((always_inline)) static inline void tile(int nb, int n, const float *w,
                                                       const float *x, float *y)
{
    v16 acc[4][4] = {{{0}}};
    for (int k = 0; k < n; k += 16)
        for (int j = 0; j < 4; j++)
            for (int b = 0; b < nb; b++)
                acc[j][b] += V(w + (long)j * n + k) * V(x + (long)b * n + k);
    for (int j = 0; j < 4; j++)
        for (int b = 0; b < nb; b++)
            y[b * n + j] = sum16(&acc[j][b]);
}

/* Y = X W^T: these 4 rows of W serve the whole batch */
__attribute__((noipa)) void linear(int B, int n, const float *W, const float *X, float *Y)
{
    for (int j = 0; j < n; j += 4)
        for (int b = 0; b < B; b += 4) {
            const float *w = W + (long)j * n, *x = X + (long)b * n;
            float *y = Y + (long)b * n + j;
            if (B == 1)
                tile(1, n, w, x, y);
            else if (B == 2)
                tile(2, n, w, x, y);
            else
                tile(4, n, w, x, y);
        }
}

static void die(const char *message)
{
    fprintf(stderr, "linear: %s\n", message);
    exit(2);
}

static void *memory(size_t bytes, size_t alignment)
{
    void *p = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!p)
        die("out of memory");
    if (alignment > 4096)
        madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

static float *fill(float *a, long n, int mod, float step)
{
    for (long i = 0; i < n; i++)
        a[i] = (float)(i % mod) * step;
    return a;
}

/* All values are multiples of 1/32 and small, so that every order of summation gives the same. */
static void check(int B, int n, const float *W, const float *X, float *Y)
{
    memset(Y, 0, sizeof(float) * (size_t)B * (size_t)n);
    linear(B, n, W, X, Y);
    for (int b = 0; b < B; b++)
        for (int j = b; j < n; j += n / 8) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += W[(long)j * n + k] * X[(long)b * n + k];
            if (s != Y[(long)b * n + j])
                die("the product is wrong");
        }
}

/* One cycle through all lines in random order (Sattolo's algorithm). */
static void **chase_lines(long lines)
{
    char *a = memory((size_t)lines * LINE, 1 << 21);
    uint32_t *order = memory((size_t)lines * sizeof *order, 64);
    uint64_t seed = 88172645463325252u;
    for (long i = 0; i < lines; i++)
        order[i] = (uint32_t)i;
    for (long i = lines - 1; i > 0; i--) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        long j = (long)(seed % (uint64_t)i);
        uint32_t t = order[i];
        order[i] = order[j], order[j] = t;
    }
    for (long i = 0; i < lines; i++)
        *(void **)(a + (long)order[i] * LINE) = a + (long)order[(i + 1) % lines] * LINE;
    free(order);
    return (void **)a;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void show(const char *name, const double *samples)
{
    printf(", \"%s\": [", name);
    for (int r = 0; r < ROUNDS; r++)
        printf("%s%.6e", r ? ", " : "", samples[r]);
    printf("]");
}

static void bench(void)
{
    static double roof[7][ROUNDS], batch[BATCHES][ROUNDS];
    const double bytes = 4.0 * N * N;
    float *W = fill(memory((size_t)bytes, 1 << 21), (long)N * N, 7, 0.125f);
    float *X = fill(memory(sizeof(float) * MOST * N, 64), (long)MOST * N, 5, 0.25f);
    float *Y = memory(sizeof(float) * MOST * N, 64);
    void **at = chase_lines((long)(bytes / LINE));
    check(1, CACHED, W, X, Y);
    check(2, N, W, X, Y);
    check(8, N, W, X, Y);
    for (int r = -1; r < ROUNDS; r++) { /* round -1 warms up */
        double t[8], b[BATCHES + 1];
        t[0] = now(), peak(PEAK);
        t[1] = now(), one_chain(CHAIN);
        t[2] = now(), ticks(CLOCK);
        t[3] = now(), sink = read_all(W);
        t[4] = now(), sink = read_all(W);
        t[5] = now();
        for (int i = 0; i < STEPS; i++)
            at = *at;
        sink = (float)((uintptr_t)at & 1);
        t[6] = now();
        for (int i = 0; i < PASSES; i++)
            linear(1, CACHED, W, X, Y);
        t[7] = now();
        for (int k = 0; k < BATCHES; k++)
            b[k] = now(), linear(1 << k, N, W, X, Y), b[k + 1] = now();
        double again = now();
        linear(1, N, W, X, Y);
        again = now() - again;
        if (r < 0)
            continue;
        roof[0][r] = (double)PEAK * 12 * 32 / (t[1] - t[0]);
        roof[1][r] = (double)CHAIN * 4 * 32 / (t[2] - t[1]);
        roof[2][r] = (double)CLOCK * 64 / (t[3] - t[2]);
        roof[3][r] = bytes / (t[4] - t[3]);
        roof[4][r] = bytes / (t[5] - t[4]);
        roof[5][r] = (t[6] - t[5]) / STEPS;
        roof[6][r] = (double)PASSES * 2 * CACHED * CACHED / (t[7] - t[6]);
        for (int k = 0; k < BATCHES; k++)
            batch[k][r] = b[k + 1] - b[k];
        static double first[ROUNDS];
        first[r] = again;
        if (r == ROUNDS - 1) {
            static const char *const names[] = {"peak", "one_chain", "clock", "read",
                                                "read_again", "step", "cached"};
            printf("{\"bytes\": %.0f, \"flop\": %.0f, \"line\": %d", bytes, 2.0 * N * N, LINE);
            for (int k = 0; k < 7; k++)
                show(names[k], roof[k]);
            for (int k = 0; k < BATCHES; k++) {
                char name[16];
                snprintf(name, sizeof name, "b%d", 1 << k);
                show(name, batch[k]);
            }
            show("again", first);
            printf("}\n");
        }
    }
}

typedef void (*gemv)(int, int, int, int, float, const float *, int, const float *, int, float,
                     float *, int);
typedef void (*gemm)(int, int, int, int, int, int, float, const float *, int, const float *, int,
                     float, float *, int);

static void blas(void)
{
    enum { ROW_MAJOR = 101, AS_IS = 111, TRANSPOSED = 112, TURNS = 7 };
    static double seconds[BATCHES][TURNS];
    void *library = dlopen("libopenblas.so.0", RTLD_NOW);
    if (!library)
        die("there is no libopenblas.so.0 (Debian: libopenblas0-pthread)");
    gemv one = (gemv)dlsym(library, "cblas_sgemv");
    gemm many = (gemm)dlsym(library, "cblas_sgemm");
    if (!one || !many)
        die("libopenblas.so.0 has no cblas_sgemv or cblas_sgemm");
    float *W = fill(memory(sizeof(float) * N * N, 1 << 21), (long)N * N, 7, 0.125f);
    float *X = fill(memory(sizeof(float) * MOST * N, 64), (long)MOST * N, 5, 0.25f);
    float *Y = memory(sizeof(float) * MOST * N, 64), *Z = memory(sizeof(float) * MOST * N, 64);
    for (int r = -1; r < TURNS; r++) /* turn -1 warms up */
        for (int k = 0; k < BATCHES; k++) {
            int B = 1 << k;
            double begin = now();
            if (B == 1)
                one(ROW_MAJOR, AS_IS, N, N, 1, W, N, X, 1, 0, Y, 1);
            else
                many(ROW_MAJOR, AS_IS, TRANSPOSED, B, N, N, 1, X, N, W, N, 0, Y, N);
            double end = now();
            if (r >= 0)
                seconds[k][r] = end - begin;
        }
    linear(MOST, N, W, X, Z);
    if (memcmp(Y, Z, sizeof(float) * MOST * N))
        die("the library's product differs");
    for (int k = 0; k < BATCHES; k++) {
        printf("%s\"b%d\": [", k ? ", " : "{", 1 << k);
        for (int r = 0; r < TURNS; r++)
            printf("%s%.6e", r ? ", " : "", seconds[k][r]);
        printf("]");
    }
    printf("}\n");
    dlclose(library);
}

static void once(int together, int B)
{
    float *W = fill(memory(sizeof(float) * COUNTED * COUNTED, 64), (long)COUNTED * COUNTED, 7,
                    0.125f);
    float *X = fill(memory(sizeof(float) * MOST * COUNTED, 64), (long)MOST * COUNTED, 5, 0.25f);
    float *Y = fill(memory(sizeof(float) * MOST * COUNTED, 64), (long)MOST * COUNTED, 1, 0);
    if (together)
        linear(B, COUNTED, W, X, Y);
    else
        for (int b = 0; b < B; b++)
            linear(1, COUNTED, W, X + (long)b * COUNTED, Y + (long)b * COUNTED);
    sink = Y[COUNTED - 1];
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "bench")) {
        bench();
        return 0;
    }
    if (argc == 2 && !strcmp(argv[1], "blas")) {
        blas();
        return 0;
    }
    if (argc != 4 || strcmp(argv[1], "once") ||
        (strcmp(argv[2], "together") && strcmp(argv[2], "apart")))
        die("usage: linear bench | linear blas | linear once together|apart B");
    int B = atoi(argv[3]);
    if (B != 1 && B != 2 && (B < 4 || B > MOST || B % 4))
        die("B must be 1, 2 or a multiple of 4 up to 64");
    once(!strcmp(argv[2], "together"), B);
    return 0;
}
