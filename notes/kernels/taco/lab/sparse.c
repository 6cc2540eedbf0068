/* Counts and times kernels that lattice.py writes into kernels.h, beside others that are written by hand.
   Built with -DCOUNT, steps of loops and comparisons of coordinates are counted; without, they cost nothing. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { int dim[3]; int *pos[3], *crd[3]; double *val; int nnz; } Tensor;

static long steps, compared, visits;    /* iterations of loops; comparisons of coordinates; uses of a workspace */
#ifdef COUNT
#define STEP() steps++
#define SAME(a, b) (compared++, (a) == (b))
#define MIN(a, b) (compared++, (a) < (b) ? (a) : (b))
#define VISIT() visits++
#else
#define STEP() (void)0
#define SAME(a, b) ((a) == (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define VISIT() (void)0
#endif

static int made, width, *out_row, *out_crd;    /* the result of a kernel: a list, or a dense array */
static double *out_val, *dense;
static inline void append(int i, int j, double v) { out_row[made] = i, out_crd[made] = j, out_val[made++] = v; }
static inline void into_row(int i, int j, double v) { (void)j, dense[i] += v; }
static inline void into_cell(int i, int j, double v) { dense[(size_t)i * width + j] += v; }
#include "kernels.h"

static void *get(size_t bytes) { void *p = calloc(bytes + 1, 1); if (!p) exit(3); return p; }
static uint64_t state;
static double chance(void) { state ^= state << 13, state ^= state >> 7, state ^= state << 17; return (state >> 11) * 0x1p-53; }

/* --- tensors from a map of which cells are non-zero ------------------------------------------------------- */
static unsigned char *cells(long n, double density, int seed) {
    unsigned char *m = get(n);
    state = 0x9e3779b97f4a7c15u * (seed + 1);
    for (long i = 0; i < n; i++) m[i] = chance() < density;
    return m;
}
/* Packs levels of which each is dense (d) or compressed (s); at is how many of them are done. */
static Tensor pack(const unsigned char *map, int levels, const int *dim, const char *fmt) {
    Tensor t = {{0}, {0}, {0}, NULL, 0};
    long total = 1, *here = get(sizeof(long)), count = 1;    /* prefixes of coordinates that this level has */
    for (int l = 0; l < levels; l++) total *= dim[l];
    long below = total;
    for (int l = 0; l < levels; l++) {
        t.dim[l] = dim[l], below /= dim[l];
        long *next = get(sizeof(long) * (size_t)count * dim[l]), found = 0;
        if (fmt[l] == 's') t.pos[l] = get(sizeof(int) * (count + 1)), t.crd[l] = get(sizeof(int) * count * dim[l]);
        for (long p = 0; p < count; p++)
            for (int i = 0; i < dim[l]; i++) {
                long prefix = here[p] * dim[l] + i;
                if (fmt[l] == 's' && !memchr(map + prefix * below, 1, below)) continue;
                if (fmt[l] == 's') t.crd[l][found] = i, t.pos[l][p + 1] = found + 1;
                next[found++] = prefix;
            }
        if (fmt[l] == 's') for (long p = 1; p <= count; p++) if (t.pos[l][p] < t.pos[l][p - 1]) t.pos[l][p] = t.pos[l][p - 1];
        free(here), here = next, count = found;
    }
    t.nnz = count, t.val = get(sizeof(double) * count);
    for (long p = 0; p < count; p++) t.val[p] = map[here[p]] ? here[p] % 7 + 1 : 0;
    free(here);
    return t;
}
static Tensor matrix(int n, double density, int seed, const char *fmt) {
    unsigned char *m = cells((long)n * n, density, seed);
    Tensor t = pack(m, 2, (int[]){n, n}, fmt);
    free(m);
    return t;
}
static Tensor vector(int n, double density, int seed, const char *fmt) {
    unsigned char *m = cells(n, density, seed);
    Tensor t = pack(m, 1, &n, fmt);
    free(m);
    return t;
}
static void drop(Tensor *t) { for (int l = 0; l < 3; l++) free(t->pos[l]), free(t->crd[l]); free(t->val); }

