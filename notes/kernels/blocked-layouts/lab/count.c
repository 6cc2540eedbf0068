// Counts accesses, padding and the bytes of conversions, and checks each result against a plain loop.
#include "conv.h"

static int entries;
static void put(const char *name, const char *more, double value) {
    printf("%s\"%s%s\": %.17g", entries++ ? ", " : "{", name, more, value);
}

static long plain_reads;
static void plain(Layer l, const float *x, const float *w, float *y) {    // the loop of the definition
    long row = in_w(l), plane = row * in_h(l);
    for (int k = 0; k < l.k; k++)
        for (int j = 0; j < l.h; j++)
            for (int i = 0; i < l.w; i++) {
                float sum = 0;
                for (int c = 0; c < l.c; c++)
                    for (int a = 0; a < l.r; a++)
                        for (int b = 0; b < l.r; b++, plain_reads += 2)
                            sum += x[c * plane + (j * l.s + a) * row + i * l.s + b] * w[((k * (long)l.c + c) * l.r + a) * l.r + b];
                y[((long)k * l.h + j) * l.w + i] = sum;
            }
}

static double macs(Layer l) { return (double)l.c * l.k * l.h * l.w * l.r * l.r; }

static void line(const char *name, Layer l, Counts n, int json) {
    double ideal = macs(l) / 8;    // multiply-adds of whole vectors, if no lane were idle
    if (json) {
        put(name, "_reads", (n.vectors + n.scalars) / ideal), put(name, "_lanes", ideal / n.fma);
        put(name, "_split", (double)n.split / n.vectors), put(name, "_shuffles", n.shuffles / ideal);
        put(name, "_total", n.vectors + n.scalars);
    } else
        printf("%-11s %7.2f %7.2f %7.2f %9.1f %8.1f\n", name, n.vectors / ideal, n.scalars / ideal, n.shuffles / ideal,
               100 * ideal / n.fma, 100.0 * n.split / n.vectors);
}

// One layer in the three layouts, and in nChw8c with two tiles. `prefix` begins the names in the JSON; without it, lines to read.
static void layer(const char *prefix, Layer l) {
    int ih = in_h(l), iw = in_w(l), C = up(l.c, 8), K = up(l.k, 8);
    size_t nx = (size_t)l.c * ih * iw, nw = (size_t)l.k * l.c * l.r * l.r, ny = (size_t)l.k * l.h * l.w;
    float *x = numbers(nx, 1), *w = numbers(nw, 2), *y = room(ny), *z = room(ny);
    plain(l, x, w, y);
    float *wb = room((size_t)C * K * l.r * l.r), *xb = room((size_t)C * ih * iw), *yb = room((size_t)K * l.h * l.w);
    spread_weights(l, w, wb);
    char name[40];
    if (!prefix) printf("%-11s %7s %7s %7s %9s %8s\n", "layout", "vectors", "scalars", "shuffle", "lanes, %", "split, %");
    if (l.c % 8 == 0 && l.k % 8 == 0) {
        counted = (Counts){0};
        conv_rows(l, x, w, z);
        same(z, y, ny, "NCHW");
        snprintf(name, sizeof name, prefix ? "%s_nchw" : "NCHW%s", prefix ? prefix : "");
        line(name, l, counted, !!prefix);
        // A pixel of NHWC has no room for more channels than there are.
        Steps p[] = {nhwc(l.c, iw, ih), nhwc(l.k, l.w, l.h)};
        spread(l.c, ih, iw, p[0], x, xb);
        counted = (Counts){0};
        conv_channels(l, p, xb, wb, yb);
        gather(l.k, l.h, l.w, p[1], yb, z);
        same(z, y, ny, "NHWC");
        snprintf(name, sizeof name, prefix ? "%s_nhwc" : "NHWC%s", prefix ? prefix : "");
        line(name, l, counted, !!prefix);
    }
    Steps p[] = {blocked(l.c, iw, ih), blocked(l.k, l.w, l.h)};
    memset(xb, 0, sizeof(float) * C * ih * iw);
    spread(l.c, ih, iw, p[0], x, xb);
    counted = (Counts){0};
    conv_channels(l, p, xb, wb, yb);
    gather(l.k, l.h, l.w, p[1], yb, z);
    same(z, y, ny, "nChw8c");
    snprintf(name, sizeof name, prefix ? "%s_block" : "nChw8c%s", prefix ? prefix : "");
    line(name, l, counted, !!prefix);
    if (l.k % 32 == 0) {
        counted = (Counts){0};
        conv_square(l, p, xb, wb, yb);
        gather(l.k, l.h, l.w, p[1], yb, z);
        same(z, y, ny, "nChw8c, 3 by 4");
        snprintf(name, sizeof name, prefix ? "%s_square" : "nChw8c, 3x4%s", prefix ? prefix : "");
        line(name, l, counted, !!prefix);
    }
    free(x), free(w), free(y), free(z), free(wb), free(xb), free(yb);
}

