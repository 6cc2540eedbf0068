// What follows from the shapes alone: products, tiles, waves, loads, steps, bytes. Nothing is convolved here, but what can
// be enumerated is enumerated: tiles, and the addresses of the vectors.
#include "conv.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SMS = 108 };                       // multiprocessors of an A100
static char json[20000];
static size_t used;
#define PUT(...) (used += (size_t)snprintf(json + used, sizeof json - used, __VA_ARGS__))

typedef struct { const char *name, *words; int side, c, k, r, stride, pad; } Row;
static const Row rows[] = {
    {"stem", "7 x 7 / 2, 3 to 64, 224", 224, 3, 64, 7, 2, 3},
    {"wide", "3 x 3, 64, 56", 56, 64, 64, 3, 1, 1},
    {"middle", "3 x 3, 256, 14", 14, 256, 256, 3, 1, 1},
    {"deep", "3 x 3, 512, 7", 7, 512, 512, 3, 1, 1},
    {"point", "1 x 1, 2048 to 512, 7", 7, 2048, 512, 1, 1, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };
static Layer of(const Row *r, int n) { return layer(n, r->side, r->c, r->k, r->r, r->stride, r->pad); }

// --- tiles and waves ---------------------------------------------------------------------------------

typedef struct { long tiles; double filled, busy; } Fit;

// Walks over the tiles and adds up what they hold of the result. Slices: a sum cut into so many parts.
static Fit fit(Gemm g, int tm, int tn, int slices) {
    long tiles = 0, held = 0;
    for (long i = 0; i < g.m; i += tm)
        for (long j = 0; j < g.n; j += tn) {
            tiles++;
            held += (g.m - i < tm ? g.m - i : tm) * (g.n - j < tn ? g.n - j : tn);
        }
    double filled = 100.0 * held / ((double)tiles * tm * tn);
    tiles *= slices;
    return (Fit){tiles, filled, 100.0 * tiles / (double)(up(tiles, SMS) * SMS)};
}

static void tiles(int batch) {
    printf("batch %d, tiles of 128 x 128, %d multiprocessors\n", batch, SMS);
    printf("%-24s %-8s %8s %6s %8s %6s %9s %8s\n", "layer", "product", "M", "N", "K", "tiles", "filled, %", "busy, %");
    const char *forms[] = {"forward", "data", "weights"};
    for (int i = 0; i < ROWS; i++) {
        Layer l = of(&rows[i], batch);
        Gemm g[] = {forward_gemm(l), data_gemm(l), weight_gemm(l)};
        for (int f = 0; f < 3; f++) {
            if (f == 1 && l.c == 3) continue;              // nobody asks for the gradient of the picture
            Fit a = fit(g[f], 128, 128, 1), b = fit(g[f], 64, 64, 1);
            printf("%-24s %-8s %8ld %6ld %8ld %6ld %9.1f %8.1f\n", f == 0 ? rows[i].words : "", forms[f], g[f].m, g[f].n, g[f].k, a.tiles,
                   a.filled, a.busy);
            PUT("%s\"%s_%s_tiles\": %ld, \"%s_%s_filled\": %.6f, \"%s_%s_busy\": %.6f, \"%s_%s_small_filled\": %.6f, \"%s_%s_small_busy\": %.6f",
                used ? ", " : "", rows[i].name, forms[f], a.tiles, rows[i].name, forms[f], a.filled, rows[i].name, forms[f], a.busy,
                rows[i].name, forms[f], b.filled, rows[i].name, forms[f], b.busy);
        }
    }
    Gemm w = weight_gemm(of(&rows[1], batch));
    for (int slices = 1; slices <= 64; slices *= 2)
        PUT(", \"slices_%d_busy\": %.6f", slices, fit(w, 128, 128, slices).busy);
    PUT(", \"slices_21_busy\": %.6f", fit(w, 128, 128, 21).busy);
}

// --- alignment: how many loads fetch the gathered factor ------------------------------------------------

// Columns of the factor run over place and channel, the channel fastest. A vector of 16 bytes is cut where a piece would not
// be aligned, or would leave its pixel. Counts the pieces for each row of the factor and each vector.
static double loads_for_each(int c, int bytes, long *vectors) {
    Layer l = layer(1, 14, c, 1, 3, 1, 1);
    long pieces = 0;
    *vectors = 0;
    for (int p = 0; p < l.p; p++)
        for (int q = 0; q < l.q; q++)
            for (int r = 0; r < l.r; r++)
                for (int s = 0; s < l.s; s++) {
                    int h = p - l.pad + r, w = q - l.pad + s;
                    if (h < 0 || h >= l.h || w < 0 || w >= l.w) continue;          // zeros, no load
                    long at = ((long)h * l.w + w) * c * bytes, end = at + (long)c * bytes;
                    while (at < end) {
                        int width = 16;
                        while (at % width || at + width > end) width /= 2;
                        at += width, pieces++;
                    }
                    *vectors += (long)c * bytes;
                }
    *vectors /= 16;
    return (double)pieces / *vectors;
}

static void align(void) {
    int cs[] = {3, 4, 8, 12, 16, 30, 60, 62, 63, 64, 65};
    printf("%8s %22s %22s\n", "", "FP16", "INT8");
    printf("%8s %10s %11s %10s %11s\n", "channels", "same width", "any width", "same width", "any width");
    for (size_t i = 0; i < sizeof cs / sizeof *cs; i++) {
        printf("%8d", cs[i]);
        for (int bytes = 2; bytes; bytes--) {
            long vectors;
            double pieces = loads_for_each(cs[i], bytes, &vectors);
            int width = 16;
            while (cs[i] * bytes % width) width /= 2;      // the widest load that fits each pixel: one kernel, one width
            printf(" %10d %11.2f", 16 / width, pieces);
            PUT("%s\"c%d_%d\": %d, \"c%d_%d_any\": %.6f", used ? ", " : "", cs[i], bytes * 8, 16 / width, cs[i], bytes * 8, pieces);
        }
        puts("");
    }
}

// --- steps of the main loop ------------------------------------------------------------------------

// A step takes 32 numbers of the sum. Either each place of the filter begins a new step, or places are joined.
static void steps(void) {
    struct { const char *name; int c, r; } cases[] = {{"stem4", 4, 7}, {"stem8", 8, 7}, {"c16", 16, 3}, {"c48", 48, 3}, {"c64", 64, 3}, {"c80", 80, 3}};
    printf("%8s %7s %16s %7s %8s\n", "channels", "filter", "a place a step", "joined", "filled");
    for (int i = 0; i < 6; i++) {
        int c = cases[i].c, taps = cases[i].r * cases[i].r;
        long apart = taps * up(c, 32), joined = up((long)taps * c, 32);
        printf("%8d %3d x %d %16ld %7ld %7.1f%%\n", c, cases[i].r, cases[i].r, apart, joined, 100.0 * taps * c / (apart * 32));
        PUT("%s\"%s_apart\": %ld, \"%s_joined\": %ld, \"%s_filled\": %.6f", used ? ", " : "", cases[i].name, apart, cases[i].name, joined,
            cases[i].name, 100.0 * taps * c / (apart * 32));
    }
}

// --- bytes of a written matrix ------------------------------------------------------------------------

static void memory(int batch) {
    printf("FP16, batch %d: megabytes\n%-24s %8s %9s %7s\n", batch, "layer", "input", "matrix", "ratio");
    for (int i = 0; i < ROWS; i++) {
        Layer l = of(&rows[i], batch);
        double x = 2.0 * l.n * l.h * l.w * l.c, m = 2.0 * forward_gemm(l).m * forward_gemm(l).k;
        printf("%-24s %8.1f %9.1f %7.2f\n", rows[i].words, x / 1e6, m / 1e6, m / x);
        PUT("%s\"%s_input\": %.0f, \"%s_matrix\": %.0f", used ? ", " : "", rows[i].name, x, rows[i].name, m);
    }
    // A 3-D layer whose memory somebody reported: 1280 channels in and out, 104 x 152 outputs, 8 deep, filters of 3 x 3 x 3.
    double outputs = 104.0 * 152 * 8, matrix = 2 * outputs * 1280 * 27, result = 4 * outputs * 1280;
    PUT(", \"video_matrix\": %.0f, \"video_result\": %.0f", matrix, result);
}

// --- Winograd F(2 x 2, 3 x 3) as sixteen products --------------------------------------------------------

// Multiply-adds in whole tiles of 128 x 128 x 32. Bytes: each tensor is read or written once where it has to be.
static void winograd(void) {
    struct { const char *name, *words; int row, batch; } cases[] = {
        {"wide", "64 channels, 56 x 56, batch 32", 1, 32},
        {"middle", "256 channels, 14 x 14, batch 32", 2, 32},
        {"deep", "512 channels, 7 x 7, batch 32", 3, 32},
        {"middle1", "256 channels, 14 x 14, batch 1", 2, 1},
        {"deep1", "512 channels, 7 x 7, batch 1", 3, 1},
    };
    printf("%-33s %13s %9s %18s\n", "", "multiply-adds", "", "megabytes");
    printf("%-33s %6s %9s %9s %9s\n", "implicit product / Winograd", "exact", "in tiles", "implicit", "Winograd");
    for (int i = 0; i < 5; i++) {
        Layer l = of(&rows[cases[i].row], cases[i].batch);
        Gemm g = forward_gemm(l), one = {(long)l.n * up(l.p, 2) * up(l.q, 2), l.k, l.c};
        double a = (double)g.m * g.n * g.k, b = 16.0 * one.m * one.n * one.k;
        double ta = (double)up(g.m, 128) * up(g.n, 128) * up(g.k, 32), tb = 16.0 * up(one.m, 128) * up(one.n, 128) * up(one.k, 32);
        double x = 2.0 * l.n * l.h * l.w * l.c, y = 2.0 * g.m * l.k, w = 2.0 * 9 * l.c * l.k;
        // Transformed data written and read, products written and read (all FP16), transformed filters read.
        double v = 2.0 * 16 * one.m * l.c, m = 2.0 * 16 * one.m * l.k, u = 2.0 * 16 * l.c * l.k;
        double implicit = x + w + y, apart = x + 2 * v + u + 2 * m + y;
        printf("%-33s %6.2f %9.2f %9.1f %9.1f\n", cases[i].words, a / b, ta / tb, implicit / 1e6, apart / 1e6);
        const char *s = cases[i].name;
        PUT("%s\"%s_exact\": %.6f, \"%s_tiles\": %.6f, \"%s_flop\": %.0f, \"%s_winograd_flop\": %.0f, \"%s_implicit\": %.0f, \"%s_winograd\": %.0f, "
            "\"%s_fused\": %.0f, \"%s_moves\": %.0f, \"%s_winograd_moves\": %.0f", used ? ", " : "", s, a / b, s, ta / tb, s, 2 * a, s, 2 * b, s, implicit, s, apart, s, x + u + y, s, implicit, s, apart);
    }
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "tiles")) tiles(32);
    else if (!strcmp(what, "one")) tiles(1);
    else if (!strcmp(what, "align")) align();
    else if (!strcmp(what, "steps")) steps();
    else if (!strcmp(what, "memory")) memory(32);
    else if (!strcmp(what, "winograd")) winograd();
    else return fprintf(stderr, "usage: shapes tiles|one|align|steps|memory|winograd\n"), 2;
    printf("{%s}\n", json);
    return 0;
}
