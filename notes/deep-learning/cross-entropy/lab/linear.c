/* The last layer of a language model with its loss, forward and backward, in five ways.
 *
 * Counts, for the arrays that have a number for each token and each word: bytes read and written,
 * the most that are alive at once, and the multiply-adds of the products. Compares the gradients.
 * Inputs, weights, and the two gradients that come out, are not counted: each way has them.
 *
 * usage: linear TOKENS WORDS WIDTH CHUNK
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t n, v, h, chunk;
static float *x, *w, *dx, *dw;   /* hidden states n*h, output matrix v*h, and their gradients */
static size_t *target;
static double loss;

static size_t alive, peak, reads, writes, products;

static float *take(size_t rows)      /* an array of rows * v numbers */
{
    float *p = calloc(rows * v, sizeof *p);
    if (!p)
        exit(1);
    alive += rows * v * sizeof *p;
    if (alive > peak)
        peak = alive;
    return p;
}

static void give(float *p, size_t rows)
{
    free(p);
    alive -= rows * v * sizeof *p;
}

static float get(const float *p) { reads += sizeof *p; return *p; }
static void put(float *p, float value) { writes += sizeof *p; *p = value; }

/* logits = x w^T for the tokens from `from` on */
static void forward(float *logits, size_t from, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < v; j++) {
            float sum = 0;
            for (size_t k = 0; k < h; k++)
                sum += x[(from + i) * h + k] * w[j * h + k];
            put(&logits[i * v + j], sum);
        }
    products += rows * v * h;
}

/* dx = g w, dw += g^T x; two products, each of which reads g once */
static void backward(const float *g, size_t from, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < v; j++) {
            float value = get(&g[i * v + j]);
            for (size_t k = 0; k < h; k++)
                dx[(from + i) * h + k] += value * w[j * h + k];
        }
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < v; j++) {
            float value = get(&g[i * v + j]);
            for (size_t k = 0; k < h; k++)
                dw[j * h + k] += value * x[(from + i) * h + k];
        }
    products += 2 * rows * v * h;
}

/* Log-sum-exp of a row in one read: the sum is corrected when the maximum rises. */
static float online(const float *row)
{
    float most = -INFINITY, sum = 0;
    for (size_t j = 0; j < v; j++) {
        float value = get(&row[j]);
        if (value > most) {
            sum = sum * expf(most - value) + 1;
            most = value;
        } else
            sum += expf(value - most);
    }
    return most + logf(sum);
}

/* The gradient of the mean loss with respect to the logits, over the logits themselves. */
static void in_place(float *row, float lse, size_t right)
{
    for (size_t j = 0; j < v; j++)
        put(&row[j], (expf(get(&row[j]) - lse) - (j == right)) / n);
}

/* The backward pass of both: of the choice, mostly zeros, then of log-softmax. */
static void gradient(float *dlogits, float *g, const float *logp)
{
    for (size_t i = 0; i < n * v; i++)
        put(&g[i], i % v == target[i / v] ? -1.0f / n : 0);
    for (size_t i = 0; i < n; i++) {
        float total = 0;
        for (size_t j = 0; j < v; j++)
            total += get(&g[i * v + j]);
        for (size_t j = 0; j < v; j++)
            put(&dlogits[i * v + j], get(&g[i * v + j]) - expf(get(&logp[i * v + j])) * total);
    }
}

/* An operator for each step; the backward pass in two. */
static void steps(void)
{
    float *logits = take(n);
    forward(logits, 0, n);
    float *most = malloc(n * sizeof *most), *sum = calloc(n, sizeof *sum);
    for (size_t i = 0; i < n; i++) {
        most[i] = -INFINITY;
        for (size_t j = 0; j < v; j++)
            most[i] = fmaxf(most[i], get(&logits[i * v + j]));
    }
    float *less = take(n), *power = take(n), *logp = take(n);
    for (size_t i = 0; i < n * v; i++)
        put(&less[i], get(&logits[i]) - most[i / v]);
    for (size_t i = 0; i < n * v; i++)
        put(&power[i], expf(get(&less[i])));
    for (size_t i = 0; i < n * v; i++)
        sum[i / v] += get(&power[i]);
    for (size_t i = 0; i < n * v; i++)
        put(&logp[i], get(&less[i]) - logf(sum[i / v]));
    for (size_t i = 0; i < n; i++)
        loss -= get(&logp[i * v + target[i]]) / n;
    give(less, n);
    give(power, n);
    float *g = take(n), *dlogits = take(n);
    gradient(dlogits, g, logp);
    backward(dlogits, 0, n);
    give(logits, n), give(logp, n), give(g, n), give(dlogits, n);
    free(most), free(sum);
}

/* Log-softmax in one operator, the choice of the target's in another, as in PyTorch. */
static void pair(void)
{
    float *logits = take(n);
    forward(logits, 0, n);
    float *logp = take(n);
    for (size_t i = 0; i < n; i++) {
        float lse = online(&logits[i * v]);
        for (size_t j = 0; j < v; j++)
            put(&logp[i * v + j], get(&logits[i * v + j]) - lse);
        loss -= get(&logp[i * v + target[i]]) / n;
    }
    float *g = take(n), *dlogits = take(n);
    gradient(dlogits, g, logp);
    backward(dlogits, 0, n);
    give(logits, n), give(logp, n), give(g, n), give(dlogits, n);
}