static void accesses(void) {
    layer("w56", (Layer){64, 64, 56, 56, 3, 1});
    layer("w28", (Layer){64, 64, 28, 28, 3, 1});
    layer("w14", (Layer){64, 64, 14, 14, 3, 1});
    layer("w7", (Layer){64, 64, 7, 7, 3, 1});
    layer("s28", (Layer){64, 64, 28, 28, 3, 2});
    layer("c20", (Layer){20, 20, 28, 28, 3, 1});
    layer("c17", (Layer){17, 17, 28, 28, 3, 1});
    plain_reads = 0;
    Layer l = {8, 8, 8, 8, 3, 1};
    float *x = numbers(800, 1), *w = numbers(576, 2), *y = room(512);
    plain(l, x, w, y);
    put("plain", "_reads", plain_reads / (macs(l) / 8));
}

// Bytes and multiply-adds after rounding the channels up, of those that were asked for.
static void padding(void) {
    static const int channels[] = {3, 17, 20, 33, 64, 100}, blocks[] = {4, 8, 16, 32};
    char name[40];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 4; j++) {
            snprintf(name, sizeof name, "c%d_%d", channels[i], blocks[j]);
            put(name, "", (double)up(channels[i], blocks[j]) / channels[i]);
        }
}

// The channels of a network before and after pruning, as its author listed them: ncnn, issue 3190.
static void pruned(void) {
    static const int before[] = {8, 8, 16, 16, 32, 32, 32, 32, 64, 64, 64, 64, 128, 128, 128, 128, 128, 128, 128, 128,
                                 128, 128, 128, 128, 256, 256, 256};
    static const int after[] = {5, 5, 10, 10, 20, 20, 23, 23, 43, 43, 48, 48, 90, 90, 69, 69, 51, 51, 40, 40,
                                33, 33, 63, 63, 159, 159, 195};
    const int *list[] = {before, after};
    const char *names[] = {"before", "after"};
    put("layers", "", 27);
    for (int n = 0; n < 2; n++) {
        int by4 = 0, by8 = 0;
        double weights = 0, up4 = 0, up8 = 0;
        for (int i = 0; i < 27; i++) {
            int c = list[n][i], k = i < 26 ? list[n][i + 1] : 0;
            by4 += c % 4 == 0, by8 += c % 8 == 0;
            weights += (double)c * k, up4 += (double)up(c, 4) * up(k, 4), up8 += (double)up(c, 8) * up(k, 8);
        }
        put(names[n], "_by4", by4), put(names[n], "_by8", by8);
        put(names[n], "_weights", weights), put(names[n], "_up4", up4), put(names[n], "_up8", up8);
    }
}

// A layer whose caller keeps NCHW: the bytes of its conversions against those of the layer, each touched once,
// and the numbers that conversions read against the reads of the convolution.
static void conversions(const char *name, Layer l) {
    int ih = in_h(l), iw = in_w(l);
    size_t nx = (size_t)l.c * ih * iw, nw = (size_t)l.k * l.c * l.r * l.r, ny = (size_t)l.k * l.h * l.w;
    float *x = numbers(nx, 1), *w = numbers(nw, 2), *y = room(ny), *xb = room(nx), *wb = room(nw), *yb = room(ny);
    Steps p[] = {blocked(l.c, iw, ih), blocked(l.k, l.w, l.h)};
    moved = 0, spread_weights(l, w, wb);
    double weights = moved;
    moved = 0, spread(l.c, ih, iw, p[0], x, xb);
    counted = (Counts){0};
    conv_square(l, p, xb, wb, yb);
    gather(l.k, l.h, l.w, p[1], yb, y);
    put(name, "_layer", 4.0 * (nx + nw + ny)), put(name, "_data", moved), put(name, "_weights", weights);
    put(name, "_reads", counted.vectors + counted.scalars);
    put(name, "_read_data", (double)nx + ny), put(name, "_read_weights", nw);
    free(x), free(w), free(y), free(xb), free(wb), free(yb);
}

