/* The five loops of a matrix product, written plainly: C += A B, all by rows, in double.
 *
 *   ./anatomy check
 *       every variant on small products against a plain one; prints the numbers that differ,
 *       and the size of a number in bytes
 *   ./anatomy count packed|place M N K MC KC NC PAD
 *       one product by the scalar kernel, whose loads of A and B are functions of their own
 *   ./anatomy shape ROWSxCOLUMNS packed|place M N K MC KC NC PAD
 *       the same by a kernel that keeps ROWS times COLUMNS sums in vector registers
 *
 * PAD is added to the distance between rows, which is otherwise the power of two not below the width.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define APART __attribute__((noinline))

static void die(const char *message)
{
    fprintf(stderr, "anatomy: %s\n", message);
    exit(2);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Block sizes of the five loops, and whether blocks are copied. */
struct Plan {
    size_t mc, kc, nc;
    bool packed;
    bool forgets; /* the fault that the check must find: the last slice of k is left out */
};

struct Matrix {
    double *at;
    size_t rows, columns, apart; /* apart: numbers from one row to the next */
};

/* ---- packing: panels that lie in the order in which the kernel reads them ---- */

template <size_t MR> APART void pack_a(double *to, const double *a, size_t lda, size_t m, size_t k)
{
    for (size_t i = 0; i < m; i += MR)
        for (size_t p = 0; p < k; p++)
            for (size_t r = 0; r < MR; r++)
                *to++ = a[(i + r) * lda + p];
}

template <size_t NR> APART void pack_b(double *to, const double *b, size_t ldb, size_t k, size_t n)
{
    for (size_t j = 0; j < n; j += NR)
        for (size_t p = 0; p < k; p++)
            for (size_t c = 0; c < NR; c++)
                *to++ = b[p * ldb + j + c];
}

/* ---- the scalar kernel, 4 by 4; a profiler sees the loads of A, B and C apart ---- */

extern "C" APART void take_a(double *to, const double *a, size_t apart)
{
    for (size_t r = 0; r < 4; r++)
        to[r] = a[r * apart];
}

extern "C" APART void take_b(double *to, const double *b)
{
    for (size_t c = 0; c < 4; c++)
        to[c] = b[c];
}

extern "C" APART void add_to_c(double *c, size_t ldc, const double *sums)
{
    for (size_t r = 0; r < 4; r++)
        for (size_t s = 0; s < 4; s++)
            c[r * ldc + s] += sums[r * 4 + s];
}

struct Scalar {
    static const size_t MR = 4, NR = 4;
    /* A's rows are `row` apart and its columns `step`; B's rows are `down` apart. */
    static void run(size_t k, const double *a, size_t row, size_t step, const double *b, size_t down,
                    double *c, size_t ldc)
    {
        double sums[16] = {0}, left[4], top[4];
        for (size_t p = 0; p < k; p++) {
            take_a(left, a + p * step, row);
            take_b(top, b + p * down);
            for (size_t r = 0; r < 4; r++)
                for (size_t s = 0; s < 4; s++)
                    sums[r * 4 + s] += left[r] * top[s];
        }
        add_to_c(c, ldc, sums);
    }
};

/* ---- vector kernels: R rows of V vectors of four numbers ---- */

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

/* Where blocks are packed, the distances are known to the compiler. */
template <size_t R, size_t V, bool PACKED> struct Tile {
    static const size_t MR = R, NR = 4 * V;
    static APART void run(size_t k, const double *a, size_t row, size_t step, const double *b,
                          size_t down, double *c, size_t ldc)
    {
        if (PACKED) {
            row = 1;
            step = MR;
            down = NR;
        }
        Four sums[R][V];
#pragma GCC unroll 16
        for (size_t r = 0; r < R; r++)
#pragma GCC unroll 16
            for (size_t v = 0; v < V; v++)
                sums[r][v] = Four{0, 0, 0, 0};
        for (size_t p = 0; p < k; p++) {
            Four top[V];
#pragma GCC unroll 16
            for (size_t v = 0; v < V; v++)
                top[v] = *(const Four *)(b + 4 * v);
#pragma GCC unroll 16
            for (size_t r = 0; r < R; r++) {
                double x = a[r * row];
                Four left = {x, x, x, x};
#pragma GCC unroll 16
                for (size_t v = 0; v < V; v++)
                    sums[r][v] += left * top[v];
            }
            a += step;
            b += down;
        }
#pragma GCC unroll 16
        for (size_t r = 0; r < R; r++)
#pragma GCC unroll 16
            for (size_t v = 0; v < V; v++)
                *(Four *)(c + r * ldc + 4 * v) += sums[r][v];
    }
};

/* ---- the five loops ---- */

static double *room(size_t count)
{
    size_t bytes = (count * sizeof(double) + 4095) / 4096 * 4096;
    double *p = (double *)aligned_alloc(4096, bytes);
    if (!p)
        die("out of memory");
    memset(p, 0, bytes);
    return p;
}

