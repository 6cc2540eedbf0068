// Counts what operators and conversions move in two layouts, NCHW and NHWC.
//
// The kernels run on emulated vectors of 8 floats and a tile of up to 12 sums, and count each instruction that
// moves data: vector loads and stores, loads of one number that is spread over a vector, shuffles. Arithmetic is the
// same in both layouts up to unused lanes, so it is left out. Each result is compared with a plain loop. A conversion
// is not emulated: its instructions are those of the usual transposition of eight by eight numbers.
//
//   ./ops table     the operators of the note's table
//   ./ops nets      networks: greedy choice, one layout for all, the optimum
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NCHW, NHWC, LAYOUTS };
enum { LANES = 8, TILE = 12 };

static long moved;  // loads, stores and shuffles so far

typedef struct { int ic, oc, h, w, k, groups; } Conv;

static float noise(long i) { return (float)((i * 2654435761u >> 7) % 17) - 8; }

// Place of a number in a padded picture of c channels; `pad` rows and columns of zeros surround it.
static long at(int layout, int c, int h, int w, int pad, int ch, int y, int x) {
    long row = h + 2 * pad, column = w + 2 * pad;
    y += pad;
    x += pad;
    return layout == NCHW ? (ch * row + y) * column + x : (y * column + x) * c + ch;
}

static float *picture(int layout, int c, int h, int w, int pad) {
    float *p = calloc((size_t)c * (h + 2 * pad) * (w + 2 * pad) + 64, sizeof *p);
    for (int ch = 0; ch < c; ch++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) p[at(layout, c, h, w, pad, ch, y, x)] = noise((ch * h + y) * (long)w + x);
    return p;
}

static float weight(const Conv *s, int o, int i, int t) { return noise(((long)o * s->ic + i) * s->k * s->k + t + 5); }

// NCHW: a vector holds eight neighbours of a row; a tile is up to 3 vectors (of any rows) by up to 4 output channels.
static void conv_nchw(const Conv *s, const float *in, float *out) {
    int pad = s->k / 2, icg = s->ic / s->groups, ocg = s->oc / s->groups;
    int rows = s->k == 1 ? 1 : s->h, width = s->k == 1 ? s->h * s->w : s->w;  // a 1x1 sees one long row
    int per_row = (width + LANES - 1) / LANES, vectors = rows * per_row;
    for (int g = 0; g < s->groups; g++)
        for (int o0 = 0; o0 < ocg; o0 += 4)
            for (int v0 = 0; v0 < vectors; v0 += 3) {
                int no = ocg - o0 < 4 ? ocg - o0 : 4, nv = vectors - v0 < 3 ? vectors - v0 : 3;
                float sum[4][3][LANES] = {0};
                for (int i = 0; i < icg; i++)
                    for (int t = 0; t < s->k * s->k; t++) {
                        moved += nv + no;  // nv vectors of the picture, no single weights
                        for (int o = 0; o < no; o++)
                            for (int v = 0; v < nv; v++)
                                for (int l = 0; l < LANES; l++) {
                                    int y = (v0 + v) / per_row, x = (v0 + v) % per_row * LANES + l;
                                    if (x >= width) continue;
                                    if (s->k == 1) y = x / s->w, x = x % s->w;
                                    sum[o][v][l] += in[at(NCHW, s->ic, s->h, s->w, pad, g * icg + i, y + t / s->k - pad,
                                                          x + t % s->k - pad)] * weight(s, g * ocg + o0 + o, i, t);
                                }
                    }
                moved += (long)no * nv;  // stores
                for (int o = 0; o < no; o++)
                    for (int v = 0; v < nv; v++)
                        for (int l = 0; l < LANES; l++) {
                            int y = (v0 + v) / per_row, x = (v0 + v) % per_row * LANES + l;
                            if (x >= width) continue;
                            if (s->k == 1) y = x / s->w, x = x % s->w;
                            out[at(NCHW, s->oc, s->h, s->w, 0, g * ocg + o0 + o, y, x)] = sum[o][v][l];
                        }
            }
}

