/* What an optimizer's step reads and writes, and how far a step may go.

   usage: step sgd | momentum | adam | passes | clip | add | descent
   The first six do one step over N parameters in float32, to be run under cachegrind. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* noipa: the compiler keeps each step as a function of its own name, which cachegrind then shows. */
#define STEP __attribute__((noipa)) static void
enum { N = 1 << 19, CURVATURES = 101 };

STEP sgd(float *p, const float *g, float rate)
{
    for (long i = 0; i < N; i++)
        p[i] -= rate * g[i];
}

STEP momentum(float *p, const float *g, float *m, float rate, float beta)
{
    for (long i = 0; i < N; i++) {
        float now = beta * m[i] + g[i];
        m[i] = now;
        p[i] -= rate * now;
    }
}

/* All of Adam in one loop, as a fused kernel does it. `first` and `second` are the corrections for the step's number. */
STEP adam(float *p, const float *g, float *m, float *v, float rate, float b1, float b2, float eps, float first, float second)
{
    for (long i = 0; i < N; i++) {
        float gi = g[i];
        float mi = b1 * m[i] + (1 - b1) * gi, vi = b2 * v[i] + (1 - b2) * gi * gi;
        m[i] = mi;
        v[i] = vi;
        p[i] -= rate / first * mi / (sqrtf(vi) / second + eps);
    }
}

/* The same as a row of operations, each of which goes over its arrays: lerp_, mul_, addcmul_, sqrt, /, add_, addcdiv_. */
STEP passes(float *p, const float *g, float *m, float *v, float *t, float *u, float rate, float b1, float b2, float eps, float first, float second)
{
    for (long i = 0; i < N; i++)
        m[i] += (1 - b1) * (g[i] - m[i]);
    for (long i = 0; i < N; i++)
        v[i] *= b2;
    for (long i = 0; i < N; i++)
        v[i] += (1 - b2) * g[i] * g[i];
    for (long i = 0; i < N; i++)
        t[i] = sqrtf(v[i]);
    for (long i = 0; i < N; i++)
        u[i] = t[i] / second;
    for (long i = 0; i < N; i++)
        u[i] += eps;
    for (long i = 0; i < N; i++)
        p[i] -= rate / first * m[i] / u[i];
}

/* Clipping by norm: one pass for the norm, one that scales. */
STEP clip(float *g, float most)
{
    double sum = 0;
    for (long i = 0; i < N; i++)
        sum += (double)g[i] * g[i];
    float factor = fminf(1, most / ((float)sqrt(sum) + 1e-6f));
    for (long i = 0; i < N; i++)
        g[i] *= factor;
}

/* What accumulation adds to each further micro-batch, if the new gradient comes as an array of its own. */
STEP add(float *g, const float *new)
{
    for (long i = 0; i < N; i++)
        g[i] += new[i];
}

static float *floats(void)
{
    float *p = malloc(N * sizeof *p);
    if (!p)
        exit(1);
    for (long i = 0; i < N; i++)
        p[i] = 1e-3f * (float)(i % 1000 + 1);
    return p;
}

/* Minimises the sum of lambda x^2 / 2 for 101 lambdas from 1 to 100, from x = 1; returns the steps until the norm of x is
   a millionth of what it was, or -1 if it grows to a million times that. */
static int descend(double rate, double beta)
{
    double lambda[CURVATURES], x[CURVATURES], m[CURVATURES] = {0}, start = sqrt(CURVATURES);
    for (int i = 0; i < CURVATURES; i++)
        lambda[i] = pow(100, i / 100.0), x[i] = 1;
    for (int t = 1; t <= 200000; t++) {
        double sum = 0;
        for (int i = 0; i < CURVATURES; i++) {
            double g = lambda[i] * x[i];
            m[i] = beta * m[i] + g;
            x[i] -= rate * m[i];
            sum += x[i] * x[i];
        }
        if (sqrt(sum) < 1e-6 * start)
            return t;
        if (!(sqrt(sum) < 1e6 * start))
            return -1;
    }
    return 0;
}

/* The learning rate at which it begins to diverge, by halving an interval. */
static double limit(double beta)
{
    double low = 0.001, high = 0.1;
    for (int i = 0; i < 30; i++) {
        double middle = (low + high) / 2;
        if (descend(middle, beta) < 0)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* How far the first step of one parameter goes if its gradient is g. */
static double first_step(double g, int use_adam)
{
    double m = 0.1 * g, v = 0.001 * g * g;
    return use_adam ? 0.001 * (m / 0.1) / (sqrt(v / 0.001) + 1e-8) : 0.001 * g;
}

static void descent(void)
{
    /* The rates and the momentum whose slowest curvature shrinks fastest per step in the end; others may arrive earlier. */
    double best = 2.0 / 101, heavy = 4.0 / 121, beta = 81.0 / 121;
    int plain = descend(0.01, 0), fast = descend(best, 0), over = descend(0.0202, 0), usual = descend(0.01, 0.9), tuned = descend(heavy, beta);
    printf("%-44s%10s\n", "curvature from 1 to 100, steps to a millionth", "steps");
    printf("%-44s%10d\n%-44s%10d\n%-44s%10s\n", "gradient descent, rate 0.01", plain, "rate 2/101", fast, "rate 0.0202", over < 0 ? "diverges" : "?");
    printf("%-44s%10d\n%-44s%10d\n", "momentum 0.9, rate 0.01", usual, "momentum 81/121, rate 4/121", tuned);
    double zero = limit(0), nine = limit(0.9);
    printf("diverges from a rate of %.4f on without momentum, of %.4f with 0.9\n", zero, nine);
    double x = 0, m = 0, y = 0;
    for (int t = 0; t < 1000; t++) {      /* a gradient that stays 1 */
        m = 0.9 * m + 1;
        x += 0.01 * m;
        y += 0.01;
    }
    double sgd_ratio = first_step(1000, 0) / first_step(1, 0), adam_ratio = first_step(1000, 1) / first_step(1, 1);
    printf("1,000 steps of the same gradient: momentum 0.9 goes %.2f times as far\n", x / y);
    printf("a gradient 1,000 times as large: SGD's first step is %.0f times as long, Adam's %.2f times\n", sgd_ratio, adam_ratio);
    printf("{\"plain\": %d, \"fast\": %d, \"over\": %d, \"usual\": %d, \"tuned\": %d, \"limit\": %.6f, \"limit_nine\": %.6f, \"further\": %.4f, \"sgd\": %.4f, \"adam\": %.6f}\n", plain,
           fast, over, usual, tuned, zero, nine, x / y, sgd_ratio, adam_ratio);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "descent")) {
        descent();
        return 0;
    }
    float *p = floats(), *g = floats(), *m = floats(), *v = floats(), *t = floats(), *u = floats();
    if (!strcmp(what, "sgd"))
        sgd(p, g, 0.01f);
    else if (!strcmp(what, "momentum"))
        momentum(p, g, m, 0.01f, 0.9f);
    else if (!strcmp(what, "adam"))
        adam(p, g, m, v, 0.001f, 0.9f, 0.999f, 1e-8f, 0.1f, 0.0316f);
    else if (!strcmp(what, "passes"))
        passes(p, g, m, v, t, u, 0.001f, 0.9f, 0.999f, 1e-8f, 0.1f, 0.0316f);
    else if (!strcmp(what, "clip"))
        clip(g, 1);
    else if (!strcmp(what, "add"))
        add(g, m);
    else
        return 2;
    printf("%g\n", (double)(p[1] + g[1] + m[1] + v[1] + t[1] + u[1]));
    return 0;
}
