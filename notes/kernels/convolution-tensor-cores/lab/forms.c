// Three matrix products without a matrix: forward, gradient of the data, gradient of the weights. Each element of the
// two factors is fetched by its row and column. Whole numbers, so that equal means equal.
#include "conv.h"
#include <stdio.h>
#include <stdlib.h>

static Layer l;
static int *x, *w, *y, *dx, *dw, *dy;      // data, weights, result, and the gradients of each
static bool careless;                      // the control: do not ask whether the stride divides
static long fetched, empty;                // elements of the gathered factor, and those that are no number of the tensor

static int *of_x(int n, int h, int v, int c, int *t) { return &t[(((long)n * l.h + h) * l.w + v) * l.c + c]; }
static int *of_y(int n, int p, int q, int k, int *t) { return &t[(((long)n * l.p + p) * l.q + q) * l.k + k]; }
static int *of_w(int k, int r, int s, int c, int *t) { return &t[(((long)k * l.r + r) * l.s + s) * l.c + c]; }

static int nothing(void) { empty++; return 0; }

// Forward: row i is an output pixel, column j a place in the filter and a channel.
static int window(long i, long j) {
    int n = i / (l.p * l.q), p = i / l.q % l.p, q = i % l.q;
    int r = j / (l.s * l.c), s = j / l.c % l.s, c = j % l.c;
    int h = p * l.stride - l.pad + r, v = q * l.stride - l.pad + s;
    fetched++;
    return h < 0 || h >= l.h || v < 0 || v >= l.w ? nothing() : *of_x(n, h, v, c, x);
}
static int filter(long j, long k) {
    return *of_w(k, j / (l.s * l.c), j / l.c % l.s, j % l.c, w);
}

// Gradient of the data: row i is an input pixel, column j a place in the filter and an output channel.
static int reached(long i, long j) {
    int n = i / (l.h * l.w), h = i / l.w % l.h, v = i % l.w;
    int r = j / (l.s * l.k), s = j / l.k % l.s, k = j % l.k;
    int p = h + l.pad - r, q = v + l.pad - s;
    fetched++;
    if (p < 0 || q < 0 || (!careless && (p % l.stride || q % l.stride))) return nothing();
    p /= l.stride, q /= l.stride;
    return p >= l.p || q >= l.q ? nothing() : *of_y(n, p, q, k, dy);
}
static int filter_turned(long j, long c) {
    return *of_w(j % l.k, j / (l.s * l.k), j / l.k % l.s, c, w);
}

// Gradient of the weights: the sum runs over output pixels. The gathered factor is that of the forward pass.
static int gradient_turned(long k, long i) { return dy[i * l.k + k]; }

static void product(Gemm g, int (*a)(long, long), int (*b)(long, long), int *out) {
    for (long i = 0; i < g.m; i++)
        for (long j = 0; j < g.n; j++) {
            int sum = 0;
            for (long k = 0; k < g.k; k++) sum += a(i, k) * b(k, j);
            out[i * g.n + j] = sum;
        }
}

// The gradient of the data without the zeros of the stride: one product for each remainder of row and column, in which
// only the taps stand that reach such a pixel. Returns the multiply-adds.
static double split(int *out) {
    double products = 0;
    for (int a = 0; a < l.stride; a++)
        for (int b = 0; b < l.stride; b++)
            for (int n = 0; n < l.n; n++)
                for (int h = a; h < l.h; h += l.stride)
                    for (int v = b; v < l.w; v += l.stride)
                        for (int r = (a + l.pad) % l.stride; r < l.r; r += l.stride)
                            for (int s = (b + l.pad) % l.stride; s < l.s; s += l.stride) {
                                long i = ((long)n * l.h + h) * l.w + v, tap = ((long)r * l.s + s) * l.k;
                                products += (double)l.c * l.k;
                                for (int c = 0; out && c < l.c; c++)
                                    for (int k = 0; k < l.k; k++)
                                        out[i * l.c + c] += reached(i, tap + k) * filter_turned(tap + k, c);
                            }
    return products;
}

// By the definition: each output, each tap.
static void direct(int *y0, int *dx0, int *dw0) {
    for (int n = 0; n < l.n; n++)
        for (int p = 0; p < l.p; p++)
            for (int q = 0; q < l.q; q++)
                for (int r = 0; r < l.r; r++)
                    for (int s = 0; s < l.s; s++) {
                        int h = p * l.stride - l.pad + r, v = q * l.stride - l.pad + s;
                        if (h < 0 || h >= l.h || v < 0 || v >= l.w) continue;
                        for (int k = 0; k < l.k; k++)
                            for (int c = 0; c < l.c; c++) {
                                *of_y(n, p, q, k, y0) += *of_x(n, h, v, c, x) * *of_w(k, r, s, c, w);
                                *of_x(n, h, v, c, dx0) += *of_y(n, p, q, k, dy) * *of_w(k, r, s, c, w);
                                *of_w(k, r, s, c, dw0) += *of_y(n, p, q, k, dy) * *of_x(n, h, v, c, x);
                            }
                    }
}