/* --- kernels by hand -------------------------------------------------------------------------------------- */
/* b * c: for each coordinate of b, doubling steps and then bisection in the rest of c. */
static __attribute__((noinline)) void gallop(const Tensor *b, const Tensor *c) {
    int lo = 0, end = c->nnz;
    for (int p = 0; p < b->nnz && lo < end; p++) {
        STEP();
        int i = b->crd[0][p], by = 1, hi = lo;
        while (hi < end && MIN(c->crd[0][hi], i) < i) lo = hi + 1, hi += by, by *= 2;
        if (hi > end) hi = end;
        while (lo < hi) {
            int mid = lo + (hi - lo) / 2;
            if (MIN(c->crd[0][mid], i) < i) lo = mid + 1;
            else hi = mid;
        }
        if (lo < end && SAME(c->crd[0][lo], i)) append(i, 0, b->val[p] * c->val[lo]);
    }
}
static int by_column(const void *a, const void *b) {
    if (*(const int *)a == *(const int *)b) return 0;
    return MIN(*(const int *)a, *(const int *)b) == *(const int *)a ? -1 : 1;
}
/* Sum of matrices in CSR by a workspace: a row of numbers, and a list of the columns that are in use. */
static __attribute__((noinline)) void workspace(const Tensor **ts, int count, int sorted) {
    int n = ts[0]->dim[1], *list = get(sizeof(int) * n), used = 0;
    char *seen = get(n);
    double *w = get(sizeof(double) * n);
    for (int i = 0; i < ts[0]->dim[0]; i++) {
        STEP();
        for (int t = 0; t < count; t++)
            for (int p = ts[t]->pos[1][i]; p < ts[t]->pos[1][i + 1]; p++) {
                int j = ts[t]->crd[1][p];
                STEP(), VISIT();
                if (!seen[j]) seen[j] = 1, list[used++] = j;
                w[j] += ts[t]->val[p];
            }
        if (sorted) qsort(list, used, sizeof(int), by_column);
        for (int u = 0; u < used; u++) {
            int j = list[u];
            STEP(), VISIT();
            append(i, j, w[j]);
            w[j] = 0, seen[j] = 0;
        }
        used = 0;
    }
    free(list), free(seen), free(w);
}
/* B + C for C stored by columns: each cell of a row is looked up by bisection in its column. */
static void add_by_search(const Tensor *b, const Tensor *c) {
    for (int i = 0; i < b->dim[0]; i++) {
        int p = b->pos[1][i], e = b->pos[1][i + 1];
        for (int j = 0; j < b->dim[1]; j++) {
            STEP();
            double v = 0;
            int lo = c->pos[1][j], end = c->pos[1][j + 1], hi = end, has = 0;
            while (lo < hi) {
                int mid = lo + (hi - lo) / 2;
                if (MIN(c->crd[1][mid], i) < i) lo = mid + 1;
                else hi = mid;
            }
            if (lo < end && SAME(c->crd[1][lo], i)) v += c->val[lo], has = 1;
            if (p < e && SAME(b->crd[1][p], j)) v += b->val[p++], has = 1;
            if (has) append(i, j, v);
        }
    }
}
/* The other order of storage, by counting: the entries twice, and the rows once. */
static Tensor transpose(const Tensor *c) {
    int n = c->dim[0], m = c->dim[1];
    Tensor t = {{m, n}, {NULL, get(sizeof(int) * (m + 1))}, {NULL, get(sizeof(int) * c->nnz)}, get(sizeof(double) * c->nnz), c->nnz};
    int *at = get(sizeof(int) * (m + 1));
    for (int p = 0; p < c->nnz; p++) { STEP(); t.pos[1][c->crd[1][p] + 1]++; }
    for (int j = 0; j < m; j++) { STEP(); t.pos[1][j + 1] += t.pos[1][j], at[j] = t.pos[1][j]; }
    for (int i = 0; i < n; i++) {
        STEP();
        for (int p = c->pos[1][i]; p < c->pos[1][i + 1]; p++) {
            STEP();
            int q = at[c->crd[1][p]]++;
            t.crd[1][q] = i, t.val[q] = c->val[p];
        }
    }
    free(at);
    return t;
}

