/* Products of a pruned matrix with a vector and with a batch, in several forms of storage.
 *
 *   ./prune check            compares each product with a plain one and each buffer with its formula
 *   ./prune count FORM S     runs one product once, with S percent of the weights zero: for a profiler
 *   ./prune kept             what share of the squares of normal weights each pattern keeps
 *   ./prune write S          writes the matrix to standard output as it lies in memory
 *   ./prune time             CPU time of pairs of products, interleaved
 *
 * FORM is one of: scalar vector csr gather block two_of_four rows batch batch_csr batch_rows.
 * Weights and inputs are small whole numbers, so that each sum is exact in any order. Build with gnu11:
 * with -std=c11 gcc does not fuse multiplications and additions, and the scalar loops get longer.
 */
#define _POSIX_C_SOURCE 200809L
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define APART __attribute__((noinline))

enum { K = 32, BLOCK = 8 }; /* columns of a batch; weights of a block, side by side in a row */

static uint64_t state = 88172645463325252u;

static uint32_t below(uint32_t n) /* xorshift: a number from 0 to n - 1 */
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 32) * n >> 32);
}

static void *get(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 127) / 64 * 64);
    if (!p)
        exit(2);
    memset(p, 0, (bytes + 127) / 64 * 64);
    return p;
}

/* ---- the forms ---- */

typedef struct { /* all weights, zero or not, row by row */
    size_t m, n;
    float *w;
} Dense;

typedef struct { /* CSR: values, their columns, and where each row begins */
    size_t m, n;
    float *value;
    uint32_t *column, *start;
} Csr;

/* Four sums each, so that an addition need not wait for the one before. */
APART void dense_scalar(float *y, const Dense *a, const float *x)
{
    for (size_t i = 0; i < a->m; i++) {
        const float *w = a->w + i * a->n;
        float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (size_t j = 0; j < a->n; j += 4) {
            s0 += w[j] * x[j];
            s1 += w[j + 1] * x[j + 1];
            s2 += w[j + 2] * x[j + 2];
            s3 += w[j + 3] * x[j + 3];
        }
        y[i] = s0 + s1 + s2 + s3;
    }
}

static inline float sum_of(__m256 v)
{
    float s[8], t = 0;
    _mm256_storeu_ps(s, v);
    for (int i = 0; i < 8; i++)
        t += s[i];
    return t;
}

APART void dense_vector(float *y, const Dense *a, const float *x)
{
    for (size_t i = 0; i < a->m; i++) {
        const float *w = a->w + i * a->n;
        __m256 s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0;
        for (size_t j = 0; j < a->n; j += 32) {
            s0 = _mm256_fmadd_ps(_mm256_loadu_ps(w + j), _mm256_loadu_ps(x + j), s0);
            s1 = _mm256_fmadd_ps(_mm256_loadu_ps(w + j + 8), _mm256_loadu_ps(x + j + 8), s1);
            s2 = _mm256_fmadd_ps(_mm256_loadu_ps(w + j + 16), _mm256_loadu_ps(x + j + 16), s2);
            s3 = _mm256_fmadd_ps(_mm256_loadu_ps(w + j + 24), _mm256_loadu_ps(x + j + 24), s3);
        }
        y[i] = sum_of(_mm256_add_ps(_mm256_add_ps(s0, s1), _mm256_add_ps(s2, s3)));
    }
}

APART void csr_scalar(float *y, const Csr *a, const float *x)
{
    for (size_t i = 0; i < a->m; i++) {
        size_t p = a->start[i], end = a->start[i + 1];
        float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (; p + 4 <= end; p += 4) {
            s0 += a->value[p] * x[a->column[p]];
            s1 += a->value[p + 1] * x[a->column[p + 1]];
            s2 += a->value[p + 2] * x[a->column[p + 2]];
            s3 += a->value[p + 3] * x[a->column[p + 3]];
        }
        for (; p < end; p++)
            s0 += a->value[p] * x[a->column[p]];
        y[i] = s0 + s1 + s2 + s3;
    }
}

