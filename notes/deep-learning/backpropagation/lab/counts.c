/* Counts the multiply-adds of both passes, and finds out what the backward pass reads.

   usage: counts products | kept | accumulate */
#include "network.h"

static void totals(network *n, long *forward_sum, long *weights, long *inputs)
{
    *forward_sum = *weights = *inputs = 0;
    for (int i = 0; i < n->count; i++) {
        *forward_sum += n->layer[i].forward;
        *weights += n->layer[i].for_weights;
        *inputs += n->layer[i].for_inputs;
    }
}

/* One step of a network; returns backward over forward. `trained` has a letter for each layer: t trained, f frozen. */
static double step(network *n, int rows, int count, const int *sizes, const char *trained, int inputs)
{
    build(n, rows, RELU, count, sizes, 1.4142);
    real *x = reals((long)rows * sizes[0]);
    int classes[256];
    data(x, classes, rows, sizes[0], sizes[count]);
    for (int i = 0; i < count; i++)
        n->layer[i].frozen = trained && trained[i] == 'f';
    forward(n, x, classes);
    backward(n, classes, inputs);
    long f, w, d;
    totals(n, &f, &w, &d);
    return (double)(w + d) / (double)f;
}

static void products(void)
{
    static network n;
    const int digits[] = {784, 256, 256, 10};
    double mnist = step(&n, 32, 3, digits, NULL, 0);
    printf("%-22s%11s%13s%12s%10s\n", "layer", "forward", "for weights", "for inputs", "backward");
    long f, w, d;
    for (int i = 0; i < n.count; i++) {
        layer *l = &n.layer[i];
        printf("%d: %4d to %-11d%11ld%13ld%12ld%9.2fx\n", i + 1, l->in, l->out, l->forward, l->for_weights, l->for_inputs,
               (double)(l->for_weights + l->for_inputs) / (double)l->forward);
    }
    totals(&n, &f, &w, &d);
    printf("%-22s%11ld%13ld%12ld%9.2fx\n", "together", f, w, d, mnist);
    long formula = 0;
    for (int i = 0; i < n.count; i++)
        formula += 32L * n.layer[i].in * n.layer[i].out;

    int deep[26];
    for (int i = 0; i < 26; i++)
        deep[i] = 64;
    printf("\n%-48s%10s\n", "layers of 64 to 64, 32 rows", "backward");
    double one = step(&n, 32, 1, deep, NULL, 0), four = step(&n, 32, 4, deep, NULL, 0), many = step(&n, 32, 24, deep, NULL, 0);
    printf("%-48s%9.2fx\n%-48s%9.2fx\n%-48s%9.2fx\n", "1 layer", one, "4 layers", four, "24 layers", many);
    double with = step(&n, 32, 24, deep, NULL, 1);
    printf("%-48s%9.2fx\n", "24 layers, gradient of the input wanted too", with);
    double head = step(&n, 32, 24, deep, "ffffffffffffffffffffffft", 0);
    printf("%-48s%9.2fx\n", "24 layers, all but the last frozen", head);
    double half = step(&n, 32, 24, deep, "fffffffffffftttttttttttt", 0);
    printf("%-48s%9.2fx\n", "24 layers, the lower half frozen", half);
    double upper = step(&n, 32, 24, deep, "ttttttttttttffffffffffff", 0);
    printf("%-48s%9.2fx\n", "24 layers, the upper half frozen", upper);
    double first = step(&n, 32, 24, deep, "tfffffffffffffffffffffff", 0);
    printf("%-48s%9.2fx\n", "24 layers, all but the first frozen", first);
    printf("{\"mnist\": %.9f, \"mnist_forward\": %ld, \"formula\": %ld, \"mnist_weights\": %ld, \"mnist_inputs\": %ld, \"one\": %.9f, "
           "\"four\": %.9f, \"many\": %.9f, \"wanted\": %.9f, \"head\": %.9f, \"half\": %.9f, \"upper\": %.9f, \"first\": %.9f}\n",
           mnist, f, formula, w, d, one, four, many, with, head, half, upper, first);
}

/* Prints of which layers' weight gradients all, some or no numbers are NaN. */
static void which_are_nan(const network *n)
{
    for (int k = 0; k < n->count; k++) {
        long nans = 0, all = (long)n->layer[k].in * n->layer[k].out;
        for (long j = 0; j < all; j++)
            nans += isnan((double)n->layer[k].dw[j]) != 0;
        printf("%s%s", k ? " " : "", nans == all ? "all" : nans ? "some" : "-");
    }
    printf("\n");
}

/* How many numbers of the gradients become NaN if one kept array is overwritten by NaN between the passes. */
static long poisoned(network *n, const real *x, const int *classes, real *array, long count)
{
    clear(n);
    forward(n, x, classes);
    for (long j = 0; j < count; j++)
        array[j] = (real)NAN;
    backward(n, classes, 0);
    long bad = 0;
    for (int i = 0; i < n->count; i++)
        for (long j = 0; j < (long)n->layer[i].in * n->layer[i].out; j++)
            bad += isnan((double)n->layer[i].dw[j]) != 0;
    return bad;
}

