// One convolution for cachegrind, and times of pairs of layouts, in turn.
#include "conv.h"
#include <time.h>

typedef struct { Layer l; Steps p[2]; float *x, *w, *y; int rows, square; } Run;
static Run make(const char *layout, Layer l) {
    int ih = in_h(l), iw = in_w(l);
    Run r = {l, {{0}}, numbers((size_t)l.c * ih * iw, 1), numbers((size_t)l.c * l.k * l.r * l.r, 2), room((size_t)l.k * l.h * l.w), 0, !strcmp(layout, "square")};
    if (!strcmp(layout, "nhwc")) r.p[0] = nhwc(l.c, iw, ih), r.p[1] = nhwc(l.k, l.w, l.h);
    else if (!strcmp(layout, "block") || r.square) r.p[0] = blocked(l.c, iw, ih), r.p[1] = blocked(l.k, l.w, l.h);
    else r.rows = 1;
    return r;
}
static void go(Run *r) {
    if (r->rows) conv_rows(r->l, r->x, r->w, r->y);
    else if (r->square) conv_square(r->l, r->p, r->x, r->w, r->y);
    else conv_channels(r->l, r->p, r->x, r->w, r->y);
}
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

// Milliseconds of a and b, in turn; a runs a third time for the comparison with itself. A sample is the least of five.
static void pairs(const char *name, Run a, Run b, int times, const char *end) {
    enum { SAMPLES = 21, TRIES = 5 };
    double t[3][SAMPLES];
    Run *order[] = {&a, &b, &a};
    for (int s = 0; s < SAMPLES; s++)
        for (int n = 0; n < TRIES; n++)
            for (int i = 0; i < 3; i++) {
                int which = n % 2 ? 2 - i : i;
                double start = now();
                for (int k = 0; k < times; k++) go(order[which]);
                double ms = (now() - start) * 1e3 / times;
                if (n == 0 || ms < t[which][s]) t[which][s] = ms;
            }
    const char *suffix[] = {"a", "b", "again"};
    for (int i = 0; i < 3; i++) {
        printf("\"%s_%s\": [", name, suffix[i]);
        for (int s = 0; s < SAMPLES; s++) printf("%s%.6f", s ? ", " : "", t[i][s]);
        printf("]%s\n", i == 2 ? end : ",");
    }
}

int main(int argc, char **argv) {
    if (argc == 5) {    // nchw, nhwc, block or square; channels in and out; outputs wide and high
        Run r = make(argv[1], (Layer){atoi(argv[2]), atoi(argv[3]), atoi(argv[4]), atoi(argv[4]), 3, 1});
        go(&r);
        return 0;
    }
    puts("{");
    Layer many = {1024, 16, 14, 14, 3, 1}, odd = {1040, 16, 14, 14, 3, 1};
    pairs("many", make("nhwc", many), make("block", many), 2, ",");
    pairs("odd", make("nhwc", odd), make("block", odd), 2, ",");
    Layer wide = {64, 64, 56, 56, 3, 1}, small = {64, 64, 7, 7, 3, 1};
    pairs("wide", make("nchw", wide), make("block", wide), 1, ",");
    pairs("small", make("nchw", small), make("block", small), 20, ",");
    pairs("wide_square", make("nchw", wide), make("square", wide), 1, ",");
    pairs("small_square", make("nchw", small), make("square", small), 20, "}");
}