/* The same with AVX2's gather: one instruction that loads eight numbers from eight places. */
APART void csr_gather(float *y, const Csr *a, const float *x)
{
    for (size_t i = 0; i < a->m; i++) {
        size_t p = a->start[i], end = a->start[i + 1];
        __m256 s0 = _mm256_setzero_ps(), s1 = s0;
        for (; p + 16 <= end; p += 16) {
            __m256i c0 = _mm256_loadu_si256((const __m256i *)(a->column + p));
            __m256i c1 = _mm256_loadu_si256((const __m256i *)(a->column + p + 8));
            s0 = _mm256_fmadd_ps(_mm256_loadu_ps(a->value + p), _mm256_i32gather_ps(x, c0, 4), s0);
            s1 = _mm256_fmadd_ps(_mm256_loadu_ps(a->value + p + 8), _mm256_i32gather_ps(x, c1, 4), s1);
        }
        float s = sum_of(_mm256_add_ps(s0, s1));
        for (; p < end; p++)
            s += a->value[p] * x[a->column[p]];
        y[i] = s;
    }
}

/* Blocks of eight weights side by side: a CSR whose column counts blocks and has eight values. */
APART void block_vector(float *y, const Csr *a, const float *x)
{
    for (size_t i = 0; i < a->m; i++) {
        size_t p = a->start[i], end = a->start[i + 1];
        __m256 s0 = _mm256_setzero_ps(), s1 = s0;
        for (; p + 2 <= end; p += 2) {
            const float *v = a->value + p * BLOCK;
            s0 = _mm256_fmadd_ps(_mm256_loadu_ps(v), _mm256_loadu_ps(x + a->column[p] * BLOCK), s0);
            s1 = _mm256_fmadd_ps(_mm256_loadu_ps(v + 8), _mm256_loadu_ps(x + a->column[p + 1] * BLOCK), s1);
        }
        for (; p < end; p++)
            s0 = _mm256_fmadd_ps(_mm256_loadu_ps(a->value + p * BLOCK),
                                 _mm256_loadu_ps(x + a->column[p] * BLOCK), s0);
        y[i] = sum_of(_mm256_add_ps(s0, s1));
    }
}

typedef struct { /* 2:4: two values of each four, and two bits for the place of each */
    size_t m, n;
    float *value;
    uint8_t *place; /* a byte for eight weights: the places of four values */
} Pairs;

/* A CPU without an instruction for it takes the places apart one by one. */
APART void two_of_four(float *y, const Pairs *a, const float *x)
{
    for (size_t i = 0; i < a->m; i++) {
        const float *v = a->value + i * a->n / 2;
        const uint8_t *place = a->place + i * a->n / 8;
        float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (size_t j = 0; j < a->n; j += 8, v += 4) {
            unsigned c = *place++;
            s0 += v[0] * x[j + (c & 3)];
            s1 += v[1] * x[j + (c >> 2 & 3)];
            s2 += v[2] * x[j + 4 + (c >> 4 & 3)];
            s3 += v[3] * x[j + 4 + (c >> 6)];
        }
        y[i] = s0 + s1 + s2 + s3;
    }
}

/* A batch: x has n rows of K numbers. The dense product takes four rows of weights at a time, so that
 * what it loads of x serves all four, and 128 columns of weights at a time, so that their rows of x stay
 * in L1. The eight sums have names, since gcc 12 leaves an array of them in memory at -O2. */
static inline void add_to(float *y, __m256 s)
{
    _mm256_storeu_ps(y, _mm256_add_ps(_mm256_loadu_ps(y), s));
}

