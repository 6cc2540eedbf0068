/* Transposes and multiplies square matrices: plain, in blocks, and by halves (cache-oblivious).
 *
 *   blocks count transpose plain|blocks|halves N B        once, for a cache simulator
 *   blocks count product plain|blocks|packed|halves N LD B
 *   blocks small|huge transpose N B              CPU seconds on pages of 4 KiB or 2 MiB, as JSON
 *   blocks small|huge product N LD B
 *
 * B is the side of a block; plain and halves take no notice of it.
 */
#define _DEFAULT_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { ROUNDS = 15, LEAF = 8, SCRATCH = 4 << 20, LARGEST_BLOCK = 512, HUGE_PAGE = 2 << 20 };
#define KERNEL __attribute__((noinline, noclone))

static volatile double sink;
static double packed[LARGEST_BLOCK * LARGEST_BLOCK] __attribute__((aligned(64)));

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

KERNEL void transpose_plain(uint32_t *to, const uint32_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            to[j * n + i] = from[i * n + j];
}

KERNEL void transpose_blocks(uint32_t *to, const uint32_t *from, size_t n, size_t b)
{
    for (size_t ii = 0; ii < n; ii += b)
        for (size_t jj = 0; jj < n; jj += b)
            for (size_t i = ii; i < least(ii + b, n); i++)
                for (size_t j = jj; j < least(jj + b, n); j++)
                    to[j * n + i] = from[i * n + j];
}

/* Halves the longer side. LEAF only keeps calls rare: it is no property of any cache. */
KERNEL void transpose_halves(uint32_t *to, const uint32_t *from, size_t n, size_t rows, size_t columns)
{
    if (rows <= LEAF && columns <= LEAF) {
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++)
                to[j * n + i] = from[i * n + j];
    } else if (rows >= columns) {
        size_t half = rows / 2;
        transpose_halves(to, from, n, half, columns);
        transpose_halves(to + half, from + half * n, n, rows - half, columns);
    } else {
        size_t half = columns / 2;
        transpose_halves(to, from, n, rows, half);
        transpose_halves(to + half * n, from + half, n, rows, columns - half);
    }
}

/* c += a * b; the innermost loop walks along rows. */
KERNEL void product_plain(double *c, const double *a, const double *b, size_t n, size_t ld)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                c[i * ld + j] += a[i * ld + k] * b[k * ld + j];
}

KERNEL void product_blocks(double *c, const double *a, const double *b, size_t n, size_t ld, size_t side)
{
    for (size_t kk = 0; kk < n; kk += side)
        for (size_t jj = 0; jj < n; jj += side)
            for (size_t i = 0; i < n; i++)
                for (size_t k = kk; k < least(kk + side, n); k++)
                    for (size_t j = jj; j < least(jj + side, n); j++)
                        c[i * ld + j] += a[i * ld + k] * b[k * ld + j];
}

/* The same, with each block of b copied to where its rows lie one behind the other. */
KERNEL void product_packed(double *c, const double *a, const double *b, size_t n, size_t ld, size_t side)
{
    for (size_t kk = 0; kk < n; kk += side)
        for (size_t jj = 0; jj < n; jj += side) {
            size_t height = least(side, n - kk), width = least(side, n - jj);
            for (size_t k = 0; k < height; k++)
                for (size_t j = 0; j < width; j++)
                    packed[k * width + j] = b[(kk + k) * ld + jj + j];
            for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < height; k++)
                    for (size_t j = 0; j < width; j++)
                        c[i * ld + jj + j] += a[i * ld + kk + k] * packed[k * width + j];
        }
}

KERNEL void product_halves(double *c, const double *a, const double *b, size_t ld, size_t rows,
                           size_t depth, size_t columns)
{
    if (rows <= LEAF && depth <= LEAF && columns <= LEAF) {
        for (size_t i = 0; i < rows; i++)
            for (size_t k = 0; k < depth; k++)
                for (size_t j = 0; j < columns; j++)
                    c[i * ld + j] += a[i * ld + k] * b[k * ld + j];
    } else if (rows >= depth && rows >= columns) {
        size_t half = rows / 2;
        product_halves(c, a, b, ld, half, depth, columns);
        product_halves(c + half * ld, a + half * ld, b, ld, rows - half, depth, columns);
    } else if (depth >= columns) {
        size_t half = depth / 2;
        product_halves(c, a, b, ld, rows, half, columns);
        product_halves(c, a + half, b + half * ld, ld, rows, depth - half, columns);
    } else {
        size_t half = columns / 2;
        product_halves(c, a, b, ld, rows, depth, half);
        product_halves(c + half, a, b + half, ld, rows, depth, columns - half);
    }
}

static void die(const char *message)
{
    fprintf(stderr, "blocks: %s\n", message);
    exit(2);
}

