/* C += A B for square matrices of float, row-major, in five steps. n must be a multiple of 144.
 *
 *   gemm bench N       time all steps, interleaved, and print the samples as JSON
 *   gemm blas N        time two steps and cblas_sgemm of OpenBLAS, as JSON
 *   gemm STEP N        run one step once, for an instrument that counts
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PLAIN __attribute__((noinline, noclone))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

enum {
    KB = 16, JB = 144,  /* the tile of B in gemm_blocked: 9 KiB */
    NR = 16,            /* columns of C in a register tile: two vectors */
    KC = 120, MC = 96,  /* the packed block of A: 45 KiB, for L2 */
    ROUNDS = 15
};

typedef float v8 __attribute__((vector_size(32), may_alias));
typedef float v8u __attribute__((vector_size(32), aligned(4), may_alias));

/* 1. The definition: one dot product per element of C; B is walked down its columns. */
PLAIN void gemm_ijk(int n, const float *a, const float *b, float *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] += s;
        }
}

/* 2. The inner two loops exchanged: every access runs along a row. */
PLAIN void gemm_ikj(int n, const float *a, const float *b, float *restrict c)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            float x = a[i * n + k];
            for (int j = 0; j < n; j++)
                c[i * n + j] += x * b[k * n + j];
        }
}

/* 3. The same on a tile of B that stays in L1 while all rows of A and C pass by. */
PLAIN void gemm_blocked(int n, const float *a, const float *b, float *restrict c)
{
    for (int kk = 0; kk < n; kk += KB)
        for (int jj = 0; jj < n; jj += JB)
            for (int i = 0; i < n; i++)
                for (int k = kk; k < kk + KB; k++) {
                    float x = a[i * n + k];
                    for (int j = 0; j < JB; j++)
                        c[i * n + jj + j] += x * b[k * n + jj + j];
                }
}

/* 4. A tile of C, MR x 16, stays in registers for the whole of a packed panel. */
#define MICRO(name, MR)                                                               \
    PLAIN void name(int kc, const float *ap, const float *bp, float *c, int n)       \
    {                                                                                 \
        v8 s[MR][2] = {{{0}}};                                                        \
        for (int k = 0; k < kc; k++, ap += MR, bp += NR) {                            \
            v8 b0 = *(const v8 *)bp, b1 = *(const v8 *)(bp + 8);                      \
            _Pragma("GCC unroll 16") for (int r = 0; r < MR; r++) {                   \
                s[r][0] += ap[r] * b0;                                                \
                s[r][1] += ap[r] * b1;                                                \
            }                                                                         \
        }                                                                             \
        _Pragma("GCC unroll 16") for (int r = 0; r < MR; r++) {                       \
            *(v8u *)(c + r * n) += s[r][0];                                           \
            *(v8u *)(c + r * n + 8) += s[r][1];                                       \
        }                                                                             \
    }
MICRO(micro_1, 1)
MICRO(micro_6, 6)
MICRO(micro_12, 12)

/* Copy the blocks into the order in which the micro-kernel reads them. */
PLAIN void pack_a(int mr, int n, int kc, int mc, const float *a, float *ap)
{
    for (int i = 0; i < mc; i += mr)
        for (int k = 0; k < kc; k++)
            for (int r = 0; r < mr; r++)
                *ap++ = a[(i + r) * n + k];
}

PLAIN void pack_b(int n, int kc, const float *b, float *bp)
{
    for (int j = 0; j < n; j += NR)
        for (int k = 0; k < kc; k++, bp += NR)
            memcpy(bp, b + k * n + j, NR * sizeof *bp);
}

static float *apack, *bpack;
typedef void micro(int, const float *, const float *, float *, int);

static inline void packed(int mr, micro *kernel, int n, const float *a, const float *b, float *c)
{
    for (int kk = 0; kk < n; kk += KC) {
        int kc = MIN(KC, n - kk);
        pack_b(n, kc, b + kk * n, bpack);
        for (int ii = 0; ii < n; ii += MC) {
            int mc = MIN(MC, n - ii);
            pack_a(mr, n, kc, mc, a + ii * n + kk, apack);
            for (int j = 0; j < n; j += NR)
                for (int i = 0; i < mc; i += mr)
                    kernel(kc, apack + i * kc, bpack + j * kc, c + (ii + i) * n + j, n);
        }
    }
}

PLAIN void gemm_packed_1(int n, const float *a, const float *b, float *c)
{
    packed(1, micro_1, n, a, b, c);
}

PLAIN void gemm_packed(int n, const float *a, const float *b, float *c)
{
    packed(6, micro_6, n, a, b, c);
}

PLAIN void gemm_packed_12(int n, const float *a, const float *b, float *c)
{
    packed(12, micro_12, n, a, b, c);
}

/* The peer. cblas.h: row-major is 101, not transposed is 111. */
static void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int,
                     float, float *, int);