/* --- what is printed -------------------------------------------------------------------------------------- */
static char json[20000] = "";
static void put(const char *a, const char *b, const char *c, double v) {
    sprintf(json + strlen(json), "%s\"%s%s%s\": %.15g", *json ? ", " : "{", a, b, c, v);
}
static void clear(void) { steps = compared = visits = 0, made = 0; }

static const char *NAME[] = {"01", "1", "10", "50", "100"};
static const double SHARE[] = {0.001, 0.01, 0.1, 0.5, 1};

static void vectors(void) {
    const int n = 100000;
    printf("two vectors of %d; each coordinate is non-zero with the given chance\n%21s%30s\n", n, "b + c", "b * c");
    printf("%-8s%9s%9s%12s%9s%9s%12s\n", "chance", "results", "steps", "compared", "results", "steps", "compared");
    for (int d = 0; d < 5; d++) {
        Tensor b = vector(n, SHARE[d], 1, "s"), c = vector(n, SHARE[d], 2, "s");
        clear(), vector_add(&b, &c);
        long as = steps, ac = compared, am = made;
        clear(), vector_mul(&b, &c);
        printf("%-8g%9ld%9ld%12ld%9d%9ld%12ld\n", SHARE[d], am, as, ac, made, steps, compared);
        put("add_steps_", NAME[d], "", as), put("add_compared_", NAME[d], "", ac), put("add_made_", NAME[d], "", am);
        put("mul_steps_", NAME[d], "", steps), put("mul_compared_", NAME[d], "", compared), put("mul_made_", NAME[d], "", made);
        drop(&b), drop(&c);
    }
    put("n", "", "", n);
}
static void skewed(void) {
    const int n = 100000;
    Tensor c = vector(n, 0.1, 2, "s"), full = vector(n, 0.1, 2, "d");
    printf("b * c, c with %d non-zeros of %d\n%-14s%8s%18s%18s%12s\n", c.nnz, n, "", "", "merge", "search", "c dense");
    printf("%-14s%8s%8s%10s%8s%10s%12s\n", "b non-zeros", "results", "steps", "compared", "steps", "compared", "steps");
    const double share[] = {0.0001, 0.001, 0.01, 0.1};
    const char *name[] = {"10", "100", "1000", "10000"};
    for (int d = 0; d < 4; d++) {
        Tensor b = vector(n, share[d], 5, "s");
        clear(), vector_mul(&b, &c);
        long ms = steps, mc = compared, mm = made;
        clear(), gallop(&b, &c);
        long gs = steps, gc = compared, gm = made;
        clear(), vector_look(&b, &full);
        printf("%-14d%8ld%8ld%10ld%8ld%10ld%12ld\n", b.nnz, mm, ms, mc, gs, gc, steps);
        if (gm != mm) exit(4);
        put("b_", name[d], "", b.nnz), put("merge_steps_", name[d], "", ms), put("merge_compared_", name[d], "", mc);
        put("gallop_compared_", name[d], "", gc), put("look_steps_", name[d], "", steps), put("look_compared_", name[d], "", compared);
        drop(&b);
    }
}
static void matrices(void) {
    const int n = 1000;
    printf("matrices of %d x %d; C sparse, D the same stored densely\n", n, n);
    printf("%-7s%9s%9s%9s%20s%20s%9s%12s\n", "", "", "B x", "B * D", "B * C", "B + C", "B + D", "B + C in a");
    printf("%-7s%9s%9s%9s%10s%10s%10s%10s%9s%12s\n", "chance", "entries", "steps", "steps", "steps", "compared", "steps", "compared", "steps", "workspace");
    dense = get(sizeof(double) * n);
    for (int d = 0; d < 5; d++) {
        Tensor b = matrix(n, SHARE[d], 1, "ds"), c = matrix(n, SHARE[d], 2, "ds"), full = matrix(n, SHARE[d], 2, "dd");
        Tensor x = vector(n, 1, 3, "d");
        long s[6], k[6];
        clear(), matvec(&b, &x), s[0] = steps, k[0] = compared;
        clear(), mul_dense(&b, &full), s[1] = steps, k[1] = compared;
        clear(), mul(&b, &c), s[2] = steps, k[2] = compared;
        clear(), add(&b, &c), s[3] = steps, k[3] = compared;
        clear(), add_dense(&b, &full), s[4] = steps, k[4] = compared;
        clear(), workspace((const Tensor *[]){&b, &c}, 2, 0), s[5] = steps, k[5] = compared;
        printf("%-7g%9d%9ld%9ld%10ld%10ld%10ld%10ld%9ld%12ld\n", SHARE[d], b.nnz, s[0], s[1], s[2], k[2], s[3], k[3], s[4], s[5]);
        const char *what[] = {"matvec", "mul_dense", "mul", "add", "add_dense", "space"};
        for (int w = 0; w < 6; w++) put(what[w], "_steps_", NAME[d], s[w]), put(what[w], "_compared_", NAME[d], k[w]);
        put("entries_", NAME[d], "", b.nnz);
        drop(&b), drop(&c), drop(&full), drop(&x);
    }
    put("cells", "", "", (double)n * n);
}
/* The list that a merge made, as a matrix in CSR. */
static Tensor from_list(int n) {
    Tensor t = {{n, n}, {NULL, get(sizeof(int) * (n + 1))}, {NULL, get(sizeof(int) * made)}, get(sizeof(double) * made), made};
    for (int r = 0; r < made; r++) t.pos[1][out_row[r] + 1]++, t.crd[1][r] = out_crd[r], t.val[r] = out_val[r];
    for (int i = 0; i < n; i++) t.pos[1][i + 1] += t.pos[1][i];
    return t;
}
static void operands(void) {
    const int n = 1000;
    Tensor t[4];
    const Tensor *p[] = {&t[0], &t[1], &t[2], &t[3]};
    printf("sum of matrices of %d x %d, 1%% non-zero; for each entry of the operands\n%-10s%14s%14s%12s%14s\n", n, n, "", "one merge", "in pairs", "workspace", "workspace");
    printf("%-10s%14s%14s%12s%14s\n", "operands", "comparisons", "comparisons", "visits", "sorting");
    long in = 0;
    for (int k = 0; k < 4; k++) {
        t[k] = matrix(n, 0.01, k + 1, "ds"), in += t[k].nnz;
        if (k == 0) continue;
        clear();
        if (k == 1) add(p[0], p[1]);
        if (k == 2) add3(p[0], p[1], p[2]);
        if (k == 3) add4(p[0], p[1], p[2], p[3]);
        double merge = (double)compared / in;
        int results = made;
        clear(), add(p[0], p[1]);
        if (k > 1) {    /* B + C first, then D, or D + E; the comparisons of all merges */
            Tensor low = from_list(n), high = t[2];
            if (k == 3) made = 0, add(p[2], p[3]), high = from_list(n);
            made = 0, add(&low, &high), drop(&low);
            if (k == 3) drop(&high);
        }
        double pairs = (double)compared / in;
        if (made != results) exit(4);
        clear(), workspace(p, k + 1, 1);
        if (made != results) exit(4);
        printf("%-10d%14.2f%14.2f%12.2f%14.2f\n", k + 1, merge, pairs, (double)visits / in, (double)compared / in);
        const char *name[] = {"", "2", "3", "4"};
        put("merge_", name[k], "", merge), put("pairs_", name[k], "", pairs), put("visits_", name[k], "", (double)visits / in), put("sorting_", name[k], "", (double)compared / in);
    }
}
static void order(void) {
    const int n = 400;
    printf("product of matrices of %d x %d, steps of loops\n%-8s%12s%12s%8s%17s\n", n, n, "chance", "i, j, k", "i, k, j", "ratio", "multiplications");
    width = n, dense = get(sizeof(double) * n * n);
    for (int d = 0; d < 5; d++) {
        Tensor b = matrix(n, SHARE[d], 1, "ds"), c = matrix(n, SHARE[d], 2, "ds"), ct = transpose(&c);
        clear(), memset(dense, 0, sizeof(double) * n * n), inner(&b, &ct);
        long is = steps;
        double *keep = get(sizeof(double) * n * n);
        memcpy(keep, dense, sizeof(double) * n * n);
        clear(), memset(dense, 0, sizeof(double) * n * n), by_rows(&b, &c);
        if (memcmp(keep, dense, sizeof(double) * n * n)) exit(4);
        long useful = 0;
        for (int p = 0; p < b.nnz; p++) useful += c.pos[1][b.crd[1][p] + 1] - c.pos[1][b.crd[1][p]];
        printf("%-8g%12ld%12ld%8.1f%17ld\n", SHARE[d], is, steps, (double)is / steps, useful);
        put("inner_", NAME[d], "", is), put("rows_", NAME[d], "", steps), put("useful_", NAME[d], "", useful);
        free(keep), drop(&b), drop(&c), drop(&ct);
    }
    const int m = 1000;
    const char *kind[] = {"", "full_"};
    for (int f = 0; f < 2; f++) {
        Tensor b = matrix(m, f ? 0.9 : 0.01, 1, "ds"), c = matrix(m, f ? 0.9 : 0.01, 2, "ds"), ct = transpose(&c);    /* ct: c by columns */
        clear(), add_by_search(&b, &ct);
        long ss = steps, sc = compared, sm = made;
        clear();
        Tensor back = transpose(&ct);
        add(&b, &back);
        if (made != sm) exit(4);
        if (f == 0) printf("\nB + C of %d x %d, chance 0.01, C stored by columns:\n%ld steps and %ld comparisons by search, %ld and %ld if C is transposed first\n", m, m, ss, sc, steps, compared);
        put(kind[f], "search_steps", "", ss), put(kind[f], "search_compared", "", sc), put(kind[f], "first_steps", "", steps), put(kind[f], "first_compared", "", compared);
        drop(&b), drop(&c), drop(&ct), drop(&back);
    }
}