static void kept(void)
{
    static network n;
    enum { ROWS = 128 };
    const int sizes[] = {784, 256, 256, 10};
    build(&n, ROWS, TANH, 3, sizes, 1);
    real *x = reals(ROWS * 784L);
    int classes[ROWS];
    data(x, classes, ROWS, 784, 10);
    long parameters = 0, inputs = 0;
    printf("%-36s%9s%10s   %s\n", "overwritten between the passes", "numbers", "bytes", "gradients that become NaN, layer 1, 2, 3");
    long unread = 0, needed = 0;
    for (int i = 0; i < 3; i++) {
        layer *l = &n.layer[i];
        parameters += (long)l->in * l->out + l->out;
        for (int which = 0; which < 3; which++) {
            real *array = which == 0 ? l->x : which == 1 ? l->w : l->y;
            long count = which == 1 ? (long)l->in * l->out : (long)ROWS * (which ? l->out : l->in);
            real *copy = reals(count);
            memcpy(copy, array, sizeof(real) * (size_t)count);
            long bad = poisoned(&n, x, classes, array, count);
            char words[64];
            snprintf(words, sizeof words, "layer %d: %s", i + 1, which == 0 ? "its inputs" : which == 1 ? "its weights" : "before the activation");
            if (which == 2 && i == 2)
                snprintf(words, sizeof words, "layer 3: before the softmax");
            printf("%-36s%9ld%10ld   ", words, count, 4 * count);
            which_are_nan(&n);
            if (which == 0)
                inputs += count, needed += bad;
            if (which == 2)
                unread += bad;
            memcpy(array, copy, sizeof(real) * (size_t)count);
            free(copy);
        }
    }
    poisoned(&n, x, classes, n.out, ROWS * 10L);
    printf("%-36s%9d%10d   ", "the probabilities", ROWS * 10, 4 * ROWS * 10);
    which_are_nan(&n);
    inputs += ROWS * 10L;
    printf("kept for 128 rows in float32: %ld bytes; the parameters: %ld bytes\n", 4 * inputs, 4 * parameters);
    printf("rows from which more is kept than there are parameters: %ld\n", parameters / (inputs / ROWS) + 1);
    printf("{\"kept\": %ld, \"parameters\": %ld, \"unread\": %ld, \"needed\": %ld, \"rows\": %ld, \"row\": %ld}\n", 4 * inputs, 4 * parameters, unread, needed,
           parameters / (inputs / ROWS) + 1, 4 * inputs / ROWS);
}

/* The gradient of one batch of 96 rows against the sum over parts of it: the largest difference, of the largest entry. */
static double difference(const real *whole, const real *parts, long count)
{
    double off = 0, top = 0;
    for (long j = 0; j < count; j++) {
        off = fmax(off, fabs((double)(whole[j] - parts[j])));
        top = fmax(top, fabs((double)whole[j]));
    }
    return off / top;
}

static void accumulate(void)
{
    enum { ROWS = 96 };
    static network whole, part;
    const int sizes[] = {64, 64, 10};
    real *x = reals(ROWS * 64L), *w[2];
    int classes[ROWS];
    data(x, classes, ROWS, 64, 10);
    build(&whole, ROWS, TANH, 2, sizes, 1);
    w[0] = whole.layer[0].w, w[1] = whole.layer[1].w;
    forward(&whole, x, classes);
    backward(&whole, classes, 0);
    long f, g, d, fp, gp, dp, count = 64 * 64;
    totals(&whole, &f, &g, &d);

    const int equal[] = {24, 24, 24, 24}, ragged[] = {32, 32, 24, 8};
    double result[3];
    long macs = 0;
    for (int which = 0; which < 3; which++) {       /* equal parts; unequal ones, each a mean; unequal ones, weighted by rows */
        real *sum = reals(count);
        int start = 0;
        macs = 0;
        for (int k = 0; k < 4; k++) {
            int rows = which ? ragged[k] : equal[k];
            build(&part, rows, TANH, 2, sizes, 1);
            part.layer[0].w = w[0], part.layer[1].w = w[1];
            forward(&part, x + (long)start * 64, classes + start);
            backward(&part, classes + start, 0);
            double weight = which == 2 ? (double)rows / ROWS : 0.25;
            for (long j = 0; j < count; j++)
                sum[j] += (real)weight * part.layer[0].dw[j];
            totals(&part, &fp, &gp, &dp);
            macs += fp + gp + dp;
            start += rows;
        }
        result[which] = difference(whole.layer[0].dw, sum, count);
        free(sum);
    }
    printf("%-58s%10s\n", "96 rows in four parts, against one batch, first layer", "off by");
    printf("%-58s%10.1e\n%-58s%10.1e\n%-58s%10.1e\n", "4 x 24, a quarter of each", result[0], "32, 32, 24 and 8, a quarter of each", result[1],
           "32, 32, 24 and 8, by their share of the rows", result[2]);
    printf("multiply-adds: one batch %ld, four parts %ld\n", f + g + d, macs);
    printf("{\"equal\": %.3e, \"ragged\": %.9f, \"weighted\": %.3e, \"whole\": %ld, \"parts\": %ld}\n", result[0], result[1], result[2], f + g + d, macs);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    if (!strcmp(argv[1], "products"))
        products();
    else if (!strcmp(argv[1], "kept"))
        kept();
    else
        accumulate();
    return 0;
}