/* Zeroed; on huge pages only where they were asked for and the kernel grants them. */
static void *room(size_t bytes, int huge)
{
    size_t whole = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *p = aligned_alloc(HUGE_PAGE, whole);
    if (!p)
        die("out of memory");
    madvise(p, whole, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    memset(p, 0, bytes);
    return p;
}

/* Pushes everything else out of the simulated caches. */
static void evict(void)
{
    volatile char *scratch = room(SCRATCH, 0);
    for (size_t i = 0; i < SCRATCH; i += 64)
        scratch[i] = 1;
    free((void *)scratch);
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One problem with its matrices; `way` says how it is solved. */
struct job {
    int product, huge;
    size_t n, ld, side;
    uint32_t *from, *to;
    double *a, *b, *c;
};

static void solve(const struct job *j, const char *way)
{
    if (!j->product && !strcmp(way, "plain"))
        transpose_plain(j->to, j->from, j->n);
    else if (!j->product && !strcmp(way, "blocks"))
        transpose_blocks(j->to, j->from, j->n, j->side);
    else if (!j->product && !strcmp(way, "halves"))
        transpose_halves(j->to, j->from, j->n, j->n, j->n);
    else if (j->product && !strcmp(way, "plain"))
        product_plain(j->c, j->a, j->b, j->n, j->ld);
    else if (j->product && !strcmp(way, "blocks"))
        product_blocks(j->c, j->a, j->b, j->n, j->ld, j->side);
    else if (j->product && !strcmp(way, "packed"))
        product_packed(j->c, j->a, j->b, j->n, j->ld, j->side);
    else if (j->product && !strcmp(way, "halves"))
        product_halves(j->c, j->a, j->b, j->ld, j->n, j->n, j->n);
    else
        die("no such way");
}

static void prepare(struct job *j)
{
    if (j->product) {
        j->a = room(j->n * j->ld * sizeof(double), j->huge);
        j->b = room(j->n * j->ld * sizeof(double), j->huge);
        j->c = room(j->n * j->ld * sizeof(double), j->huge);
        for (size_t i = 0; i < j->n; i++)
            for (size_t k = 0; k < j->n; k++) {
                j->a[i * j->ld + k] = (double)((i + 2 * k) % 7);
                j->b[i * j->ld + k] = (double)((3 * i + k) % 5);
            }
    } else {
        j->from = room(j->n * j->n * sizeof(uint32_t), j->huge);
        j->to = room(j->n * j->n * sizeof(uint32_t), j->huge);
        for (size_t i = 0; i < j->n * j->n; i++)
            j->from[i] = (uint32_t)i;
    }
}

/* The numbers are small integers, so that sums are exact in any order. */
static void check(const struct job *j, double times)
{
    for (size_t i = 0; i < j->n; i++)
        for (size_t k = 0; k < j->n; k++) {
            if (!j->product && j->to[k * j->n + i] != (uint32_t)(i * j->n + k))
                die("wrong transpose");
            if (j->product && i % 37 == 0 && k % 41 == 0) {
                double sum = 0;
                for (size_t m = 0; m < j->n; m++)
                    sum += j->a[i * j->ld + m] * j->b[m * j->ld + k];
                if (j->c[i * j->ld + k] != times * sum)
                    die("wrong product");
            }
        }
    sink += j->product ? j->c[0] : j->to[0];
}

static void bench(const struct job *j)
{
    static const char *const names[] = {"plain", "blocks", "halves", "again"};
    static double seconds[4][ROUNDS];
    const int ways = 4;
    double solved = 0;
    for (int round = -1; round < ROUNDS; round++) /* round -1 warms up */
        for (int turn = 0; turn < ways; turn++) {
            int k = round % 2 ? ways - 1 - turn : turn;
            double begin = cpu_seconds();
            solve(j, k == 3 ? "plain" : names[k]);
            double end = cpu_seconds();
            solved++;
            if (round >= 0)
                seconds[k][round] = end - begin;
        }
    check(j, solved);
    for (int k = 0; k < ways; k++) {
        printf("%s\"%s\": [", k ? ", " : "{", names[k]);
        for (int round = 0; round < ROUNDS; round++)
            printf("%s%.9f", round ? ", " : "", seconds[k][round]);
        printf("]");
    }
    printf("}\n");
}

int main(int argc, char **argv)
{
    struct job j = {0};
    int counted = argc > 2 && !strcmp(argv[1], "count");
    j.huge = argc > 2 && !strcmp(argv[1], "huge");
    j.product = argc > 2 && !strcmp(argv[2], "product");
    if (argc != 5 + counted + j.product ||
        !(counted || j.huge || !strcmp(argv[1], "small")) ||
        !(j.product || !strcmp(argv[2], "transpose")))
        die("usage: blocks count transpose plain|blocks|halves N B | blocks count product "
            "plain|blocks|packed|halves N LD B | blocks small|huge transpose N B | blocks "
            "small|huge product N LD B");
    j.side = (size_t)atol(argv[argc - 1]);
    j.n = (size_t)atol(argv[argc - 2 - j.product]);
    j.ld = j.product ? (size_t)atol(argv[argc - 2]) : j.n;
    if (j.n < 2 || j.n > 16384 || j.ld < j.n || j.ld > 16384 || j.side < 1 ||
        j.side > LARGEST_BLOCK)
        die("N must lie between 2 and 16384, LD between N and 16384, B between 1 and 512");
    prepare(&j);
    if (counted) {
        evict();
        solve(&j, argv[3]);
        check(&j, 1);
    } else {
        bench(&j);
    }
    return 0;
}
