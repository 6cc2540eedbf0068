// Rounding of a 3 × 3 convolution whose factors are in FP16 and whose sums are in FP32, as on tensor cores: the products
// of two FP16 numbers are exact in FP32. Direct, and by Winograd F(2 × 2, 3 × 3) and F(4 × 4, 3 × 3), whose transformed
// data and filters are rounded to FP16 once more before they are multiplied.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHANNELS = 64, TILES = 400 };

static double half(double v) { return (double)(_Float16)v; }
static double single(double v) { return (double)(float)v; }
static double exact(double v) { return v; }

typedef struct {
    const char *name, *words;
    int m, n;                       // outputs and products of a tile, in one direction
    const double *bt, *g, *at;      // n × n, n × 3, m × n
} Way;

static const double bt2[] = {1, 0, -1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 0, -1};
static const double g2[] = {1, 0, 0, .5, .5, .5, .5, -.5, .5, 0, 0, 1};
static const double at2[] = {1, 1, 1, 0, 0, 1, -1, -1};
static const double bt4[] = {4, 0, -5, 0, 1, 0, 0, -4, -4, 1, 1, 0, 0, 4, -4, -1, 1, 0, 0, -2, -1, 2, 1, 0, 0, 2, -1, -2, 1, 0, 0, 4, 0, -5, 0, 1};
static const double g4[] = {1. / 4, 0, 0, -1. / 6, -1. / 6, -1. / 6, -1. / 6, 1. / 6, -1. / 6, 1. / 24, 1. / 12, 1. / 6, 1. / 24, -1. / 12, 1. / 6, 0, 0, 1};
static const double at4[] = {1, 1, 1, 1, 1, 0, 0, 1, -1, 2, -2, 0, 0, 1, 1, 4, 4, 0, 0, 1, -1, 8, -8, 1};
static const Way ways[] = {{"f2", "Winograd F(2x2,3x3)", 2, 4, bt2, g2, at2}, {"f4", "Winograd F(4x4,3x3)", 4, 6, bt4, g4, at4}};

// out = left · in · left transposed; left is a × b, in is b × b. Every operation is rounded by `as`.
static void both_sides(const double *left, int a, int b, const double *in, double *out, double (*as)(double)) {
    double mid[36];
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++) {
            double sum = 0;
            for (int k = 0; k < b; k++) sum = as(sum + as(left[i * b + k] * in[k * b + j]));
            mid[i * b + j] = sum;
        }
    for (int i = 0; i < a; i++)
        for (int j = 0; j < a; j++) {
            double sum = 0;
            for (int k = 0; k < b; k++) sum = as(sum + as(mid[i * b + k] * left[j * b + k]));
            out[i * a + j] = sum;
        }
}

static double data[CHANNELS][36], filters[CHANNELS][9];

static void winograd(const Way *w, double *y, double (*stored)(double)) {
    double sums[36] = {0}, u[36], v[36];
    for (int c = 0; c < CHANNELS; c++) {
        both_sides(w->bt, w->n, w->n, data[c], v, single);
        both_sides(w->g, w->n, 3, filters[c], u, single);
        for (int i = 0; i < w->n * w->n; i++) sums[i] = single(sums[i] + single(stored(u[i]) * stored(v[i])));
    }
    both_sides(w->at, w->m, w->n, sums, y, single);
}

static void direct(const Way *w, double *y, double (*as)(double)) {
    for (int i = 0; i < w->m; i++)
        for (int j = 0; j < w->m; j++) {
            double sum = 0;
            for (int c = 0; c < CHANNELS; c++)
                for (int r = 0; r < 3; r++)
                    for (int s = 0; s < 3; s++) sum = as(sum + as(data[c][(i + r) * w->n + j + s] * filters[c][r * 3 + s]));
            y[i * w->m + j] = sum;
        }
}

static double uniform(void) { return 2.0 * rand() / RAND_MAX - 1; }

// The largest sum of magnitudes in a row, squared for two directions: how far the transform can enlarge a number.
static double growth(const Way *w) {
    double most = 0;
    for (int i = 0; i < w->n; i++) {
        double row = 0;
        for (int j = 0; j < w->n; j++) row += fabs(w->bt[i * w->n + j]);
        most = row > most ? row : most;
    }
    return most * most;
}

int main(void) {
    printf("error, of the root mean square of the result\n%-34s %12s %12s\n", "", "sum in FP32", "then FP16");
    char json[2000], *at = json;
    for (int i = 0; i < 2; i++) {
        const Way *w = &ways[i];
        double error[3][2] = {{0}}, size = 0;
        srand(1);
        for (int t = 0; t < TILES; t++) {
            for (int c = 0; c < CHANNELS; c++) {
                for (int k = 0; k < w->n * w->n; k++) data[c][k] = half(uniform());
                for (int k = 0; k < 9; k++) filters[c][k] = half(uniform());
            }
            double right[16], y[3][16];
            direct(w, right, exact);
            direct(w, y[0], single);
            winograd(w, y[1], half);
            winograd(w, y[2], single);
            for (int k = 0; k < w->m * w->m; k++) {
                size += right[k] * right[k];
                for (int a = 0; a < 3; a++) {
                    error[a][0] += pow(y[a][k] - right[k], 2);
                    error[a][1] += pow(half(y[a][k]) - right[k], 2);
                }
            }
        }
        const char *words[] = {"direct", w->words, "the same, transforms kept in FP32"}, *names[] = {"direct", "half", "single"};
        for (int a = 0; a < 3; a++) {
            double e = sqrt(error[a][0] / size), rounded = sqrt(error[a][1] / size);
            if (a || !i) printf("%-34s %12.2e %12.2e\n", words[a], e, rounded);
            at += sprintf(at, "\"%s_%s\": %.9e, \"%s_%s_rounded\": %.9e, ", w->name, names[a], e, w->name, names[a], rounded);
        }
        at += sprintf(at, "\"%s_growth\": %.0f%s", w->name, growth(w), i ? "" : ", ");
    }
    printf("largest input whose transform stays below 65504: %.0f, %.0f\n", 65504 / growth(&ways[0]), 65504 / growth(&ways[1]));
    printf("{%s}\n", json);
    return 0;
}