template <class Kernel> void product(const Plan &plan, Matrix c, Matrix a, Matrix b)
{
    const size_t MR = Kernel::MR, NR = Kernel::NR;
    size_t m = a.rows, n = b.columns, k = a.columns;
    if (m % MR || n % NR || plan.mc % MR || plan.nc % NR)
        die("sizes are no multiples of the tile");
    double *block = room(plan.mc * plan.kc), *panel = room(plan.kc * plan.nc);
    size_t depths = plan.forgets ? k - 1 : k;
    for (size_t jc = 0; jc < n; jc += plan.nc) { /* loop 5: columns of B and C */
        size_t nc = least(plan.nc, n - jc);
        for (size_t pc = 0; pc < depths; pc += plan.kc) { /* loop 4: slices of k */
            size_t kc = least(plan.kc, depths - pc);
            const double *bs = b.at + pc * b.apart + jc;
            if (plan.packed)
                pack_b<NR>(panel, bs, b.apart, kc, nc);
            for (size_t ic = 0; ic < m; ic += plan.mc) { /* loop 3: rows of A and C */
                size_t mc = least(plan.mc, m - ic);
                const double *as = a.at + ic * a.apart + pc;
                if (plan.packed)
                    pack_a<MR>(block, as, a.apart, mc, kc);
                for (size_t jr = 0; jr < nc; jr += NR)     /* loop 2: micro-panels of B */
                    for (size_t ir = 0; ir < mc; ir += MR) { /* loop 1: micro-panels of A */
                        double *tile = c.at + (ic + ir) * c.apart + jc + jr;
                        if (plan.packed)
                            Kernel::run(kc, block + ir * kc, 1, MR, panel + jr * kc, NR, tile, c.apart);
                        else
                            Kernel::run(kc, as + ir * a.apart, a.apart, 1, bs + jr, b.apart, tile,
                                        c.apart);
                    }
            }
        }
    }
    free(block);
    free(panel);
}

/* ---- running ---- */

static Matrix matrix(size_t rows, size_t columns, size_t pad, unsigned seed)
{
    size_t apart = 1;
    while (apart < columns)
        apart *= 2;
    apart += pad;
    Matrix made = {room(rows * apart), rows, columns, apart};
    /* Small whole numbers: sums of products are exact in every order. */
    for (size_t i = 0; seed && i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            seed = seed * 1103515245u + 12345u;
            made.at[i * apart + j] = (double)((seed >> 16) % 17) - 8;
        }
    return made;
}

template <class Kernel> long wrong(const Plan &plan, size_t m, size_t n, size_t k, size_t pad)
{
    Matrix a = matrix(m, k, pad, 1), b = matrix(k, n, pad, 2), c = matrix(m, n, pad, 0);
    product<Kernel>(plan, c, a, b);
    long differ = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t p = 0; p < k; p++)
                sum += a.at[i * a.apart + p] * b.at[p * b.apart + j];
            differ += sum != c.at[i * c.apart + j];
        }
    free(a.at);
    free(b.at);
    free(c.at);
    return differ;
}

template <class Kernel> long checked(bool packed, bool forgets = false)
{
    long differ = 0;
    for (size_t pad = 0; pad < 16; pad += 8) {
        differ += wrong<Kernel>({48, 40, 48, packed, forgets}, 96, 144, 100, pad);
        differ += wrong<Kernel>({96, 200, 144, packed, forgets}, 48, 96, 100, pad);
    }
    return differ;
}

template <size_t R, size_t V> long both()
{
    return checked<Tile<R, V, true>>(true) + checked<Tile<R, V, false>>(false);
}

static size_t number(const char *text) { return strtoul(text, nullptr, 10); }

template <class Kernel> void once(char **args)
{
    Plan plan = {number(args[4]), number(args[5]), number(args[6]), !strcmp(args[0], "packed"), false};
    size_t m = number(args[1]), n = number(args[2]), k = number(args[3]), pad = number(args[7]);
    Matrix a = matrix(m, k, pad, 1), b = matrix(k, n, pad, 2), c = matrix(m, n, pad, 0);
    product<Kernel>(plan, c, a, b);
    printf("c[0][0] = %.0f\n", c.at[0]);
}

template <size_t R, size_t V> void either(char **args)
{
    if (!strcmp(args[0], "packed"))
        once<Tile<R, V, true>>(args);
    else
        once<Tile<R, V, false>>(args);
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "check")) {
        printf("{\"scalar\": [%ld], \"vector\": [%ld], \"forgets\": [%ld], \"number\": [%zu]}\n",
               checked<Scalar>(true) + checked<Scalar>(false),
               both<4, 1>() + both<4, 2>() + both<12, 1>() + both<6, 2>() + both<4, 3>() + both<8, 2>(),
               checked<Scalar>(true, true), sizeof(double));
    } else if (argc == 10 && !strcmp(argv[1], "count")) {
        once<Scalar>(argv + 2);
    } else if (argc == 11 && !strcmp(argv[1], "shape")) {
        const char *shape = argv[2];
        if (!strcmp(shape, "4x4"))
            either<4, 1>(argv + 3);
        else if (!strcmp(shape, "4x8"))
            either<4, 2>(argv + 3);
        else if (!strcmp(shape, "12x4"))
            either<12, 1>(argv + 3);
        else if (!strcmp(shape, "6x8"))
            either<6, 2>(argv + 3);
        else if (!strcmp(shape, "4x12"))
            either<4, 3>(argv + 3);
        else if (!strcmp(shape, "8x8"))
            either<8, 2>(argv + 3);
        else
            die("unknown shape");
    } else {
        die("usage: anatomy check | count … | shape …");
    }
    return 0;
}
