// A direct convolution in three layouts, with vectors of 8 floats. With -DCOUNT it counts its accesses to memory.
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef float vec __attribute__((vector_size(32)));
typedef float loose __attribute__((vector_size(32), aligned(4)));    // the same at any address

#define ALWAYS static inline __attribute__((always_inline))

typedef struct { long vectors, scalars, stores, split, fma, shuffles; } Counts;
static Counts counted;
#ifdef COUNT
#define ADD(what, n) (counted.what += (n))
#else
#define ADD(what, n) ((void)counted)
#endif

ALWAYS vec load(const float *p) {
    ADD(vectors, 1);
    ADD(split, (size_t)p % 64 > 32);    // it crosses the border of a 64-byte line
    return *(const loose *)p;
}
ALWAYS float scalar(const float *p) { ADD(scalars, 1); return *p; }    // for one register: a broadcast
ALWAYS void store(float *p, vec v) { ADD(stores, 1); *(loose *)p = v; }
ALWAYS void fma8(vec *sum, vec a, float b) { ADD(fma, 1); *sum += a * b; }

// c channels in, k out, h x w outputs for each, filters of r x r, stride s. The input has no padding.
typedef struct { int c, k, h, w, r, s; } Layer;
static int in_h(Layer l) { return (l.h - 1) * l.s + l.r; }
static int in_w(Layer l) { return (l.w - 1) * l.s + l.r; }
static int up(int n, int block) { return (n + block - 1) / block * block; }

static float *room(size_t n) {    // zeros, at the start of a line, with a vector to spare behind
    float *p = aligned_alloc(64, (n * 4 + 127) / 64 * 64);
    if (!p) exit(1);
    return memset(p, 0, (n * 4 + 127) / 64 * 64);
}

// Where the numbers of a picture lie: the distances between pixels, rows, and blocks of 8 channels.
typedef struct { long pixel, row, block; } Steps;
__attribute__((unused)) static Steps nhwc(int c, int w, int h) { (void)h; return (Steps){c, (long)w * c, 8}; }
static Steps blocked(int c, int w, int h) { (void)c; return (Steps){8, 8L * w, 8L * w * h}; }

// The kernel for layouts with the channels inside: T outputs of a row, 8 channels in, 8 channels out.
// A vector holds 8 output channels; each number of the input is one scalar that multiplies 8 weights.
ALWAYS void channels_tile(int T, int r, int s, Steps in, Steps out, const float *x, const float *w, float *y, int first) {
    vec sum[12];
#pragma GCC unroll 12
    for (int i = 0; i < T; i++) sum[i] = first ? (vec){0} : load(y + i * out.pixel);
    for (int a = 0; a < r; a++)
        for (int b = 0; b < r; b++)
            for (int c = 0; c < 8; c++, w += 8) {
                vec weights = load(w);
#pragma GCC unroll 12
                for (int i = 0; i < T; i++) fma8(&sum[i], weights, scalar(x + a * in.row + (b + i * s) * in.pixel + c));
            }
#pragma GCC unroll 12
    for (int i = 0; i < T; i++) store(y + i * out.pixel, sum[i]);
}

typedef void (*Kernel)(int r, int s, const Steps *, const float *, const float *, float *, int first);
#define KERNEL(T) __attribute__((noinline, unused)) static void channels_##T(int r, int s, const Steps *p, const float *x, const float *w, float *y, int first) \
    { channels_tile(T, r, s, p[0], p[1], x, w, y, first); }
KERNEL(1) KERNEL(2) KERNEL(3) KERNEL(4) KERNEL(5) KERNEL(6) KERNEL(7) KERNEL(8) KERNEL(9) KERNEL(10) KERNEL(11) KERNEL(12)
static const Kernel kernels[] = {0, channels_1, channels_2, channels_3, channels_4, channels_5, channels_6,
                                 channels_7, channels_8, channels_9, channels_10, channels_11, channels_12};