APART void dense_batch(float *y, const Dense *a, const float *x)
{
    size_t n = a->n;
    memset(y, 0, a->m * K * sizeof *y);
    for (size_t from = 0; from < n; from += 128)
        for (size_t i = 0; i < a->m; i += 4)
            for (size_t c = 0; c < K; c += 16) {
                const float *w = a->w + i * n + from, *at = x + from * K + c;
                float *to = y + i * K + c;
                __m256 s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
                for (const float *end = w + 128; w < end; w++, at += K) {
                    __m256 x0 = _mm256_loadu_ps(at), x1 = _mm256_loadu_ps(at + 8);
                    __m256 v = _mm256_broadcast_ss(w);
                    s0 = _mm256_fmadd_ps(v, x0, s0);
                    s1 = _mm256_fmadd_ps(v, x1, s1);
                    v = _mm256_broadcast_ss(w + n);
                    s2 = _mm256_fmadd_ps(v, x0, s2);
                    s3 = _mm256_fmadd_ps(v, x1, s3);
                    v = _mm256_broadcast_ss(w + 2 * n);
                    s4 = _mm256_fmadd_ps(v, x0, s4);
                    s5 = _mm256_fmadd_ps(v, x1, s5);
                    v = _mm256_broadcast_ss(w + 3 * n);
                    s6 = _mm256_fmadd_ps(v, x0, s6);
                    s7 = _mm256_fmadd_ps(v, x1, s7);
                }
                add_to(to, s0);
                add_to(to + 8, s1);
                add_to(to + K, s2);
                add_to(to + K + 8, s3);
                add_to(to + 2 * K, s4);
                add_to(to + 2 * K + 8, s5);
                add_to(to + 3 * K, s6);
                add_to(to + 3 * K + 8, s7);
            }
}

/* Two rows of CSR have different columns, so each value loads its own row of x. */
APART void csr_batch(float *y, const Csr *a, const float *x)
{
    for (size_t i = 0; i < a->m; i++) {
        __m256 s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0;
        for (size_t p = a->start[i]; p < a->start[i + 1]; p++) {
            const float *at = x + (size_t)a->column[p] * K;
            __m256 w = _mm256_broadcast_ss(a->value + p);
            s0 = _mm256_fmadd_ps(w, _mm256_loadu_ps(at), s0);
            s1 = _mm256_fmadd_ps(w, _mm256_loadu_ps(at + 8), s1);
            s2 = _mm256_fmadd_ps(w, _mm256_loadu_ps(at + 16), s2);
            s3 = _mm256_fmadd_ps(w, _mm256_loadu_ps(at + 24), s3);
        }
        _mm256_storeu_ps(y + i * K, s0);
        _mm256_storeu_ps(y + i * K + 8, s1);
        _mm256_storeu_ps(y + i * K + 16, s2);
        _mm256_storeu_ps(y + i * K + 24, s3);
    }
}

/* ---- making and packing ---- */

static float number(void) /* -4..4 without 0 */
{
    float v = (float)(1 + below(4));
    return below(2) ? v : -v;
}

static Dense new_dense(size_t m, size_t n)
{
    Dense a = {m, n, get(m * n * sizeof(float))};
    for (size_t i = 0; i < m * n; i++)
        a.w[i] = number();
    return a;
}

/* In each row exactly `percent` of the weights, or of the blocks of `width`, become zero. */
static void mask(Dense *a, unsigned percent, size_t width)
{
    size_t parts = a->n / width, zeros = parts * percent / 100;
    size_t *order = get(parts * sizeof *order);
    for (size_t i = 0; i < a->m; i++) {
        for (size_t j = 0; j < parts; j++)
            order[j] = j;
        for (size_t j = 0; j < zeros; j++) {
            size_t other = j + below((uint32_t)(parts - j)), t = order[j];
            order[j] = order[other];
            order[other] = t;
            memset(a->w + i * a->n + order[j] * width, 0, width * sizeof(float));
        }
    }
    free(order);
}

/* In each group of four, two at random become zero. */
static void mask_pairs(Dense *a)
{
    for (size_t g = 0; g < a->m * a->n; g += 4) {
        unsigned one = below(4), two = (one + 1 + below(3)) % 4;
        a->w[g + one] = a->w[g + two] = 0;
    }
}