// NHWC: a vector holds eight output channels of a pixel; a tile is up to 4 vectors by as many pixels as 12 sums allow.
static void conv_nhwc(const Conv *s, const float *in, float *out) {
    int pad = s->k / 2, icg = s->ic / s->groups, ocg = s->oc / s->groups, pixels = s->h * s->w;
    int vectors = (ocg + LANES - 1) / LANES;
    for (int g = 0; g < s->groups; g++)
        for (int v0 = 0; v0 < vectors; v0 += 4) {
            int nv = vectors - v0 < 4 ? vectors - v0 : 4, most = TILE / nv;
            for (int p0 = 0; p0 < pixels; p0 += most) {
                int np = pixels - p0 < most ? pixels - p0 : most;
                float sum[TILE][4][LANES] = {0};
                for (int i = 0; i < icg; i++)
                    for (int t = 0; t < s->k * s->k; t++) {
                        moved += nv + np;  // nv vectors of weights, np single numbers of the picture
                        for (int p = 0; p < np; p++)
                            for (int v = 0; v < nv; v++)
                                for (int l = 0; l < LANES; l++) {
                                    int o = (v0 + v) * LANES + l, y = (p0 + p) / s->w, x = (p0 + p) % s->w;
                                    if (o < ocg)
                                        sum[p][v][l] += in[at(NHWC, s->ic, s->h, s->w, pad, g * icg + i, y + t / s->k - pad,
                                                              x + t % s->k - pad)] * weight(s, g * ocg + o, i, t);
                                }
                    }
                moved += (long)np * nv;
                for (int p = 0; p < np; p++)
                    for (int v = 0; v < nv; v++)
                        for (int l = 0; l < LANES; l++) {
                            int o = (v0 + v) * LANES + l;
                            if (o < ocg) out[at(NHWC, s->oc, s->h, s->w, 0, g * ocg + o, (p0 + p) / s->w, (p0 + p) % s->w)] = sum[p][v][l];
                        }
            }
        }
}

static bool right(const Conv *s, int layout, const float *in, const float *out) {
    int pad = s->k / 2, icg = s->ic / s->groups, ocg = s->oc / s->groups;
    for (int o = 0; o < s->oc; o++)
        for (int y = 0; y < s->h; y++)
            for (int x = 0; x < s->w; x++) {
                float sum = 0;
                for (int i = 0; i < icg; i++)
                    for (int t = 0; t < s->k * s->k; t++)
                        sum += in[at(layout, s->ic, s->h, s->w, pad, o / ocg * icg + i, y + t / s->k - pad, x + t % s->k - pad)] * weight(s, o, i, t);
                if (out[at(layout, s->oc, s->h, s->w, 0, o, y, x)] != sum) return false;
            }
    return true;
}

static int wrong;

static long conv(int layout, Conv s) {
    float *in = picture(layout, s.ic, s.h, s.w, s.k / 2), *out = calloc((size_t)s.oc * s.h * s.w + 64, sizeof *out);
    moved = 0;
    (layout == NCHW ? conv_nchw : conv_nhwc)(&s, in, out);
    wrong += !right(&s, layout, in, out);
    free(in);
    free(out);
    return moved;
}

// A conversion takes squares of eight channels by eight pixels: 8 loads, 24 shuffles, 8 stores.
static long conversion(int c, int h, int w) {
    float *a = picture(NCHW, c, h, w, 0), *b = calloc((size_t)c * h * w, sizeof *b);
    moved = 0;
    for (int c0 = 0; c0 < c; c0 += LANES)
        for (int p0 = 0; p0 < h * w; p0 += LANES) {
            moved += 8 + 24 + 8;
            for (int ch = c0; ch < c0 + LANES && ch < c; ch++)
                for (int p = p0; p < p0 + LANES && p < h * w; p++) b[(long)p * c + ch] = a[(long)ch * h * w + p];
        }
    for (int ch = 0; ch < c; ch++)
        for (int p = 0; p < h * w; p++) wrong += b[at(NHWC, c, h, w, 0, ch, p / w, p % w)] != a[at(NCHW, c, h, w, 0, ch, p / w, p % w)];
    free(a);
    free(b);
    return moved;
}

// Element by element, two inputs: the same in both layouts, 8 numbers at a time.
static long add(int c, int h, int w) { return 3L * (((long)c * h * w + LANES - 1) / LANES); }

static void table(void) {
    static const struct { const char *name; Conv s; } rows[] = {
        {"3x3, 64 to 64", {64, 64, 28, 28, 3, 1}},
        {"1x1, 64 to 32", {64, 32, 28, 28, 1, 1}},
        {"3x3, 32 in groups of 4", {32, 32, 28, 28, 3, 8}},
        {"1x1, 32 to 64", {32, 64, 28, 28, 1, 1}},
        {"1x1, 64 to 2", {64, 2, 28, 28, 1, 1}},
    };
    printf("%-24s%10s%10s%17s\n", "operator, 28x28", "NCHW", "NHWC", "input converted");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("%-24s%10ld%10ld%17ld\n", rows[i].name, conv(NCHW, rows[i].s), conv(NHWC, rows[i].s),
               conversion(rows[i].s.ic, rows[i].s.h, rows[i].s.w));
    printf("wrong results: %d\n", wrong);
}