// NHWC or nChw8c, which differ in the steps alone: p[0] of the input, p[1] of the output.
// Weights: [k / 8][c / 8][r][r][8 in][8 out].
__attribute__((unused)) static void conv_channels(Layer l, const Steps *p, const float *x, const float *w, float *y) {
    int parts = (l.w + 11) / 12, wide = (l.w + parts - 1) / parts;
    for (int k = 0; k < up(l.k, 8) / 8; k++)
        for (int c = 0; c < up(l.c, 8) / 8; c++, w += 64 * l.r * l.r)
            for (int j = 0; j < l.h; j++)
                for (int i = 0; i < l.w; i += wide)
                    kernels[l.w - i < wide ? l.w - i : wide](l.r, l.s, p,
                        x + c * p[0].block + j * l.s * p[0].row + i * l.s * p[0].pixel, w,
                        y + k * p[1].block + j * p[1].row + i * p[1].pixel, c == 0);
}

// The same layouts with another tile: T outputs of a row, four blocks of 8 output channels, so that each scalar
// multiplies four vectors of weights. `apart` is the distance between the weights of two blocks; k is a multiple of 32.
ALWAYS void square_tile(int T, int r, int s, Steps in, Steps out, long apart, const float *x, const float *w, float *y, int first) {
    vec sum[12];
#pragma GCC unroll 12
    for (int i = 0; i < 4 * T; i++) sum[i] = first ? (vec){0} : load(y + i / 4 * out.pixel + i % 4 * out.block);
    for (int a = 0; a < r; a++)
        for (int b = 0; b < r; b++)
            for (int c = 0; c < 8; c++, w += 8) {
                vec weights[4];
#pragma GCC unroll 4
                for (int k = 0; k < 4; k++) weights[k] = load(w + k * apart);
#pragma GCC unroll 3
                for (int i = 0; i < T; i++) {
                    float number = scalar(x + a * in.row + (b + i * s) * in.pixel + c);
#pragma GCC unroll 4
                    for (int k = 0; k < 4; k++) fma8(&sum[4 * i + k], weights[k], number);
                }
            }
#pragma GCC unroll 12
    for (int i = 0; i < 4 * T; i++) store(y + i / 4 * out.pixel + i % 4 * out.block, sum[i]);
}
#define SQUARE(T) __attribute__((noinline, unused)) static void square_##T(int r, int s, const Steps *p, long apart, const float *x, const float *w, float *y, int first) \
    { square_tile(T, r, s, p[0], p[1], apart, x, w, y, first); }
SQUARE(1) SQUARE(2) SQUARE(3)
__attribute__((unused)) static void conv_square(Layer l, const Steps *p, const float *x, const float *w, float *y) {
    static void (*const squares[])(int, int, const Steps *, long, const float *, const float *, float *, int) = {0, square_1, square_2, square_3};
    int cs = up(l.c, 8) / 8;
    long block = 64L * l.r * l.r;
    for (int k = 0; k < l.k / 8; k += 4)
        for (int c = 0; c < cs; c++)
            for (int j = 0; j < l.h; j++)
                for (int i = 0; i < l.w; i += 3)
                    squares[l.w - i < 3 ? l.w - i : 3](l.r, l.s, p, cs * block,
                        x + c * p[0].block + j * l.s * p[0].row + i * l.s * p[0].pixel, w + (k * cs + c) * block,
                        y + k * p[1].block + j * p[1].row + i * p[1].pixel, c == 0);
}

// 8 neighbours of a row; with stride 2 every other one of 16, by two loads and a shuffle.
ALWAYS vec eight(const float *p, int s) {
    if (s == 1) return load(p);
    vec a = load(p), b = load(p + 8);
    ADD(shuffles, 1);
    return __builtin_shuffle(a, b, (__v8si){0, 2, 4, 6, 8, 10, 12, 14});
}

