/* The size of the gradient on its way down a chain of layers of the same width, and what clipping does.

   usage: chain depth | clip */
#define REAL float
#include "network.h"

enum { WIDTH = 64, ROWS = 16, DEPTH = 50 };
static char json[4096] = "{";
static int used = 1;

static float norm(const float *v, long count)
{
    double sum = 0;
    for (long j = 0; j < count; j++)
        sum += (double)v[j] * v[j];
    return (float)sqrt(sum);
}

/* Forward through DEPTH layers, then a random gradient of norm 1 back; its norm below each layer. */
static void one_chain(const char *words, const char *name, enum activation kind, double gain, int residual)
{
    static float w[DEPTH][WIDTH * WIDTH], a[DEPTH + 1][ROWS * WIDTH], f[DEPTH][ROWS * WIDTH];
    long count = ROWS * WIDTH;
    seed = 7;
    for (long j = 0; j < count; j++)
        a[0][j] = (float)normal();
    for (int i = 0; i < DEPTH; i++) {
        for (int j = 0; j < WIDTH * WIDTH; j++)
            w[i][j] = (float)(gain * normal() / sqrt(WIDTH));
        static float z[ROWS * WIDTH];
        memset(z, 0, sizeof z);
        product(z, a[i], WIDTH, 1, w[i], WIDTH, 1, ROWS, WIDTH, WIDTH);
        for (long j = 0; j < count; j++) {
            f[i][j] = activate(kind, z[j]);
            a[i + 1][j] = f[i][j] + (residual ? a[i][j] : 0);
        }
    }
    float *dy = reals(count);
    for (long j = 0; j < count; j++)
        dy[j] = (float)normal();
    float size = norm(dy, count);
    for (long j = 0; j < count; j++)
        dy[j] /= size;
    double below[DEPTH + 1];
    below[0] = norm(dy, count);
    for (int i = DEPTH - 1; i >= 0; i--) {
        float *dz = reals(count), *dx = reals(count);
        for (long j = 0; j < count; j++)
            dz[j] = dy[j] * slope(kind, f[i][j]);
        product(dx, dz, WIDTH, 1, w[i], 1, WIDTH, ROWS, WIDTH, WIDTH);
        if (residual)
            for (long j = 0; j < count; j++)
                dx[j] += dy[j];
        free(dz);
        free(dy);
        dy = dx;
        below[DEPTH - i] = norm(dy, count);
    }
    double factor = pow(below[DEPTH], 1.0 / DEPTH);
    printf("%-36s%11.1e%11.1e%11.1e%11.3f\n", words, below[10], below[25], below[50], factor);
    used += snprintf(json + used, sizeof json - (size_t)used, "%s\"%s_10\": %.5e, \"%s_25\": %.5e, \"%s\": %.5e, \"%s_factor\": %.6f", used > 1 ? ", " : "",
                     name, below[10], name, below[25], name, below[50], name, factor);
    free(dy);
}

/* How many times a gradient of 1 can be multiplied by a number until float32 has 0, infinity, or the same number again. */
static int until(float factor, float *last)
{
    volatile float g = 1, before = 0;
    int steps = 0;
    while (g != 0 && !isinf(g) && g != before)
        before = g, g *= factor, steps++;
    *last = g;
    return steps;
}

static void depth(void)
{
    printf("%-36s%11s%11s%11s%11s\n", "norm of the gradient, below layers", "10", "25", "50", "per layer");
    one_chain("no activation, deviation 0.9/sqrt(n)", "less", LINEAR, 0.9, 0);
    one_chain("no activation, deviation 1.1/sqrt(n)", "more", LINEAR, 1.1, 0);
    one_chain("ReLU, deviation 1/sqrt(n)", "relu_one", RELU, 1, 0);
    one_chain("ReLU, deviation sqrt(2/n)", "relu_two", RELU, sqrt(2), 0);
    one_chain("tanh, deviation 1/sqrt(n)", "tanh", TANH, 1, 0);
    one_chain("sigmoid, deviation 1/sqrt(n)", "sigmoid", SIGMOID, 1, 0);
    one_chain("x + ReLU(xW), deviation sqrt(2/n)", "residual", RELU, sqrt(2), 1);
    one_chain("x + ReLU(xW), that over sqrt(50)", "scaled", RELU, sqrt(2.0 / DEPTH), 1);
    float factors[] = {0.25f, 0.5f, 0.9f, 1.1f, 2}, last;
    const char *names[] = {"quarter", "halves", "nine", "eleven", "twice"};
    for (int i = 0; i < 5; i++) {
        int steps = until(factors[i], &last);
        printf("1 times %.4g again and again: %d times, until float32 has %.2g\n", factors[i], steps, last);
        used += snprintf(json + used, sizeof json - (size_t)used, ", \"%s\": %d", names[i], steps);
    }
    printf("%s}\n", json);
}

/* Clips a gradient with one large entry by its norm and by its values, and one with an infinite entry by its norm. */
static void clip(void)
{
    enum { COUNT = 1000 };
    float g[COUNT], by_norm[COUNT], by_value[COUNT];
    seed = 3;
    for (int j = 0; j < COUNT; j++)
        g[j] = (float)(0.01 * normal());
    g[0] = 100;
    float size = norm(g, COUNT), dot_norm = 0, dot_value = 0;
    for (int j = 0; j < COUNT; j++) {
        by_norm[j] = g[j] * (1 / size);
        by_value[j] = fmaxf(-0.1f, fminf(0.1f, g[j]));
        dot_norm += g[j] * by_norm[j];
        dot_value += g[j] * by_value[j];
    }
    float cos_norm = dot_norm / size / norm(by_norm, COUNT), cos_value = dot_value / size / norm(by_value, COUNT);
    printf("%-34s%9s%18s%18s\n", "1,000 entries, one of them 100", "norm", "cosine to before", "others multiplied");
    printf("%-34s%9.3f%18.3f%18.4f\n", "before", size, 1.0, 1.0);
    printf("%-34s%9.3f%18.3f%18.4f\n", "by norm, at most 1", norm(by_norm, COUNT), cos_norm, by_norm[5] / g[5]);
    printf("%-34s%9.3f%18.3f%18.4f\n", "by value, at most 0.1", norm(by_value, COUNT), cos_value, by_value[5] / g[5]);
    g[0] = INFINITY;
    size = norm(g, COUNT);
    int zeros = 0, nans = 0;
    for (int j = 0; j < COUNT; j++) {
        float scaled = g[j] * (1 / size);
        zeros += scaled == 0;
        nans += isnan(scaled) != 0;
    }
    printf("one of them infinite, by norm: %d entries become 0, and %d NaN\n", zeros, nans);
    printf("{\"before\": %.6f, \"cos_norm\": %.6f, \"cos_value\": %.6f, \"others\": %.6f, \"others_value\": %.6f, \"zeros\": %d, \"nans\": %d}\n", norm(g + 1, COUNT - 1), cos_norm, cos_value, by_norm[5] / g[5], by_value[5] / g[5], zeros, nans);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "clip"))
        clip();
    else
        depth();
    return 0;
}
