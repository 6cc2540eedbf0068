// A convolution layer: tensors in NHWC, filters in KRSC, as CUTLASS names the letters.
// n images of h × w with c channels give n of p × q with k channels, by filters of r × s.
#pragma once
#include <stdbool.h>

typedef struct {
    int n, h, w, c, k, r, s, stride, pad;
    int p, q;
} Layer;

static inline Layer layer(int n, int side, int c, int k, int r, int stride, int pad) {
    int out = (side + 2 * pad - r) / stride + 1;
    return (Layer){n, side, side, c, k, r, r, stride, pad, out, out};
}

static inline long up(long a, long b) { return (a + b - 1) / b; }     // a / b, rounded up

// The shape of the matrix product: an m × k matrix times a k × n matrix.
typedef struct { long m, n, k; } Gemm;

static inline Gemm forward_gemm(Layer l) { return (Gemm){(long)l.n * l.p * l.q, l.k, (long)l.r * l.s * l.c}; }
static inline Gemm data_gemm(Layer l) { return (Gemm){(long)l.n * l.h * l.w, l.c, (long)l.r * l.s * l.k}; }
static inline Gemm weight_gemm(Layer l) { return (Gemm){l.k, (long)l.r * l.s * l.c, (long)l.n * l.p * l.q}; }