static void gemm_blas(int n, const float *a, const float *b, float *c)
{
    sgemm(101, 111, 111, n, n, n, 1, a, n, b, n, 1, c, n);
}

static void load_blas(void)
{
    void *library = dlopen("libopenblas.so.0", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "gemm: %s\n", dlerror());
        exit(1);
    }
    *(void **)&sgemm = dlsym(library, "cblas_sgemm");
    char *(*core)(void);
    *(void **)&core = dlsym(library, "openblas_get_corename");
    if (!sgemm || !core) {
        fprintf(stderr, "gemm: libopenblas.so.0 has no cblas_sgemm\n");
        exit(1);
    }
    fprintf(stderr, "OpenBLAS runs its %s kernels\n", core());
}

struct step {
    const char *name;
    void (*run)(int, const float *, const float *, float *);
    double rate[ROUNDS], seconds[ROUNDS];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void *matrix(size_t floats)
{
    void *p = aligned_alloc(4096, (floats * sizeof(float) + 4095) / 4096 * 4096);
    if (!p) {
        fprintf(stderr, "gemm: out of memory\n");
        exit(1);
    }
    memset(p, 0, floats * sizeof(float));
    return p;
}

/* Small whole numbers: all sums are exact in float, whatever their order. */
static void check(const char *name, int n, const float *a, const float *b, const float *c)
{
    for (int t = 0; t < 1000; t++) {
        int i = t * 37 % n, j = t * 101 % n;
        double s = 0;
        for (int k = 0; k < n; k++)
            s += (double)a[i * n + k] * b[k * n + j];
        if (s != c[i * n + j]) {
            fprintf(stderr, "gemm: %s: c[%d][%d] = %g, not %g\n", name, i, j, c[i * n + j], s);
            exit(1);
        }
    }
}

int main(int argc, char **argv)
{
    static struct step all[] = {
        {.name = "ijk", .run = gemm_ijk},
        {.name = "ikj", .run = gemm_ikj},
        {.name = "blocked", .run = gemm_blocked},
        {.name = "packed_1", .run = gemm_packed_1},
        {.name = "packed", .run = gemm_packed},
        {.name = "packed_12", .run = gemm_packed_12},
        {.name = "again", .run = gemm_packed},
    };
    static struct step peers[] = {
        {.name = "packed", .run = gemm_packed},
        {.name = "openblas", .run = gemm_blas},
        {.name = "ikj", .run = gemm_ikj},
    };
    int n = argc == 3 ? atoi(argv[2]) : 0, number = 0;
    struct step *steps = all;
    const char *mode = argc == 3 ? argv[1] : "";
    int blas = !strcmp(mode, "blas"), bench = blas || !strcmp(mode, "bench");
    if (blas)
        steps = peers;
    if (bench)
        number = blas ? 3 : 7;
    for (int s = 0; s < 7 && !bench; s++)
        if (!strcmp(mode, all[s].name)) {
            steps = all + s;
            number = 1;
        }
    if (!number || n <= 0 || n > 4752 || n % 144) {
        fprintf(stderr, "usage: gemm bench|blas|STEP N   (N: a multiple of 144 up to 4752)\n");
        return 2;
    }
    if (blas)
        load_blas();

    size_t nn = (size_t)n * n;
    float *a = matrix(nn), *b = matrix(nn), *c = matrix(nn);
    apack = matrix((size_t)MC * KC);
    bpack = matrix((size_t)n * KC);
    for (size_t i = 0; i < nn; i++) {
        a[i] = (int)(i * 7 % 11) - 5;
        b[i] = (int)(i * 5 % 13) - 6;
    }
    for (int s = 0; s < number; s++) {      /* the warm-up round: results checked, not timed */
        memset(c, 0, nn * sizeof *c);
        steps[s].run(n, a, b, c);
        check(steps[s].name, n, a, b, c);
    }
    if (!bench)
        return 0;
    for (int r = 0; r < ROUNDS; r++)
        for (int s = 0; s < number; s++) {
            double t = now();
            int calls = 0;
            do {
                steps[s].run(n, a, b, c);
                calls++;
            } while (now() - t < 0.004);
            steps[s].seconds[r] = (now() - t) / calls;
            steps[s].rate[r] = 2.0 * n * n * n / steps[s].seconds[r];
        }
    if (!isfinite(c[nn - 1]))
        return 1;
    printf("{");
    for (int s = 0; s < number; s++) {
        printf("%s\"%s\": [", s ? ", " : "", steps[s].name);
        for (int r = 0; r < ROUNDS; r++)
            printf("%s%.9f", r ? ", " : "", steps[s].seconds[r]);
        printf("], \"%s_rate\": [", steps[s].name);
        for (int r = 0; r < ROUNDS; r++)
            printf("%s%.0f", r ? ", " : "", steps[s].rate[r]);
        printf("]");
    }
    printf("}\n");
    return 0;
}
