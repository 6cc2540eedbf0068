/* A network of linear layers with an activation between them, and its backward pass, written out by hand.
   Every multiply-add of a matrix product is counted where it is done. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef REAL
#define REAL double
#endif
typedef REAL real;

enum { MOST = 64 };
enum activation { LINEAR, RELU, TANH, SIGMOID };

typedef struct {
    int in, out;
    int frozen;         /* no gradient is wanted for the weights */
    real *w, *dw;       /* in × out */
    real *b, *db;
    real *x;            /* kept: the inputs, rows × in */
    real *y;            /* the outputs before the activation; the backward pass does not read them */
    long forward, for_weights, for_inputs;    /* multiply-adds */
} layer;

typedef struct {
    int count, rows;
    enum activation activation;
    layer layer[MOST];
    real *out;          /* kept: the probabilities of the classes, rows × classes */
} network;

/* Random numbers that are the same everywhere: a multiplicative generator, and twelve uniform numbers for a normal one. */
static uint64_t seed = 1;
static inline double uniform(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}
static inline double normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += uniform();
    return sum;
}

/* exp, log and tanh from plain additions and products: those of a C library may choose other code, and so round
   differently, on another CPU. They are right to about one unit of the last place of 1. */
static inline double exponential(double x)
{
    int k = (int)floor(x * 1.4426950408889634 + 0.5);
    double r = (x - k * 0x1.62e42fefa3800p-1) - k * 0x1.ef35793c76730p-45, sum = 1, term = 1;
    for (int i = 1; i < 18; i++)
        sum += term *= r / i;
    return ldexp(sum, k);
}
static inline double logarithm(double x)
{
    int k;
    double f = 2 * frexp(x, &k), z = (f - 1.5) / (f + 1.5), sum = 0, power = z;     /* log(f/1.5) = 2 artanh z */
    for (int i = 1; i < 26; i += 2, power *= z * z)
        sum += 2 * power / i;
    return sum + 0.4054651081081644 + (k - 1) * 0.6931471805599453;
}
static inline double hyperbolic_tangent(double x)
{
    double e = exponential(-2 * fabs(x)), t = (1 - e) / (1 + e);
    return x < 0 ? -t : t;
}

static inline real *reals(long count)
{
    real *p = calloc((size_t)count, sizeof(real));
    if (!p)
        exit(1);
    return p;
}

/* c[m × n] += a[m × k] b[k × n], a and b with any strides, so that transposing costs nothing. */
static inline long product(real *c, const real *a, int arow, int acol, const real *b, int brow, int bcol, int m, int k, int n)
{
    long counted = 0;
    for (int i = 0; i < m; i++)
        for (int l = 0; l < k; l++)
            for (int j = 0; j < n; j++) {
                c[(long)i * n + j] += a[(long)i * arow + (long)l * acol] * b[(long)l * brow + (long)j * bcol];
                counted++;
            }
    return counted;
}

static inline real activate(enum activation kind, real z)
{
    switch (kind) {
    case RELU: return z > 0 ? z : 0;
    case TANH: return (real)hyperbolic_tangent((double)z);
    case SIGMOID: return (real)(1 / (1 + exponential(-(double)z)));
    default: return z;
    }
}

/* The derivative, from the result of the activation: what came before it need not be kept. */
static inline real slope(enum activation kind, real a)
{
    switch (kind) {
    case RELU: return a > 0;
    case TANH: return 1 - a * a;
    case SIGMOID: return a * (1 - a);
    default: return 1;
    }
}

static inline void build(network *n, int rows, enum activation kind, int count, const int *sizes, double gain)
{
    memset(n, 0, sizeof *n);
    n->count = count;
    n->rows = rows;
    n->activation = kind;
    for (int i = 0; i < count; i++) {
        layer *l = &n->layer[i];
        l->in = sizes[i];
        l->out = sizes[i + 1];
        l->w = reals((long)l->in * l->out);
        l->dw = reals((long)l->in * l->out);
        l->b = reals(l->out);
        l->db = reals(l->out);
        l->x = reals((long)rows * l->in);
        l->y = reals((long)rows * l->out);
        for (long j = 0; j < (long)l->in * l->out; j++)
            l->w[j] = (real)(gain * normal() / sqrt(l->in));
    }
    n->out = reals((long)rows * sizes[count]);
}