static Csr to_csr(const Dense *a, size_t width, size_t *bytes)
{
    size_t count = 0;
    for (size_t p = 0; p < a->m * a->n; p += width)
        for (size_t q = 0; q < width; q++)
            if (a->w[p + q] != 0) {
                count++;
                break;
            }
    Csr s = {a->m, a->n, get(count * width * 4), get(count * 4), get((a->m + 1) * 4)};
    *bytes = count * width * 4 + count * 4 + (a->m + 1) * 4;
    size_t at = 0;
    for (size_t i = 0; i < a->m; i++) {
        for (size_t j = 0; j < a->n; j += width) {
            const float *w = a->w + i * a->n + j;
            int any = 0;
            for (size_t q = 0; q < width; q++)
                any |= w[q] != 0;
            if (any) {
                memcpy(s.value + at * width, w, width * sizeof(float));
                s.column[at++] = (uint32_t)(j / width);
            }
        }
        s.start[i + 1] = (uint32_t)at;
    }
    return s;
}

static Pairs to_pairs(const Dense *a, size_t *bytes)
{
    size_t all = a->m * a->n;
    Pairs s = {a->m, a->n, get(all / 2 * 4), get(all / 8)};
    *bytes = all / 2 * 4 + all / 8;
    for (size_t g = 0; g < all / 4; g++) {
        unsigned found = 0, place = 0;
        for (unsigned q = 0; q < 4; q++)
            if (a->w[4 * g + q] != 0 && found < 2) {
                s.value[2 * g + found] = a->w[4 * g + q];
                place |= q << 2 * found++;
            }
        s.place[g / 2] |= (uint8_t)(place << 4 * (g % 2));
    }
    return s;
}

/* ---- a layer, a ReLU and another layer, with channels removed ---- */

typedef struct {
    Dense one, two;
    float *bias_one, *bias_two;
} Mlp;

static void forward(float *y, const Mlp *net, const float *x)
{
    float *h = get(net->one.m * sizeof *h);
    dense_vector(h, &net->one, x);
    for (size_t i = 0; i < net->one.m; i++) {
        h[i] += net->bias_one[i];
        h[i] = h[i] > 0 ? h[i] : 0;
    }
    dense_vector(y, &net->two, h);
    for (size_t i = 0; i < net->two.m; i++)
        y[i] += net->bias_two[i];
    free(h);
}

/* Leaves out the masked channels: rows of the first layer and the columns of the second that read
 * them. A channel without weights still gives ReLU(bias); the bias of the second layer takes that
 * over if `fold` is set. */
static Mlp without(const Mlp *net, const char *masked, size_t left, int fold)
{
    Mlp s = {{left, net->one.n, get(left * net->one.n * 4)}, {net->two.m, left, get(net->two.m * left * 4)},
             get(left * 4), get(net->two.m * 4)};
    memcpy(s.bias_two, net->bias_two, net->two.m * 4);
    size_t to = 0;
    for (size_t c = 0; c < net->one.m; c++) {
        float constant = net->bias_one[c] > 0 ? net->bias_one[c] : 0;
        if (!masked[c]) {
            memcpy(s.one.w + to * s.one.n, net->one.w + c * net->one.n, net->one.n * 4);
            s.bias_one[to] = net->bias_one[c];
        }
        for (size_t i = 0; i < net->two.m; i++)
            if (!masked[c])
                s.two.w[i * left + to] = net->two.w[i * net->two.n + c];
            else if (fold)
                s.bias_two[i] += constant * net->two.w[i * net->two.n + c];
        to += !masked[c];
    }
    return s;
}

/* ---- commands ---- */

static const size_t M = 256, N = 2048;