/* One loop for the loss, one for its gradient. */
static void fused(void)
{
    float *logits = take(n), *lse = malloc(n * sizeof *lse);
    forward(logits, 0, n);
    for (size_t i = 0; i < n; i++) {
        lse[i] = online(&logits[i * v]);
        loss += (lse[i] - get(&logits[i * v + target[i]])) / n;
    }
    for (size_t i = 0; i < n; i++)
        in_place(&logits[i * v], lse[i], target[i]);
    backward(logits, 0, n);
    give(logits, n), free(lse);
}

/* The product too: some tokens at a time, and their gradients at once. */
static void chunked(void)
{
    float *logits = take(chunk);
    for (size_t from = 0; from < n; from += chunk) {
        size_t rows = n - from < chunk ? n - from : chunk;
        forward(logits, from, rows);
        for (size_t i = 0; i < rows; i++) {
            float *row = &logits[i * v], lse = online(row);
            loss += (lse - get(&row[target[from + i]])) / n;
            in_place(row, lse, target[from + i]);
        }
        backward(logits, from, rows);
    }
    give(logits, chunk);
}

/* Some tokens at a time, and the logits again in a backward pass that comes later. */
static void recomputed(void)
{
    float *logits = take(chunk), *lse = malloc(n * sizeof *lse);
    for (int pass = 0; pass < 2; pass++)
        for (size_t from = 0; from < n; from += chunk) {
            size_t rows = n - from < chunk ? n - from : chunk;
            forward(logits, from, rows);
            for (size_t i = 0; i < rows; i++) {
                float *row = &logits[i * v];
                if (pass)
                    in_place(row, lse[from + i], target[from + i]);
                else {
                    lse[from + i] = online(row);
                    loss += (lse[from + i] - get(&row[target[from + i]])) / n;
                }
            }
            if (pass)
                backward(logits, from, rows);
        }
    give(logits, chunk), free(lse);
}

static float *normal(size_t count)
{
    float *p = malloc(count * sizeof *p);
    for (size_t i = 0; i < count; i++) {
        p[i] = 0;
        for (int k = 0; k < 12; k++)
            p[i] += (float)rand() / RAND_MAX - 0.5f;
        p[i] /= sqrtf((float)h);
    }
    return p;
}

static double difference(const float *a, const float *b, size_t count)
{
    double apart = 0, size = 0;
    for (size_t i = 0; i < count; i++)
        apart += pow(a[i] - b[i], 2), size += pow(b[i], 2);
    return sqrt(apart / size);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    n = atoi(argv[1]), v = atoi(argv[2]), h = atoi(argv[3]), chunk = atoi(argv[4]);
    srand(1);
    x = normal(n * h), w = normal(v * h);
    for (size_t i = 0; i < v * h; i++)
        w[i] *= sqrtf((float)h) * 2;              /* logits with a deviation of about 2 */
    target = malloc(n * sizeof *target);
    for (size_t i = 0; i < n; i++)
        target[i] = (size_t)rand() % v;
    dx = malloc(n * h * sizeof *dx), dw = malloc(v * h * sizeof *dw);
    float *first_dx = malloc(n * h * sizeof *dx), *first_dw = malloc(v * h * sizeof *dw);

    struct { const char *name, *key; void (*run)(void); } ways[] = {
        {"one operator per step", "steps", steps},
        {"log-softmax, then choice", "pair", pair},
        {"fused loss", "fused", fused},
        {"fused with the product", "chunked", chunked},
        {"the same, computed again", "recomputed", recomputed},
    };
    printf("%zu tokens, %zu words, width %zu, %zu tokens at a time\n", n, v, h, chunk);
    printf("%-26s%10s%8s%8s%10s%12s\n", "way", "most alive", "read", "written", "products", "difference");
    size_t logits = n * v * sizeof(float);
    char json[2000] = "{";
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        alive = peak = reads = writes = products = 0, loss = 0;
        memset(dx, 0, n * h * sizeof *dx), memset(dw, 0, v * h * sizeof *dw);
        ways[i].run();
        if (!i)
            memcpy(first_dx, dx, n * h * sizeof *dx), memcpy(first_dw, dw, v * h * sizeof *dw);
        double apart = fmax(difference(dx, first_dx, n * h), difference(dw, first_dw, v * h));
        printf("%-26s%10.2f%8.2f%8.2f%10zu%12.1e\n", ways[i].name, (double)peak / logits,
               (double)reads / logits, (double)writes / logits, products / (n * v * h), apart);
        sprintf(json + strlen(json),
                "%s\"%s_peak\": %zu, \"%s_reads\": %zu, \"%s_writes\": %zu, \"%s_products\": %zu, \"%s_apart\": %.3g",
                i ? ", " : "", ways[i].key, peak, ways[i].key, reads, ways[i].key, writes, ways[i].key,
                products / (n * v * h), ways[i].key, apart);
    }
    /* For comparison, the gradients if one target of them all is wrong. */
    target[0] = (target[0] + 1) % v;
    memset(dx, 0, n * h * sizeof *dx), memset(dw, 0, v * h * sizeof *dw);
    fused();
    double wrong = fmax(difference(dx, first_dx, n * h), difference(dw, first_dw, v * h));
    printf("columns 2 to 4 in units of the logits, %zu bytes\n", logits);
    printf("%s, \"wrong_apart\": %.3g, \"logits\": %zu}\n", json, wrong, logits);
    return 0;
}