// A chain of convolutions 3 x 3, each with an element-wise operation. Each tensor has a border of one zero.
enum { CH = 64, SIDE = 28, EDGE = SIDE + 2, SIZE = CH * EDGE * EDGE };
typedef struct { float *data; int is_blocked; } Tensor;
static int reorders, weight_reorders;
static double layer_bytes;
static void to(Tensor *t, int want) {
    if (t->is_blocked == want) return;
    float *other = room(SIZE);
    (want ? spread : gather)(CH, EDGE, EDGE, blocked(CH, EDGE, EDGE), t->data, other);
    free(t->data), t->data = other, t->is_blocked = want, reorders++;
}
static void conv(Tensor *t, const float *w, float *wb, int keep_weights) {
    Layer l = {CH, CH, SIDE, SIDE, 3, 1};
    to(t, 1);
    if (!keep_weights || wb[CH * CH * 9] == 0) spread_weights(l, w, wb), weight_reorders++, wb[CH * CH * 9] = 1;
    float *y = room(SIZE);
    Steps s = blocked(CH, EDGE, EDGE), p[] = {s, s};
    conv_channels(l, p, t->data, wb, y + s.row + s.pixel);
    layer_bytes += 4.0 * (2 * CH * SIDE * SIDE + CH * CH * 9);
    free(t->data), t->data = y;
}
static void step(Tensor *t) {    // in place of ReLU, so that sums stay exact; any layout will do, since step(0) is 0
    for (int i = 0; i < SIZE; i++) t->data[i] = t->data[i] > 0;
}
static void shuffle_channels(Tensor *t) {    // was written for NCHW alone
    to(t, 0);
    float *y = room(SIZE);
    for (int c = 0; c < CH; c++)
        memcpy(y + c * EDGE * EDGE, t->data + (c % 2 * (CH / 2) + c / 2) * EDGE * EDGE, sizeof(float) * EDGE * EDGE);
    free(t->data), t->data = y;
}
static float *run_chain(const char *name, int convs, int runs, int plain_between, int keep_weights, int shuffle_after) {
    float *w = numbers(CH * CH * 9, 7), *wb[16], *result = NULL;
    for (int i = 0; i < convs; i++) wb[i] = room(CH * CH * 9 + 1);
    reorders = weight_reorders = 0, moved = 0, layer_bytes = 0;
    for (int run = 0; run < runs; run++) {
        Tensor t = {room(SIZE), 0};
        for (int c = 0; c < CH; c++)
            for (int i = 0; i < SIDE * SIDE; i++)
                t.data[(c * EDGE + i / SIDE + 1) * EDGE + i % SIDE + 1] = (c * 7 + i) % 3 == 0;
        for (int i = 0; i < convs; i++) {
            conv(&t, w, wb[i], keep_weights);
            if (plain_between) to(&t, 0);
            step(&t);
            if (i == shuffle_after) shuffle_channels(&t);
        }
        to(&t, 0);
        free(result), result = t.data;
    }
    put(name, "_reorders", reorders), put(name, "_weights", weight_reorders);
    put(name, "_moved", moved), put(name, "_layers", layer_bytes);
    for (int i = 0; i < convs; i++) free(wb[i]);
    free(w);
    return result;
}
static void chain(void) {
    enum { CONVS = 6, RUNS = 4 };
    float *a = run_chain("each", CONVS, RUNS, 1, 0, -1), *b = run_chain("plain", CONVS, RUNS, 1, 1, -1);
    float *c = run_chain("kept", CONVS, RUNS, 0, 1, -1);
    same(b, a, SIZE, "plain between"), same(c, a, SIZE, "kept");
    float *d = run_chain("mixed", CONVS, RUNS, 0, 1, 2), *e = run_chain("mixed_plain", CONVS, RUNS, 1, 1, 2);
    same(d, e, SIZE, "with a shuffle");
    float *f = run_chain("one", 1, 1, 0, 1, -1);
    free(a), free(b), free(c), free(d), free(e), free(f);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "layer") && argc == 6) {    // channels in and out, outputs wide and high, filter, stride
        int n[4];
        for (int i = 0; i < 4; i++) n[i] = atoi(argv[2 + i]);
        layer(NULL, (Layer){n[0], n[0], n[1], n[1], n[2], n[3]});
        return 0;
    }
    if (!strcmp(what, "accesses")) accesses();
    else if (!strcmp(what, "padding")) padding();
    else if (!strcmp(what, "pruned")) pruned();
    else if (!strcmp(what, "conversions")) {
        conversions("wide", (Layer){64, 64, 56, 56, 3, 1});
        conversions("point", (Layer){64, 64, 56, 56, 1, 1});
        conversions("deep", (Layer){512, 512, 7, 7, 3, 1});
    } else if (!strcmp(what, "chain")) chain();
    else return 2;
    puts("}");
}