/* --- bytes ------------------------------------------------------------------------------------------------ */
static double bytes_of(const Tensor *t, int levels, const char *fmt) {
    long count = 1, sum = 0;
    for (int l = 0; l < levels; l++)
        if (fmt[l] == 'd') count *= t->dim[l];
        else sum += 4 * (count + 1), count = t->pos[l][count], sum += 4 * count;
    return sum + 8.0 * count;
}
static void bytes(void) {
    const int m[2] = {4096, 4096}, q[3] = {256, 256, 256};
    const char *name[] = {"100", "1k", "10k", "100k", "1m"};
    const double share[] = {100, 1000, 10000, 100000, 1000000};
    printf("bytes for each entry of a matrix of 4096 x 4096, and of the same cells as 256 x 256 x 256\n");
    printf("%-10s%9s%9s%9s%12s%9s%9s\n", "entries", "COO", "CSR", "DCSR", "COO, 3", "CSF", "dss");
    for (int d = 0; d < 5; d++) {
        unsigned char *map = cells(1L << 24, share[d] / (1 << 24), 3);
        Tensor csr = pack(map, 2, m, "ds"), dcsr = pack(map, 2, m, "ss");
        Tensor sss = pack(map, 3, q, "sss"), dss = pack(map, 3, q, "dss"), dds = pack(map, 3, q, "dds");
        double nnz = csr.nnz;
        double v[] = {16 * nnz, bytes_of(&csr, 2, "ds"), bytes_of(&dcsr, 2, "ss"), 20 * nnz, bytes_of(&sss, 3, "sss"), bytes_of(&dss, 3, "dss"), bytes_of(&dds, 3, "dds")};
        const char *what[] = {"coo_", "csr_", "dcsr_", "coo3_", "sss_", "dss_", "dds_"};
        printf("%-10.0f", nnz);
        for (int w = 0; w < 6; w++) printf(w == 3 ? "%12.1f" : "%9.1f", v[w] / nnz);
        for (int w = 0; w < 7; w++) put(what[w], name[d], "", v[w]), put("per_", what[w], name[d], v[w] / nnz);
        puts("");
        put("nnz_", name[d], "", nnz), put("dense_", name[d], "", 8.0 * (1 << 24));
        drop(&csr), drop(&dcsr), drop(&sss), drop(&dss), drop(&dds), free(map);
    }
    puts("");
    const int n = 4096;
    Tensor b = matrix(n, 100.0 / n / n, 1, "ds"), c = matrix(n, 100.0 / n / n, 2, "ds"), br = matrix(n, 100.0 / n / n, 1, "ss"), cr = matrix(n, 100.0 / n / n, 2, "ss");
    clear(), add(&b, &c);
    long cs = steps, ck = compared;
    clear(), add_rows(&br, &cr);
    printf("B + C with %d and %d entries: %ld steps and %ld comparisons in CSR, %ld and %ld in DCSR\n", b.nnz, c.nnz, cs, ck, steps, compared);
    put("few_csr_steps", "", "", cs), put("few_csr_compared", "", "", ck), put("few_dcsr_steps", "", "", steps), put("few_dcsr_compared", "", "", compared);
    Tensor B = matrix(1000, 0.01, 1, "ss"), C = matrix(1000, 0.01, 2, "ss"), D = matrix(1000, 0.01, 1, "ds"), E = matrix(1000, 0.01, 2, "ds");
    clear(), add(&D, &E);
    put("many_csr_steps", "", "", steps), put("many_csr_compared", "", "", compared);
    clear(), add_rows(&B, &C);
    put("many_dcsr_steps", "", "", steps), put("many_dcsr_compared", "", "", compared);
}