static float *inputs(size_t n)
{
    float *x = get(n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = number();
    return x;
}

static size_t differ(const float *a, const float *b, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += a[i] != b[i];
    return count;
}

static void check(void)
{
    float *x = inputs(N), *xs = inputs(N * K), *y = get(M * K * 4), *want = get(M * K * 4);
    size_t wrong = 0, other = 0, values = 0, bytes, nnz;
    printf("bytes of %zu times %zu weights in float32, 32-bit indices\n", M, N);
    printf("%-9s %10s %10s %10s %10s\n", "zeros", "dense", "CSR", "blocks", "2:4");
    static const unsigned shares[] = {0, 25, 50, 75, 90, 95};
    size_t csr_bytes[6], block_bytes[6], pair_bytes = 0;
    for (int t = 0; t < 6; t++) {
        Dense a = new_dense(M, N), b = new_dense(M, N);
        mask(&a, shares[t], 1);
        dense_scalar(want, &a, x);
        dense_vector(y, &a, x);
        wrong += differ(y, want, M);
        Csr c = to_csr(&a, 1, &bytes);
        csr_bytes[t] = bytes;
        nnz = c.start[M];
        values += nnz * 4 != bytes; /* the fault that this must find: an index costs nothing */
        other += nnz * (4 + 4) + (M + 1) * 4 != bytes || nnz != M * (N - N * shares[t] / 100);
        csr_scalar(y, &c, x);
        wrong += differ(y, want, M);
        csr_gather(y, &c, x);
        wrong += differ(y, want, M);
        for (size_t k = 0; k < K; k++) {
            for (size_t j = 0; j < N; j++)
                x[j] = xs[j * K + k];
            dense_scalar(y, &a, x);
            for (size_t i = 0; i < M; i++)
                want[i * K + k] = y[i];
        }
        dense_batch(y, &a, xs);
        wrong += differ(y, want, M * K);
        csr_batch(y, &c, xs);
        wrong += differ(y, want, M * K);
        mask(&b, shares[t], BLOCK);
        Csr d = to_csr(&b, BLOCK, &bytes);
        block_bytes[t] = bytes;
        nnz = d.start[M];
        other += nnz * (BLOCK * 4 + 4) + (M + 1) * 4 != bytes || nnz != M * (N / BLOCK - N / BLOCK * shares[t] / 100);
        dense_scalar(want, &b, x);
        block_vector(y, &d, x);
        wrong += differ(y, want, M);
        if (shares[t] == 50) {
            Dense e = new_dense(M, N);
            mask_pairs(&e);
            Pairs p = to_pairs(&e, &pair_bytes);
            other += pair_bytes != M * N / 2 * 4 + M * N / 4 * 4 / 8;
            dense_scalar(want, &e, x);
            two_of_four(y, &p, x);
            wrong += differ(y, want, M);
        }
        printf("%3u %%     %10zu %10zu %10zu ", shares[t], M * N * 4, csr_bytes[t], block_bytes[t]);
        if (shares[t] == 50)
            printf("%10zu\n", pair_bytes);
        else
            printf("%10s\n", "-");
    }
    /* Two of 64 masked channels in each four are left: the same result from half of the weights. */
    Mlp net = {new_dense(64, 64), new_dense(64, 64), inputs(64), inputs(64)};
    char masked[64];
    for (int c = 0; c < 64; c++) {
        masked[c] = c % 4 < 2;
        if (masked[c])
            memset(net.one.w + c * 64, 0, 64 * 4);
    }
    forward(want, &net, x);
    Mlp small = without(&net, masked, 32, 1), forgot = without(&net, masked, 32, 0);
    forward(y, &small, x);
    size_t folded = differ(y, want, 64);
    forward(y, &forgot, x);
    size_t left_out = differ(y, want, 64);
    printf("two layers, half of the channels removed: %zu of 64 results differ,"
           " %zu if the biases of the removed ones are forgotten\n", folded, left_out);
    /* The comparison must find a fault: a product with one place moved. */
    Dense a = new_dense(M, N);
    mask(&a, 50, 1);
    Csr c = to_csr(&a, 1, &bytes);
    dense_scalar(want, &a, x);
    for (size_t i = 0; i < M; i++)
        c.column[c.start[i]] ^= 1;
    csr_scalar(y, &c, x);
    printf("{\"wrong\": %zu, \"moved\": %zu, \"formula\": %zu, \"values_alone\": %zu, \"dense\": %zu, \"csr_50\": %zu, \"csr_75\": %zu, "
           "\"csr_90\": %zu, \"block_50\": %zu, \"block_25\": %zu, \"pairs\": %zu, \"folded\": %zu, \"forgotten\": %zu}\n",
           wrong, differ(y, want, M), other, values, M * N * 4, csr_bytes[2], csr_bytes[3], csr_bytes[4],
           block_bytes[2], block_bytes[1], pair_bytes, folded, left_out);
}

/* Walks through more memory than the simulated caches hold, so that the product starts cold. */
static void forget_caches(void)
{
    size_t bytes = 4u << 20;
    volatile char *p = get(bytes);
    for (size_t i = 0; i < bytes; i += 64)
        p[i] = 1;
}

static void count(const char *form, unsigned zeros)
{
    Dense a = new_dense(M, N);
    float *x = inputs(N * K), *y = get(M * K * 4);
    size_t bytes;
    if (!strcmp(form, "two_of_four")) {
        mask_pairs(&a);
        Pairs p = to_pairs(&a, &bytes);
        forget_caches();
        two_of_four(y, &p, x);
        return;
    }
    if (!strcmp(form, "rows") || !strcmp(form, "batch_rows")) {
        a.m = M - M * zeros / 100; /* the rows are gone: nothing is stored or read of them */
        forget_caches();
        (form[0] == 'b' ? dense_batch : dense_vector)(y, &a, x);
        return;
    }
    mask(&a, zeros, strcmp(form, "block") ? 1 : BLOCK);
    Csr c = to_csr(&a, strcmp(form, "block") ? 1 : BLOCK, &bytes);
    forget_caches();
    if (!strcmp(form, "scalar"))
        dense_scalar(y, &a, x);
    else if (!strcmp(form, "vector"))
        dense_vector(y, &a, x);
    else if (!strcmp(form, "csr"))
        csr_scalar(y, &c, x);
    else if (!strcmp(form, "gather"))
        csr_gather(y, &c, x);
    else if (!strcmp(form, "block"))
        block_vector(y, &c, x);
    else if (!strcmp(form, "batch"))
        dense_batch(y, &a, x);
    else if (!strcmp(form, "batch_csr"))
        csr_batch(y, &c, x);
    else
        exit(2);
}

static float normal(void)
{
    double u = (below(1u << 30) + 1.0) / (1u << 30), v = below(1u << 30) * 6.283185307179586 / (1u << 30);
    return (float)(sqrt(-2 * log(u)) * cos(v));
}

static int down(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

/* The share of the squares that is left if of `parts` parts, whose squares are given, the largest
 * `keep` are kept in each group of `group` parts. */
static double best(float *square, size_t parts, size_t group, size_t keep)
{
    double kept = 0, all = 0;
    for (size_t g = 0; g < parts; g += group) {
        qsort(square + g, group, sizeof *square, down);
        for (size_t i = 0; i < group; i++) {
            all += square[g + i];
            kept += i < keep ? square[g + i] : 0;
        }
    }
    return kept / all;
}

static void kept(void)
{
    size_t m = 1024, n = 1024, all = m * n;
    float *w = get(all * 4), *s = get(all * 4);
    for (size_t i = 0; i < all; i++) {
        w[i] = normal();
        w[i] *= w[i];
    }
    double out[5];
    memcpy(s, w, all * 4);
    out[0] = best(s, all, all, all / 2);
    memcpy(s, w, all * 4);
    out[1] = best(s, all, 4, 2);
    memset(s, 0, all * 4);
    for (size_t i = 0; i < all; i++)
        s[i / BLOCK] += w[i];
    out[2] = best(s, all / BLOCK, all / BLOCK, all / BLOCK / 2);
    memset(s, 0, all * 4);
    for (size_t i = 0; i < all; i++)
        s[i / n] += w[i];
    out[3] = best(s, m, m, m / 2);
    memcpy(s, w, all * 4);
    out[4] = best(s, all, all, all / 10);
    printf("squares kept of %zu normal weights\n", all);
    printf("half, the largest of all        %6.1f %%\n", 100 * out[0]);
    printf("half, two of each four          %6.1f %%\n", 100 * out[1]);
    printf("half, blocks of eight           %6.1f %%\n", 100 * out[2]);
    printf("half, whole rows                %6.1f %%\n", 100 * out[3]);
    printf("a tenth, the largest of all     %6.1f %%\n", 100 * out[4]);
    printf("{\"any\": %.6f, \"pairs\": %.6f, \"blocks\": %.6f, \"rows\": %.6f, \"tenth\": %.6f}\n", out[0], out[1], out[2],
           out[3], out[4]);
}

static void write_out(unsigned zeros)
{
    Dense a = new_dense(M, N);
    for (size_t i = 0; i < M * N; i++)
        a.w[i] = normal(); /* as trained weights are: no two alike */
    mask(&a, zeros, 1);
    fwrite(a.w, 4, M * N, stdout);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Each variant gets its own rounds in turn; a round is eight products after an untimed one. */
static void timing(void)
{
    enum { ROUNDS = 21, REPEAT = 8, FORMS = 12 };
    static const char *names[FORMS] = {"dense", "masked", "csr_50", "csr_90", "csr_95", "gather_50", "gather_90",
                                       "rows_50", "batch", "batch_masked", "batch_csr_50", "batch_csr_90"};
    static double took[FORMS][ROUNDS];
    size_t bytes;
    Dense a = new_dense(M, N), masked = new_dense(M, N), half = new_dense(M, N), few = new_dense(M, N), rows = a;
    mask(&masked, 90, 1);
    mask(&half, 50, 1);
    mask(&few, 95, 1);
    rows.m = M / 2;
    Csr c50 = to_csr(&half, 1, &bytes), c90 = to_csr(&masked, 1, &bytes), c95 = to_csr(&few, 1, &bytes);
    float *x = inputs(N * K), *y = get(M * K * 4);
    for (int r = -2; r < ROUNDS; r++)
        for (int f = 0; f < FORMS; f++) {
            double from = 0;
            for (int i = 0; i <= REPEAT; i++) {
                if (i == 1)
                    from = now(); /* the first product finds the caches as the form before left them */
                switch (f) {
                case 0: dense_vector(y, &a, x); break;
                case 1: dense_vector(y, &masked, x); break;
                case 2: csr_scalar(y, &c50, x); break;
                case 3: csr_scalar(y, &c90, x); break;
                case 4: csr_scalar(y, &c95, x); break;
                case 5: csr_gather(y, &c50, x); break;
                case 6: csr_gather(y, &c90, x); break;
                case 7: dense_vector(y, &rows, x); break;
                case 8: dense_batch(y, &a, x); break;
                case 9: dense_batch(y, &masked, x); break;
                case 10: csr_batch(y, &c50, x); break;
                case 11: csr_batch(y, &c90, x); break;
                }
            }
            if (r >= 0)
                took[f][r] = now() - from;
        }
    for (int f = 0; f < FORMS; f++) {
        printf("%s\"%s\": [", f ? ", " : "{", names[f]);
        for (int r = 0; r < ROUNDS; r++)
            printf("%s%.9f", r ? ", " : "", took[f][r]);
        printf("]");
    }
    printf("}\n");
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "check"))
        check();
    else if (argc == 4 && !strcmp(argv[1], "count"))
        count(argv[2], (unsigned)atoi(argv[3]));
    else if (argc == 2 && !strcmp(argv[1], "kept"))
        kept();
    else if (argc == 3 && !strcmp(argv[1], "write"))
        write_out((unsigned)atoi(argv[2]));
    else if (argc == 2 && !strcmp(argv[1], "time"))
        timing();
    else
        return 2;
    return 0;
}