/* The mean over the rows of the cross-entropy; x and the classes are given. */
static inline real forward(network *n, const real *x, const int *classes)
{
    memcpy(n->layer[0].x, x, sizeof(real) * (size_t)n->rows * (size_t)n->layer[0].in);
    for (int i = 0; i < n->count; i++) {
        layer *l = &n->layer[i];
        for (int r = 0; r < n->rows; r++)
            memcpy(l->y + (long)r * l->out, l->b, sizeof(real) * (size_t)l->out);
        l->forward += product(l->y, l->x, l->in, 1, l->w, l->out, 1, n->rows, l->in, l->out);
        if (i + 1 < n->count)
            for (long j = 0; j < (long)n->rows * l->out; j++)
                n->layer[i + 1].x[j] = activate(n->activation, l->y[j]);
    }
    layer *last = &n->layer[n->count - 1];
    real loss = 0;
    for (int r = 0; r < n->rows; r++) {
        real *z = last->y + (long)r * last->out, *p = n->out + (long)r * last->out, top = z[0], sum = 0;
        for (int j = 1; j < last->out; j++)
            top = z[j] > top ? z[j] : top;
        for (int j = 0; j < last->out; j++)
            sum += p[j] = (real)exponential((double)(z[j] - top));
        for (int j = 0; j < last->out; j++)
            p[j] /= sum;
        loss -= (z[classes[r]] - top - (real)logarithm((double)sum)) / (real)n->rows;
    }
    return loss;
}

/* Adds to dw and db. The gradient of the first layer's inputs is asked for by nobody, unless `inputs` is set. */
static inline void backward(network *n, const int *classes, int inputs)
{
    int lowest = 0;                     /* the lowest layer that wants a gradient */
    while (lowest < n->count && n->layer[lowest].frozen)
        lowest++;
    layer *last = &n->layer[n->count - 1];
    real *dy = reals((long)n->rows * last->out);
    for (int r = 0; r < n->rows; r++)
        for (int j = 0; j < last->out; j++)
            dy[(long)r * last->out + j] = (n->out[(long)r * last->out + j] - (j == classes[r])) / (real)n->rows;
    for (int i = n->count - 1; i >= lowest; i--) {
        layer *l = &n->layer[i];
        if (!l->frozen) {
            l->for_weights += product(l->dw, l->x, 1, l->in, dy, l->out, 1, l->in, n->rows, l->out);
            for (int r = 0; r < n->rows; r++)
                for (int j = 0; j < l->out; j++)
                    l->db[j] += dy[(long)r * l->out + j];
        }
        if (i > lowest || inputs) {
            real *dx = reals((long)n->rows * l->in);
            l->for_inputs += product(dx, dy, l->out, 1, l->w, 1, l->out, n->rows, l->out, l->in);
            if (i > 0)
                for (long j = 0; j < (long)n->rows * l->in; j++)
                    dx[j] *= slope(n->activation, l->x[j]);
            free(dy);
            dy = dx;
        }
    }
    free(dy);
}

static inline void clear(network *n)
{
    for (int i = 0; i < n->count; i++) {
        layer *l = &n->layer[i];
        memset(l->dw, 0, sizeof(real) * (size_t)l->in * (size_t)l->out);
        memset(l->db, 0, sizeof(real) * (size_t)l->out);
        l->forward = l->for_weights = l->for_inputs = 0;
    }
}

static inline void data(real *x, int *classes, int rows, int in, int out)
{
    for (long j = 0; j < (long)rows * in; j++)
        x[j] = (real)normal();
    for (int r = 0; r < rows; r++)
        classes[r] = (int)(uniform() * out);
}