/* --- are the results right? ------------------------------------------------------------------------------- */
static long differ(int n, const unsigned char *b, const unsigned char *c, int product) {
    long wrong = 0;
    double *got = get(sizeof(double) * n);
    for (int r = 0; r < made; r++) got[(long)out_row[r] * width + out_crd[r]] += out_val[r];
    for (int i = 0; i < n; i++) {
        double x = b[i] ? i % 7 + 1 : 0, y = c[i] ? i % 7 + 1 : 0;
        wrong += got[i] != (product ? x * y : x + y);
    }
    free(got);
    return wrong;
}
static void check(void) {
    const int n = 200;
    long wrong = 0, other = 0;
    for (int seed = 0; seed < 20; seed++) {
        double d = seed % 5 * 0.24 + 0.005;
        unsigned char *mb = cells(n * n, d, seed), *mc = cells(n * n, d, seed + 50);
        int dim[2] = {n, n}, all = n * n;
        Tensor b = pack(mb, 2, dim, "ds"), c = pack(mc, 2, dim, "ds"), br = pack(mb, 2, dim, "ss"), cr = pack(mc, 2, dim, "ss"), cd = pack(mc, 2, dim, "dd");
        Tensor vb = pack(mb, 1, &all, "s"), vc = pack(mc, 1, &all, "s"), vd = pack(mc, 1, &all, "d"), ct = transpose(&c);
        width = n;
        clear(), add(&b, &c), wrong += differ(all, mb, mc, 0), other += differ(all, mb, mc, 1);
        clear(), mul(&b, &c), wrong += differ(all, mb, mc, 1);
        clear(), add_dense(&b, &cd), wrong += differ(all, mb, mc, 0);
        clear(), mul_dense(&b, &cd), wrong += differ(all, mb, mc, 1);
        clear(), add_rows(&br, &cr), wrong += differ(all, mb, mc, 0);
        clear(), workspace((const Tensor *[]){&b, &c}, 2, 1), wrong += differ(all, mb, mc, 0);
        clear(), add_by_search(&b, &ct), wrong += differ(all, mb, mc, 0);
        width = 1;    /* vectors: the result has rows of one */
        clear(), vector_add(&vb, &vc), wrong += differ(all, mb, mc, 0);
        clear(), vector_full(&vb, &vd), wrong += differ(all, mb, mc, 0);
        clear(), vector_mul(&vb, &vc), wrong += differ(all, mb, mc, 1);
        clear(), vector_look(&vb, &vd), wrong += differ(all, mb, mc, 1);
        clear(), gallop(&vb, &vc), wrong += differ(all, mb, mc, 1);
        drop(&b), drop(&c), drop(&br), drop(&cr), drop(&cd), drop(&vb), drop(&vc), drop(&vd), drop(&ct), free(mb), free(mc);
    }
    printf("twelve kernels, twenty pairs of operands: %ld results differ\n", wrong);
    put("wrong", "", "", wrong), put("other", "", "", other);
}