// The kernel for NCHW: V vectors of 8 neighbours of a row, K output channels, 8 channels in.
ALWAYS void rows_tile(int V, int K, int s, Layer l, const float *x, const float *w, float *y, int first, int last) {
    vec sum[12];
    long plane = (long)in_w(l) * in_h(l), filter = (long)l.c * l.r * l.r, map = (long)l.w * l.h;
#pragma GCC unroll 12
    for (int i = 0; i < V * K; i++) sum[i] = first ? (vec){0} : load(y + i / V * map + i % V * 8);
    for (int c = 0; c < 8; c++)
        for (int a = 0; a < l.r; a++)
            for (int b = 0; b < l.r; b++) {
                vec in[3];
#pragma GCC unroll 3
                for (int v = 0; v < V; v++) in[v] = eight(x + c * plane + (long)a * in_w(l) + b + 8L * v * s, s);
#pragma GCC unroll 12
                for (int k = 0; k < K; k++) {
                    float weight = scalar(w + k * filter + ((long)c * l.r + a) * l.r + b);
#pragma GCC unroll 3
                    for (int v = 0; v < V; v++) fma8(&sum[k * V + v], in[v], weight);
                }
            }
    // The last vector of a row may reach beyond it: only `last` of its numbers are stored.
    __m256i lanes = _mm256_cmpgt_epi32(_mm256_set1_epi32(last), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
#pragma GCC unroll 12
    for (int i = 0; i < V * K; i++) {
        float *to = y + i / V * map + i % V * 8;
        if (i % V < V - 1) store(to, sum[i]);
        else { ADD(stores, 1); _mm256_maskstore_ps(to, lanes, (__m256)sum[i]); }
    }
}

#define ROWS(V, K, S) __attribute__((noinline, unused)) static void rows_##V##_##S(const Layer *l, const float *x, const float *w, float *y, int first, int last) \
    { rows_tile(V, K, S, *l, x, w, y, first, last); }
ROWS(1, 8, 1) ROWS(2, 4, 1) ROWS(3, 4, 1) ROWS(1, 8, 2) ROWS(2, 4, 2) ROWS(3, 4, 2)

// NCHW, with the weights as [k][c][r][r]; c and k are multiples of 8, the stride is 1 or 2.
__attribute__((unused)) static void conv_rows(Layer l, const float *x, const float *w, float *y) {
    static void (*const rows[2][4])(const Layer *, const float *, const float *, float *, int, int) =
        {{0, rows_1_1, rows_2_1, rows_3_1}, {0, rows_1_2, rows_2_2, rows_3_2}};
    int all = up(l.w, 8) / 8, parts = (all + 2) / 3, wide = (all + parts - 1) / parts;
    for (int c = 0; c < l.c; c += 8)
        for (int v = 0; v < all; v += wide) {
            int V = all - v < wide ? all - v : wide, K = V == 1 ? 8 : 4;
            for (int k = 0; k < l.k; k += K)
                for (int j = 0; j < l.h; j++)
                    rows[l.s - 1][V](&l, x + ((long)c * in_h(l) + j * l.s) * in_w(l) + 8L * v * l.s,
                        w + ((long)k * l.c + c) * l.r * l.r, y + ((long)k * l.h + j) * l.w + 8L * v,
                        c == 0, v + V == all ? l.w - (all - 1) * 8 : 8);
        }
}

// Conversions. Channels that fill up the last block of 8 are zero, and so are their weights.
static long moved;    // bytes that conversions read and wrote
__attribute__((unused)) static void spread(int c, int h, int w, Steps s, const float *plain, float *other) {
    for (int i = 0; i < c; i++)
        for (int j = 0; j < h; j++)
            for (int k = 0; k < w; k++, moved += 8)
                other[i / 8 * s.block + j * s.row + k * s.pixel + i % 8] = plain[((long)i * h + j) * w + k];
}
__attribute__((unused)) static void gather(int c, int h, int w, Steps s, const float *other, float *plain) {
    for (int i = 0; i < c; i++)
        for (int j = 0; j < h; j++)
            for (int k = 0; k < w; k++, moved += 8)
                plain[((long)i * h + j) * w + k] = other[i / 8 * s.block + j * s.row + k * s.pixel + i % 8];
}
__attribute__((unused)) static void spread_weights(Layer l, const float *plain, float *other) {
    long taps = l.r * l.r, cs = up(l.c, 8) / 8;
    for (int k = 0; k < l.k; k++)
        for (int c = 0; c < l.c; c++)
            for (long t = 0; t < taps; t++, moved += 8)
                other[(((k / 8 * cs + c / 8) * taps + t) * 8 + c % 8) * 8 + k % 8] = plain[(k * (long)l.c + c) * taps + t];
}

// Small whole numbers, so that a sum is exact in any order.
static float *numbers(size_t n, unsigned seed) {
    float *p = room(n);
    for (size_t i = 0; i < n; i++) p[i] = (float)((seed = seed * 1664525u + 1013904223u) >> 30) - 1;
    return p;
}
__attribute__((unused)) static void same(const float *a, const float *b, size_t n, const char *what) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i]) { fprintf(stderr, "%s: %g, not %g at %zu\n", what, a[i], b[i], i); exit(1); }
}