// A network: nodes in order, each with a cost per layout; an edge carries a tensor whose conversion has a price.
enum { MOST = 24 };
typedef struct {
    int n, edges, from[64], to[64];
    long cost[MOST][LAYOUTS], price[64];
} Net;

static long total(const Net *g, unsigned choice) {  // bit i: the layout of node i
    long sum = 0;
    for (int i = 0; i < g->n; i++) sum += g->cost[i][choice >> i & 1];
    for (int e = 0; e < g->edges; e++)
        if ((choice >> g->from[e] & 1) != (choice >> g->to[e] & 1)) sum += g->price[e];
    return sum;
}

static int conversions(const Net *g, unsigned choice) {
    int count = 0;
    for (int e = 0; e < g->edges; e++) count += (choice >> g->from[e] & 1) != (choice >> g->to[e] & 1);
    return count;
}

static int node(Net *g, long nchw, long nhwc) {
    g->cost[g->n][NCHW] = nchw;
    g->cost[g->n][NHWC] = nhwc;
    return g->n++;
}
static void edge(Net *g, int from, int to, int c, int h, int w) {
    g->from[g->edges] = from;
    g->to[g->edges] = to;
    g->price[g->edges++] = conversion(c, h, w);
}
static int layer(Net *g, int before, Conv s) {
    int i = node(g, conv(NCHW, s), conv(NHWC, s));
    if (before >= 0) edge(g, before, i, s.ic, s.h, s.w);
    return i;
}

// Blocks of a bottleneck with a grouped convolution and, if `residual`, an addition. The input is NCHW, as images often
// come: node 0 costs too much in the other layout.
static Net blocks(int wide, int narrow, int size, int group, int count, bool residual) {
    Net g = {0};
    int last = node(&g, 0, 1L << 40);
    for (int b = 0; b < count; b++) {
        int start = last;
        last = layer(&g, last, (Conv){wide, narrow, size, size, 1, 1});
        last = layer(&g, last, (Conv){narrow, narrow, size, size, 3, narrow / group});
        last = layer(&g, last, (Conv){narrow, wide, size, size, 1, 1});
        if (residual) {
            long cost = add(wide, size, size);
            int sum = node(&g, cost, cost);
            edge(&g, last, sum, wide, size, size);
            edge(&g, start, sum, wide, size, size);
            last = sum;
        }
    }
    return g;
}

// A chain of dense 3x3 layers.
static Net dense(int channels, int size, int count) {
    Net g = {0};
    int last = node(&g, 0, 1L << 40);
    for (int b = 0; b < count; b++) last = layer(&g, last, (Conv){channels, channels, size, size, 3, 1});
    return g;
}

static void solve(const char *name, const Net *g) {
    unsigned greedy = 0, best = 0;
    for (int i = 0; i < g->n; i++) greedy |= (unsigned)(g->cost[i][NHWC] < g->cost[i][NCHW]) << i;
    for (unsigned c = 0; c < 1u << g->n; c++)
        if (total(g, c) < total(g, best)) best = c;
    unsigned all_nhwc = ((1u << g->n) - 1) & ~1u;
    long optimum = total(g, best), nchw = total(g, 0), nhwc = total(g, all_nhwc), alone = 0;
    for (int i = 0; i < g->n; i++) alone += g->cost[i][greedy >> i & 1];
    printf("  \"%s_greedy\": %.5f, \"%s_nchw\": %.5f, \"%s_nhwc\": %.5f, \"%s_alone\": %.5f,\n", name, (double)total(g, greedy) / optimum,
           name, (double)nchw / optimum, name, (double)nhwc / optimum, name, (double)alone / optimum);
    printf("  \"%s_greedy_conversions\": %d, \"%s_best_conversions\": %d, \"%s_nodes\": %d,\n", name, conversions(g, greedy), name,
           conversions(g, best), name, g->n);
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "table")) {
        table();
        return 0;
    }
    if (argc == 2 && !strcmp(argv[1], "nets")) {
        Net heavy = dense(64, 28, 6), grouped = blocks(64, 32, 28, 4, 3, false), residual = blocks(64, 32, 28, 4, 3, true);
        Conv point = {64, 32, 28, 28, 1, 1};
        long nchw = conv(NCHW, point);
        printf("{\n  \"point_gain\": %.6f, \"point_conversion\": %.6f,\n", (double)(nchw - conv(NHWC, point)) / nchw, (double)conversion(64, 28, 28) / nchw);
        solve("heavy", &heavy);
        solve("grouped", &grouped);
        solve("residual", &residual);
        printf("  \"wrong\": %d\n}\n", wrong);
        return 0;
    }
    fprintf(stderr, "usage: ops table | nets\n");
    return 2;
}