/* --- time, and single kernels for Cachegrind -------------------------------------------------------------- */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}
static __attribute__((noinline)) void sum_dense(const double *restrict a, const double *restrict b, double *restrict c, int n) {
    for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}
static void timing(void) {
    enum { ROUNDS = 15, FORMS = 8, M = 1000 };
    static double took[FORMS][ROUNDS];
    const char *names[] = {"inner", "rows", "rows_again", "merge", "space", "space_sorted", "full", "merge_1"};
    Tensor b = matrix(400, 0.01, 1, "ds"), c = matrix(400, 0.01, 2, "ds"), ct = transpose(&c);
    Tensor d = matrix(M, 0.1, 1, "ds"), e = matrix(M, 0.1, 2, "ds"), d1 = matrix(M, 0.01, 1, "ds"), e1 = matrix(M, 0.01, 2, "ds");
    Tensor df = matrix(M, 0.1, 1, "dd"), ef = matrix(M, 0.1, 2, "dd");
    double *sum = get(sizeof(double) * M * M);
    width = 400, dense = get(sizeof(double) * 400 * 400);
    for (int r = -1; r < ROUNDS; r++)
        for (int f = 0; f < FORMS; f++) {
            double from = now();
            for (int k = 0; k < (f == 1 || f == 2 ? 50 : 1); k++) {
                clear();
                switch (f) {
                case 0: inner(&b, &ct); break;
                case 1: case 2: by_rows(&b, &c); break;
                case 3: add(&d, &e); break;
                case 4: workspace((const Tensor *[]){&d, &e}, 2, 0); break;
                case 5: workspace((const Tensor *[]){&d, &e}, 2, 1); break;
                case 6: sum_dense(df.val, ef.val, sum, M * M); break;
                case 7: add(&d1, &e1); break;
                }
            }
            if (r >= 0) took[f][r] = (now() - from) / (f == 1 || f == 2 ? 50 : 1);
        }
    for (int f = 0; f < FORMS; f++) {
        printf("%s\"%s\": [", f ? ", " : "{", names[f]);
        for (int r = 0; r < ROUNDS; r++) printf("%s%.9f", r ? ", " : "", took[f][r]);
        printf("]");
    }
    puts("}");
}
static void one(const char *kernel) {
    Tensor b = vector(100000, 0.1, 1, "s"), c = vector(100000, 0.1, strcmp(kernel, "same") ? 2 : 1, "s");
    if (!strcmp(kernel, "mul")) vector_mul(&b, &c);
    else vector_add(&b, &c);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    out_row = get(sizeof(int) * 2100000), out_crd = get(sizeof(int) * 2100000), out_val = get(sizeof(double) * 2100000);
    if (!strcmp(what, "time")) return timing(), 0;
    if (argc == 3 && !strcmp(what, "one")) return one(argv[2]), 0;
    if (!strcmp(what, "vectors")) vectors();
    else if (!strcmp(what, "skewed")) skewed();
    else if (!strcmp(what, "matrices")) matrices();
    else if (!strcmp(what, "operands")) operands();
    else if (!strcmp(what, "order")) order();
    else if (!strcmp(what, "bytes")) bytes();
    else if (!strcmp(what, "check")) check();
    else return 2;
    printf("%s}\n", json);
    return 0;
}
