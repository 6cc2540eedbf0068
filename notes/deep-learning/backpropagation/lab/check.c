/* Compares the backward pass with finite differences over steps h. Compiled once with float and once with double. */
#include "network.h"

enum { ROWS = 8, IN = 12, HIDDEN = 16, OUT = 5 };
static network n;
static real x[ROWS * IN];
static int classes[ROWS];

/* The error of the difference quotients of all weights: the root of the sum of squares, relative to the gradient's.
   `fault` multiplies the gradient of the second layer, as a forgotten factor would. */
static double error(double h, int central, double fault, long *outside)
{
    double off = 0, size = 0;
    for (int i = 0; i < n.count; i++) {
        layer *l = &n.layer[i];
        for (long j = 0; j < (long)l->in * l->out; j++) {
            real before = l->w[j];
            volatile real up = before + (real)h, down = central ? before - (real)h : before;
            l->w[j] = up;
            double high = (double)forward(&n, x, classes);
            l->w[j] = down;
            double low = (double)forward(&n, x, classes);
            l->w[j] = before;
            double quotient = (high - low) / (central ? 2 * h : h);
            double exact = (double)l->dw[j] * (i == 1 ? fault : 1);
            off += (quotient - exact) * (quotient - exact);
            size += exact * exact;
            if (outside)      /* the tolerance of torch.autograd.gradcheck: atol 1e-5, rtol 1e-3 */
                *outside += !(fabs(exact - quotient) <= 1e-5 + 1e-3 * fabs(quotient));
        }
    }
    return sqrt(off / size);
}

int main(int argc, char **argv)
{
    int relu = argc > 1 && !strcmp(argv[1], "relu");
    const int sizes[] = {IN, HIDDEN, HIDDEN, OUT};
    build(&n, ROWS, relu ? RELU : TANH, 3, sizes, relu ? 1.4142 : 1);
    data(x, classes, ROWS, IN, OUT);
    forward(&n, x, classes);
    backward(&n, classes, 0);
    long weights = IN * HIDDEN + HIDDEN * HIDDEN + HIDDEN * OUT;

    static char json[4096];
    int used = snprintf(json, sizeof json, "{\"weights\": %ld", weights);
    double best[2] = {1e9, 1e9};
    int at[2] = {0, 0};
    printf("%6s%14s%14s%20s\n", "h", "one-sided", "central", "central, a fault");
    double power = 1;
    for (int k = 1; k <= (sizeof(real) == 4 ? 7 : 12); k++) {
        power *= 10;
        double h = 1 / power, e[2], faulty = error(h, 1, 1.01, NULL);
        for (int central = 0; central < 2; central++) {
            e[central] = error(h, central, 1, NULL);
            if (e[central] < best[central])
                best[central] = e[central], at[central] = k;
            used += snprintf(json + used, sizeof json - (size_t)used, ", \"%s_%d\": %.4e", central ? "central" : "one", k, e[central]);
        }
        used += snprintf(json + used, sizeof json - (size_t)used, ", \"fault_%d\": %.4e", k, faulty);
        printf("%4s%-3d%13.1e%14.1e%20.1e\n", "1e-", k, e[0], e[1], faulty);
    }
    long outside = 0;
    error(1e-6, 1, 1, &outside);
    printf("%ld of %ld weights are outside of gradcheck's tolerance at its step, 1e-6\n", outside, weights);
    printf("%s, \"best_one\": %.4e, \"best_central\": %.4e, \"at_one\": %d, \"at_central\": %d, \"outside\": %ld}\n", json, best[0], best[1], at[0], at[1], outside);
    return 0;
}
