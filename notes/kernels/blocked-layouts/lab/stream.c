// A layer as calls of one kernel: by loops that decide everything each time, and by replaying a record of the calls.
#include "conv.h"

typedef struct { int out, in, weights; short kernel, first; } Call;    // offsets, and what to call

// The loops of conv_channels.
#define LOOPS(body) \
    int parts = (l->w + 11) / 12, wide = (l->w + parts - 1) / parts, ks = l->k / 8, cs = l->c / 8; \
    for (int k = 0; k < ks; k++) \
        for (int c = 0; c < cs; c++) \
            for (int j = 0; j < l->h; j++) \
                for (int i = 0; i < l->w; i += wide) { \
                    int rest = l->w - i < wide ? l->w - i : wide; \
                    long in = c * s[0].block + j * s[0].row + i * s[0].pixel; \
                    long out = k * s[1].block + j * s[1].row + i * s[1].pixel; \
                    long weights = (k * cs + c) * 64L * l->r * l->r; \
                    body \
                }

__attribute__((noipa)) static void by_loops(const Layer *l, const Steps *s, const float *x, const float *w, float *y) {
    LOOPS(kernels[rest](l->r, 1, s, x + in, w + weights, y + out, c == 0);)
}
__attribute__((noipa)) static int record(const Layer *l, const Steps *s, Call *list) {
    int n = 0;
    LOOPS(list[n++] = ((Call){(int)out, (int)in, (int)weights, (short)rest, c == 0});)
    return n;
}
__attribute__((noipa)) static void replay(const Call *list, int n, int r, const Steps *s, const float *x, const float *w, float *y) {
    for (const Call *c = list; c < list + n; c++) kernels[c->kernel](r, 1, s, x + c->in, w + c->weights, y + c->out, c->first);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;    // the side of the filter
    Layer l = {64, 64, 28, 28, atoi(argv[1]), 1};
    Steps s[] = {blocked(l.c, in_w(l), in_h(l)), blocked(l.k, l.w, l.h)};
    size_t ny = (size_t)l.k * l.h * l.w;
    float *x = numbers((size_t)l.c * in_w(l) * in_h(l), 1), *w = numbers((size_t)l.c * l.k * l.r * l.r, 2), *y = room(ny), *z = room(ny);
    Call *list = malloc(sizeof(Call) * 64 * (size_t)l.h * l.w);
    if (!list) return 1;
    int n = record(&l, s, list);
    by_loops(&l, s, x, w, y);
    replay(list, n, l.r, s, x, w, z);
    same(z, y, ny, "replayed");
    printf("{\"calls\": %d, \"bytes\": %zu, \"layer\": %zu}\n", n, n * sizeof(Call),
           4 * ((size_t)l.c * in_w(l) * in_h(l) + (size_t)l.c * l.k * l.r * l.r + ny));
}