static int *numbers(long count, bool filled) {
    int *t = calloc(count, sizeof *t);
    for (long i = 0; filled && i < count; i++) t[i] = rand() % 201 - 100;
    return t;
}

static long different(const int *a, const int *b, long count) {
    long d = 0;
    for (long i = 0; i < count; i++) d += a[i] != b[i];
    return d;
}

static long all, wrong, careless_wrong, split_wrong;

static double share(Gemm g, int (*a)(long, long), bool by_rows) {       // of empty elements
    fetched = empty = 0;
    long rows = by_rows ? g.m : g.k, columns = by_rows ? g.k : g.n;
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < columns; j++) a(i, j);
    return 100.0 * empty / fetched;
}

static void one(const char *name, const char *words, Layer use, bool compute, char *json) {
    l = use;
    long nx = (long)l.n * l.h * l.w * l.c, ny = (long)l.n * l.p * l.q * l.k, nw = (long)l.k * l.r * l.s * l.c;
    x = numbers(nx, true), w = numbers(nw, true), dy = numbers(ny, true);
    y = numbers(ny, false), dx = numbers(nx, false), dw = numbers(nw, false);
    Gemm f = forward_gemm(l), d = data_gemm(l), g = weight_gemm(l);
    if (compute) {
        int *y0 = numbers(ny, false), *dx0 = numbers(nx, false), *dw0 = numbers(nw, false);
        direct(y0, dx0, dw0);
        product(f, window, filter, y);
        product(d, reached, filter_turned, dx);
        product(g, gradient_turned, window, dw);
        all += nx + ny + nw;
        wrong += different(y, y0, ny) + different(dx, dx0, nx) + different(dw, dw0, nw);
        int *again = numbers(nx, false);
        split(again);
        split_wrong += different(again, dx0, nx);
        careless = true;
        product(d, reached, filter_turned, dx);
        careless_wrong += different(dx, dx0, nx);
        careless = false;
    } else {
        double a = share(f, window, true), b = share(d, reached, true), c = share(g, window, false);
        double once = (double)f.m * f.n * f.k, ratio = (double)d.m * d.n * d.k / once, apart = split(NULL) / once;
        printf("%-26s %8.1f %8.1f %8.1f %10.2f %8.2f\n", words, a, b, c, ratio, apart);
        sprintf(json, ", \"%s_forward\": %.6f, \"%s_data\": %.6f, \"%s_weights\": %.6f, \"%s_ratio\": %.6f, \"%s_split\": %.6f", name, a,
                name, b, name, c, name, ratio, name, apart);
    }
    free(x), free(w), free(y), free(dx), free(dw), free(dy);
}

int main(void) {
    static char json[4000], *at = json;
    // Odd shapes, so that nothing fits by accident.
    one("", "", layer(2, 9, 5, 7, 3, 1, 1), true, NULL);
    one("", "", layer(2, 9, 5, 7, 3, 2, 1), true, NULL);
    one("", "", layer(3, 11, 3, 4, 5, 3, 2), true, NULL);
    one("", "", layer(2, 8, 6, 5, 1, 2, 0), true, NULL);
    one("", "", layer(1, 17, 3, 8, 7, 2, 3), true, NULL);
    printf("results that differ from the definition: %ld of %ld\n\n", wrong + split_wrong, all);
    printf("%-26s %26s %19s\n", "", "empty elements, %", "data / forward");
    printf("%-26s %8s %8s %8s %10s %8s\n", "", "forward", "data", "weights", "products", "split");
    struct { const char *name, *words; Layer l; } rows[] = {
        {"wide", "3 x 3, stride 1, 56 x 56", layer(1, 56, 2, 2, 3, 1, 1)},
        {"small", "3 x 3, stride 1, 7 x 7", layer(1, 7, 2, 2, 3, 1, 1)},
        {"half", "3 x 3, stride 2, 56 x 56", layer(1, 56, 2, 2, 3, 2, 1)},
        {"point", "1 x 1, stride 2, 56 x 56", layer(1, 56, 2, 2, 1, 2, 0)},
    };
    for (int i = 0; i < 4; i++) {
        char part[1000] = "";
        one(rows[i].name, rows[i].words, rows[i].l, false, part);
        at += sprintf(at, "%s", part);
    }
    printf("{\"all\": %ld, \"wrong\": %ld, \"careless\": %ld%s}\n", all, wrong + split_wrong, careless_wrong, json);
    return 0;
}
