// Sparse MTTKRP by a list of coordinates (COO), by compressed fibres (CSF), and with the Khatri-Rao
// matrix written out. It counts bytes, multiplications, loads, and rows that several threads write.
//   ./csf show        the arrays of CSF for a tensor of nine values
//   ./csf bytes       bytes of COO and CSF at several densities
//   ./csf orders      the same tensor with its modes in each order
//   ./csf counts      multiplications and loads of the three ways
//   ./csf parallel    rows of the result that more than one thread writes
//   ./csf run WAY     one way alone, for Cachegrind: coo, csf, written or columns
// Each prints a table and, last, its numbers as JSON.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using u32 = uint32_t;
using u64 = uint64_t;
constexpr int R = 16;                  // columns of each factor: the rank
using Row = std::array<double, R>;
using Factor = std::vector<Row>;

static u64 state = 1;
static double uniform() {              // the same numbers on each machine
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 9007199254740992.0;
}

struct Coo {                           // index[mode][n] and value[n] of the n-th value
    std::vector<u32> size;
    std::vector<std::vector<u32>> index;
    std::vector<double> value;
    u64 count() const { return value.size(); }
    int modes() const { return (int)size.size(); }
};

struct Csf {                           // level 0 is the root, the last level holds the values
    std::vector<int> order;            // which mode is at which level
    std::vector<std::vector<u32>> id;  // id[level][node]: the index in that mode
    std::vector<std::vector<u32>> begin; // begin[level][node]: its first child, one level down
    std::vector<double> value;
    u64 nodes(int level) const { return id[level].size(); }
    int modes() const { return (int)order.size(); }
};

// Draws `count` different places, each as likely as any other.
static Coo draw(std::vector<u32> size, u64 count) {
    std::set<std::vector<u32>> places;
    std::vector<u32> at(size.size());
    while (places.size() < count) {
        for (size_t m = 0; m < size.size(); m++) at[m] = (u32)(uniform() * size[m]);
        places.insert(at);
    }
    Coo x;
    x.size = size;
    x.index.resize(size.size());
    for (const auto &p : places) {
        for (size_t m = 0; m < size.size(); m++) x.index[m].push_back(p[m]);
        x.value.push_back(2 * uniform() - 1);
    }
    return x;
}

static Coo sorted(const Coo &x, const std::vector<int> &order) {
    std::vector<u64> by(x.count());
    std::iota(by.begin(), by.end(), 0);
    std::sort(by.begin(), by.end(), [&](u64 a, u64 b) {
        for (int m : order)
            if (x.index[m][a] != x.index[m][b]) return x.index[m][a] < x.index[m][b];
        return false;
    });
    Coo y = x;
    for (u64 n = 0; n < by.size(); n++) {
        for (int m = 0; m < x.modes(); m++) y.index[m][n] = x.index[m][by[n]];
        y.value[n] = x.value[by[n]];
    }
    return y;
}

// A node begins wherever its index or that of a level above it changes.
static Csf compress(const Coo &coo, const std::vector<int> &order) {
    Coo x = sorted(coo, order);
    int levels = x.modes();
    Csf c;
    c.order = order;
    c.id.resize(levels);
    c.begin.resize(levels - 1);
    for (u64 n = 0; n < x.count(); n++) {
        bool starts = n == 0;
        for (int l = 0; l < levels; l++) {
            u32 here = x.index[order[l]][n];
            starts = starts || l == levels - 1 || here != x.index[order[l]][n - 1];
            if (!starts) continue;
            if (l + 1 < levels) c.begin[l].push_back((u32)c.id[l + 1].size());
            c.id[l].push_back(here);
        }
        c.value.push_back(x.value[n]);
    }
    for (int l = 0; l + 1 < levels; l++) c.begin[l].push_back((u32)c.nodes(l + 1));
    return c;
}

// Indices and positions of `width` bytes, values of eight.
static u64 bytes(const Coo &x, u64 width = 4) { return x.count() * (x.modes() * width + 8); }
static u64 bytes(const Csf &c, u64 width = 4) {
    u64 sum = c.value.size() * (width + 8);
    for (int l = 0; l + 1 < c.modes(); l++) sum += width * (c.nodes(l) + c.nodes(l) + 1);
    return sum;
}

// ---- the kernels --------------------------------------------------------------------------------

struct Tally { u64 multiplications = 0, factors = 0, tensor = 0, result = 0; };
static Tally tally;                    // factors, tensor, result: numbers loaded from each
#define COUNT(what, n) do { if constexpr (counting) tally.what += (n); } while (0)

// COO, for any mode of a tensor with three modes.
template <bool counting>
static inline void by_coo(const Coo &x, const std::vector<Factor> &f, int mode, Factor &out) {
    int one = mode == 0 ? 1 : 0, two = mode == 2 ? 1 : 2;
    for (u64 n = 0; n < x.count(); n++) {
        const double *__restrict b = f[one][x.index[one][n]].data();
        const double *__restrict c = f[two][x.index[two][n]].data();
        double *__restrict a = out[x.index[mode][n]].data();
        double v = x.value[n];
        for (int r = 0; r < R; r++) a[r] += v * b[r] * c[r];
        COUNT(multiplications, 2 * R);
        COUNT(factors, 2 * R);
        COUNT(tensor, 4);
        COUNT(result, R);
    }
}

// COO, for any number of modes; the result is that of mode 0.
template <bool counting>
void by_coo_any(const Coo &x, const std::vector<Factor> &f, Factor &out) {
    for (u64 n = 0; n < x.count(); n++) {
        Row product;
        product.fill(x.value[n]);
        for (int m = 1; m < x.modes(); m++) {
            for (int r = 0; r < R; r++) product[r] *= f[m][x.index[m][n]][r];
            COUNT(multiplications, R);
            COUNT(factors, R);
        }
        for (int r = 0; r < R; r++) out[x.index[0][n]][r] += product[r];
        COUNT(tensor, x.modes() + 1);
        COUNT(result, R);
    }
}

// CSF of three modes whose root is the mode of the result.
template <bool counting>
static inline void by_csf(const Csf &x, const Factor &middle, const Factor &leaf, Factor &out) {
    for (u32 i = 0; i < x.nodes(0); i++) {
        double *__restrict a = out[x.id[0][i]].data();
        COUNT(tensor, 2);
        for (u32 j = x.begin[0][i]; j < x.begin[0][i + 1]; j++) {
            Row sum{};
            for (u32 k = x.begin[1][j]; k < x.begin[1][j + 1]; k++) {
                const double *__restrict c = leaf[x.id[2][k]].data();
                double v = x.value[k];
                for (int r = 0; r < R; r++) sum[r] += v * c[r];
                COUNT(multiplications, R);
                COUNT(factors, R);
                COUNT(tensor, 2);
            }
            const double *__restrict b = middle[x.id[1][j]].data();
            for (int r = 0; r < R; r++) a[r] += sum[r] * b[r];
            COUNT(multiplications, R);
            COUNT(factors, R);
            COUNT(tensor, 2);
            COUNT(result, R);
        }
    }
}

// The same tensor for the mode of the middle level, and for that of the leaves.
template <bool counting>
void by_csf_middle(const Csf &x, const Factor &root, const Factor &leaf, Factor &out) {
    for (u32 i = 0; i < x.nodes(0); i++)
        for (u32 j = x.begin[0][i]; j < x.begin[0][i + 1]; j++) {
            Row sum{};
            for (u32 k = x.begin[1][j]; k < x.begin[1][j + 1]; k++) {
                for (int r = 0; r < R; r++) sum[r] += x.value[k] * leaf[x.id[2][k]][r];
                COUNT(multiplications, R);
            }
            for (int r = 0; r < R; r++) out[x.id[1][j]][r] += sum[r] * root[x.id[0][i]][r];
            COUNT(multiplications, R);
        }
}
template <bool counting>
void by_csf_leaf(const Csf &x, const Factor &root, const Factor &middle, Factor &out) {
    for (u32 i = 0; i < x.nodes(0); i++)
        for (u32 j = x.begin[0][i]; j < x.begin[0][i + 1]; j++) {
            Row product;
            for (int r = 0; r < R; r++) product[r] = root[x.id[0][i]][r] * middle[x.id[1][j]][r];
            COUNT(multiplications, R);
            for (u32 k = x.begin[1][j]; k < x.begin[1][j + 1]; k++) {
                for (int r = 0; r < R; r++) out[x.id[2][k]][r] += x.value[k] * product[r];
                COUNT(multiplications, R);
            }
        }
}

// CSF of any number of modes, root to leaves; what lies below a node, without the node's own factor.
template <bool counting>
Row below(const Csf &x, const std::vector<Factor> &f, int level, u32 node) {
    Row sum{};
    bool leaves = level + 2 == x.modes();
    for (u32 child = x.begin[level][node]; child < x.begin[level][node + 1]; child++) {
        const Row &factor = f[x.order[level + 1]][x.id[level + 1][child]];
        Row part;
        if (leaves) part.fill(x.value[child]);
        else part = below<counting>(x, f, level + 1, child);
        for (int r = 0; r < R; r++) sum[r] += part[r] * factor[r];
        COUNT(multiplications, R);
        COUNT(factors, R);
    }
    return sum;
}
template <bool counting>
void by_csf_any(const Csf &x, const std::vector<Factor> &f, Factor &out) {
    for (u32 i = 0; i < x.nodes(0); i++) out[x.id[0][i]] = below<counting>(x, f, 0, i);
}

// The Khatri-Rao matrix written out: a row for each pair (j, k), used or not.
template <bool counting>
static inline void write_out(const Factor &b, const Factor &c, Factor &pairs) {
    for (u64 j = 0; j < b.size(); j++)
        for (u64 k = 0; k < c.size(); k++)
            for (int r = 0; r < R; r++) pairs[j * c.size() + k][r] = b[j][r] * c[k][r];
    COUNT(multiplications, b.size() * c.size() * R);
    COUNT(factors, b.size() * (1 + c.size()) * R);
}
template <bool counting>
static inline void by_written(const Coo &x, const Factor &pairs, Factor &out) {
    for (u64 n = 0; n < x.count(); n++) {
        const double *__restrict p = pairs[(u64)x.index[1][n] * x.size[2] + x.index[2][n]].data();
        double *__restrict a = out[x.index[0][n]].data();
        double v = x.value[n];
        for (int r = 0; r < R; r++) a[r] += v * p[r];
        COUNT(multiplications, R);
        COUNT(factors, R);
        COUNT(tensor, 4);
        COUNT(result, R);
    }
}

// One column of the result after the other, as a chain of products of the tensor with vectors:
// the values are multiplied by a vector, mode by mode, and then added up by index.
template <bool counting>
static inline void by_columns(const Coo &x, const std::vector<std::vector<double>> &columns_b,
                                          const std::vector<std::vector<double>> &columns_c,
                                          std::vector<std::vector<double>> &out) {
    std::vector<double> w(x.count());
    for (int r = 0; r < R; r++) {
        for (u64 n = 0; n < x.count(); n++) w[n] = x.value[n] * columns_b[r][x.index[1][n]];
        for (u64 n = 0; n < x.count(); n++) w[n] = w[n] * columns_c[r][x.index[2][n]];
        for (u64 n = 0; n < x.count(); n++) out[r][x.index[0][n]] += w[n];
        COUNT(multiplications, 2 * x.count());
        COUNT(factors, 2 * x.count());
        COUNT(tensor, 6 * x.count());  // three indices, a value, and twice the numbers in between
        COUNT(result, x.count());
    }
}

static Factor factor(u32 rows) {
    Factor f(rows);
    for (Row &row : f) for (double &v : row) v = 2 * uniform() - 1;
    return f;
}
static std::vector<Factor> factors(const Coo &x) {
    std::vector<Factor> f;
    for (u32 s : x.size) f.push_back(factor(s));
    return f;
}
static std::vector<std::vector<double>> turned(const Factor &f) {
    std::vector<std::vector<double>> columns(R, std::vector<double>(f.size()));
    for (int r = 0; r < R; r++) for (u64 i = 0; i < f.size(); i++) columns[r][i] = f[i][r];
    return columns;
}

static double worst = 0;               // the largest difference from COO, relative to the largest number
static void compare(const Factor &a, const Factor &exact) {
    double off = 0, most = 0;
    for (u64 i = 0; i < a.size(); i++)
        for (int r = 0; r < R; r++) {
            off = std::max(off, std::fabs(a[i][r] - exact[i][r]));
            most = std::max(most, std::fabs(exact[i][r]));
        }
    worst = std::max(worst, off / most);
}

static std::string json = "{";
static void number(const std::string &name, double value) {
    char text[100];
    snprintf(text, sizeof text, "%s\"%s\": %.10g", json.size() > 1 ? ", " : "", name.c_str(), value);
    json += text;
}

// ---- show ---------------------------------------------------------------------------------------

static void show() {
    const u32 place[9][3] = {{0, 0, 1}, {0, 0, 2}, {0, 0, 5}, {0, 3, 0}, {0, 3, 4}, {2, 1, 1}, {2, 1, 2}, {2, 1, 3}, {2, 1, 5}};
    Coo x;
    x.size = {3, 4, 6};
    x.index.resize(3);
    for (int n = 0; n < 9; n++) {
        for (int m = 0; m < 3; m++) x.index[m].push_back(place[n][m]);
        x.value.push_back(n + 1);
    }
    Csf c = compress(x, {0, 1, 2});
    auto line = [](const char *name, const auto &numbers) {
        printf("%-9s", name);
        for (auto n : numbers) printf(" %g", (double)n);
        printf("\n");
    };
    line("COO i", x.index[0]);
    line("    j", x.index[1]);
    line("    k", x.index[2]);
    line("id[0]", c.id[0]);
    line("begin[0]", c.begin[0]);
    line("id[1]", c.id[1]);
    line("begin[1]", c.begin[1]);
    line("id[2]", c.id[2]);
    line("value", c.value);
    printf("COO %d bytes, CSF %d bytes\n", (int)bytes(x), (int)bytes(c));
    number("coo", (double)bytes(x));
    number("csf", (double)bytes(c));
    number("fibres", (double)c.nodes(1));
}

// ---- bytes --------------------------------------------------------------------------------------

static void bytes_of() {
    printf("bytes for each value, 32-bit indices     values  per fibre    COO    CSF  64-bit: COO    CSF   dense\n");
    struct Case { const char *id; std::vector<u32> size; u64 count; };
    const Case cases[] = {
        {"m3_1", {100, 200, 400}, 80}, {"m3_2", {100, 200, 400}, 800}, {"m3_3", {100, 200, 400}, 8000},
        {"m3_4", {100, 200, 400}, 80000}, {"m3_5", {100, 200, 400}, 800000},
        {"m4_1", {30, 40, 60, 100}, 72}, {"m4_2", {30, 40, 60, 100}, 720}, {"m4_3", {30, 40, 60, 100}, 7200},
        {"m4_4", {30, 40, 60, 100}, 72000}, {"m4_5", {30, 40, 60, 100}, 720000},
    };
    for (const Case &c : cases) {
        state = 5;
        Coo x = draw(c.size, c.count);
        std::vector<int> order(c.size.size());
        std::iota(order.begin(), order.end(), 0);
        Csf s = compress(x, order);
        double n = (double)x.count(), cells = 1;
        std::string words;
        for (u32 z : c.size) { cells *= z; words += (words.empty() ? "" : " x ") + std::to_string(z); }
        double fibre = n / (double)s.nodes(x.modes() - 2);
        printf("%-20s density %7.0e %10.0f %10.2f %6.1f %6.1f %12.1f %6.1f %7.0f\n", words.c_str(), n / cells, n, fibre,
               bytes(x) / n, bytes(s) / n, bytes(x, 8) / n, bytes(s, 8) / n, 8 * cells / n);
        std::string id = c.id;
        number(id + "_fibre", fibre);
        number(id + "_coo", bytes(x) / n);
        number(id + "_csf", bytes(s) / n);
        number(id + "_ratio", (double)bytes(s) / (double)bytes(x));
        number(id + "_wide", (double)bytes(s, 8) / (double)bytes(x, 8));
    }
}

// ---- orders -------------------------------------------------------------------------------------

static void orders_of(const Coo &x, const char *id, const char *words) {
    std::vector<Factor> f = factors(x);
    std::vector<int> order = {0, 1, 2};
    double least = 1e300, most = 0;
    printf("%s: %d values\n", words, (int)x.count());
    printf("root, middle, leaf   slices   fibres  values per fibre  bytes per value  multiplications\n");
    do {
        Csf c = compress(x, order);
        tally = {};
        Factor out(x.size[order[0]]), exact(x.size[order[0]]);
        by_csf<true>(c, f[order[1]], f[order[2]], out);
        by_coo<false>(x, f, order[0], exact);
        compare(out, exact);
        double b = (double)bytes(c) / (double)x.count();
        printf("%5u %6u %6u %9d %8d %17.2f %16.1f %16d\n", x.size[order[0]], x.size[order[1]], x.size[order[2]],
               (int)c.nodes(0), (int)c.nodes(1), (double)x.count() / (double)c.nodes(1), b, (int)tally.multiplications);
        least = std::min(least, b);
        most = std::max(most, b);
        std::string name = std::string(id) + "_" + std::to_string(order[0] + 1) + std::to_string(order[1] + 1) + std::to_string(order[2] + 1);
        number(name + "_bytes", b);
        number(name + "_fibres", (double)c.nodes(1));
        number(name + "_multiplications", (double)tally.multiplications);
    } while (std::next_permutation(order.begin(), order.end()));
    number(std::string(id) + "_least", least);
    number(std::string(id) + "_most", most);
}

static void orders() {
    state = 5;
    Coo even = draw({20, 300, 5000}, 100000);
    orders_of(even, "even", "values anywhere in 20 x 300 x 5000");
    // Each index of the third mode belongs to one of the second, as an article to a kind of goods.
    state = 5;
    Coo tied = draw({20, 2000, 5000}, 50000);
    for (u64 n = 0; n < tied.count(); n++) tied.index[1][n] = tied.index[2][n] % 2000;
    std::set<std::array<u32, 3>> seen;
    Coo once = tied;
    for (auto &i : once.index) i.clear();
    once.value.clear();
    for (u64 n = 0; n < tied.count(); n++)
        if (seen.insert({tied.index[0][n], tied.index[1][n], tied.index[2][n]}).second) {
            for (int m = 0; m < 3; m++) once.index[m].push_back(tied.index[m][n]);
            once.value.push_back(tied.value[n]);
        }
    orders_of(once, "tied", "20 x 2000 x 5000, each of the 5000 has one of the 2000");
    number("worst", worst);
}

// ---- counts -------------------------------------------------------------------------------------

static void counts() {
    printf("100 x 200 x 400, rank %d, result of mode 1: millions of\n", R);
    printf("  values  per fibre  way              multiplications   loads of factors  of the tensor  of the result  extra MB\n");
    for (u64 n : {800, 8000, 80000, 800000}) {
        state = 5;
        Coo x = draw({100, 200, 400}, n);
        Csf c = compress(x, {0, 1, 2});
        std::vector<Factor> f = factors(x);
        std::string id = "n" + std::to_string(n);
        Factor exact(100);
        auto report = [&](const char *way, const char *words, double extra) {
            printf("%8d %10.2f  %-16s %15.3f %18.3f %14.3f %14.3f %9.1f\n", (int)n, (double)n / (double)c.nodes(1), words,
                   tally.multiplications / 1e6, tally.factors / 1e6, tally.tensor / 1e6, tally.result / 1e6, extra / 1e6);
            number(id + "_" + way + "_multiplications", (double)tally.multiplications);
            number(id + "_" + way + "_loads", (double)(tally.factors + tally.tensor + tally.result));
            tally = {};
        };
        tally = {};
        by_coo<true>(x, f, 0, exact);
        report("coo", "COO", 0);
        Factor out(100);
        by_csf<true>(c, f[1], f[2], out);
        compare(out, exact);
        report("csf", "CSF", 0);
        Factor pairs(200 * 400), again(100);
        write_out<true>(f[1], f[2], pairs);
        by_written<true>(x, pairs, again);
        compare(again, exact);
        report("written", "written out", (double)(pairs.size() * sizeof(Row)));
        auto b = turned(f[1]), d = turned(f[2]);
        std::vector<std::vector<double>> columns(R, std::vector<double>(100));
        by_columns<true>(x, b, d, columns);
        Factor back(100);
        for (int r = 0; r < R; r++) for (int i = 0; i < 100; i++) back[i][r] = columns[r][i];
        compare(back, exact);
        report("columns", "column by column", (double)n * 8);
        number(id + "_fibres", (double)c.nodes(1));
    }
    // Four modes: what the format can save grows with the number of modes.
    state = 5;
    Coo x = draw({30, 40, 60, 100}, 720000);
    Csf c = compress(x, {0, 1, 2, 3});
    std::vector<Factor> f = factors(x);
    Factor exact(30), out(30);
    tally = {};
    by_coo_any<true>(x, f, exact);
    double coo = (double)tally.multiplications;
    tally = {};
    by_csf_any<true>(c, f, out);
    compare(out, exact);
    printf("four modes, 30 x 40 x 60 x 100, 720000 values: multiplications, COO of CSF: %.2f\n", coo / (double)tally.multiplications);
    number("four", coo / (double)tally.multiplications);
    number("pairs_bytes", 200 * 400 * sizeof(Row));
    number("worst", worst);
}

// ---- parallel -----------------------------------------------------------------------------------

// Cuts the roots into runs with about as many values each; returns the thread of each root.
static std::vector<int> cut(const Csf &c, int threads) {
    std::vector<int> of(c.nodes(0));
    u64 before = 0, all = c.value.size();
    for (u32 i = 0; i < c.nodes(0); i++) {
        of[i] = (int)std::min<u64>(threads - 1, before * threads / all);
        before += c.begin[1][c.begin[0][i + 1]] - c.begin[1][c.begin[0][i]];
    }
    return of;
}

struct Writers {                       // who writes which row of the result, and how often
    std::vector<std::vector<u64>> times; // times[row][thread]
    Writers(u32 rows, int threads) : times(rows, std::vector<u64>(threads)) {}
    void count(u64 &rows, u64 &shared, u64 &updates, u64 &contested) const {
        rows = shared = updates = contested = 0;
        for (const auto &t : times) {
            u64 all = std::accumulate(t.begin(), t.end(), (u64)0);
            int writers = (int)std::count_if(t.begin(), t.end(), [](u64 n) { return n > 0; });
            rows += writers > 0;
            updates += all;
            if (writers > 1) { shared++; contested += all; }
        }
    }
};

static void parallel() {
    state = 5;
    const Coo x = draw({100, 200, 400}, 80000);
    Csf c = compress(x, {0, 1, 2});
    std::vector<Factor> f = factors(x);
    for (int mode = 0; mode < 3; mode++) {        // the three kernels agree with COO
        Factor out(x.size[mode]), exact(x.size[mode]);
        tally = {};
        if (mode == 0) by_csf<true>(c, f[1], f[2], out);
        if (mode == 1) by_csf_middle<true>(c, f[0], f[2], out);
        if (mode == 2) by_csf_leaf<true>(c, f[0], f[1], out);
        by_coo<false>(x, f, mode, exact);
        compare(out, exact);
        number("level" + std::to_string(mode) + "_multiplications", (double)tally.multiplications);
    }
    const char *names[] = {"root, 100 rows", "middle, 200 rows", "leaves, 400 rows"};
    printf("100 x 200 x 400, 80000 values, one CSF with modes 1, 2, 3; slices dealt to threads\n");
    printf("result           threads  rows written by several  updates  of these to such rows  private KiB\n");
    for (int threads : {2, 8}) {
        std::vector<int> of = cut(c, threads);
        Writers root(100, threads), middle(200, threads), leaf(400, threads);
        for (u32 i = 0; i < c.nodes(0); i++) {
            for (u32 j = c.begin[0][i]; j < c.begin[0][i + 1]; j++) {
                root.times[c.id[0][i]][of[i]]++;
                middle.times[c.id[1][j]][of[i]]++;
                for (u32 k = c.begin[1][j]; k < c.begin[1][j + 1]; k++) leaf.times[c.id[2][k]][of[i]]++;
            }
        }
        const Writers *level[] = {&root, &middle, &leaf};
        for (int l = 0; l < 3; l++) {
            u64 rows, shared, updates, contested;
            level[l]->count(rows, shared, updates, contested);
            double kib = (double)threads * x.size[l] * sizeof(Row) / 1024;
            printf("%-16s %7d %12d of %3d %16d %23d %12.0f\n", names[l], threads, (int)shared, (int)rows, (int)updates, (int)contested, kib);
            std::string id = "level" + std::to_string(l) + "_" + std::to_string(threads);
            number(id + "_shared", (double)shared);
            number(id + "_updates", (double)updates);
            number(id + "_contested", (double)contested);
            number(id + "_private", kib * 1024);
        }
        // COO in equal runs: sorted by the mode of the result, and in another order.
        for (int l : {2, 0}) {
            Coo y = sorted(x, l == 2 ? std::vector<int>{2, 0, 1} : std::vector<int>{0, 1, 2});
            Writers w(400, threads);
            for (u64 n = 0; n < y.count(); n++) w.times[y.index[2][n]][n * threads / y.count()]++;
            u64 rows, shared, updates, contested;
            w.count(rows, shared, updates, contested);
            printf("%-16s %7d %12d of %3d %16d %23d\n", l == 2 ? "COO by mode 3" : "COO by mode 1", threads, (int)shared, (int)rows, (int)updates, (int)contested);
            std::string id = std::string(l == 2 ? "coo_own_" : "coo_other_") + std::to_string(threads);
            number(id + "_shared", (double)shared);
            number(id + "_contested", (double)contested);
        }
    }
    double n = (double)x.count(), one = bytes(c) / n, last = bytes(compress(x, {2, 0, 1})) / n;
    double three = one + last + bytes(compress(x, {1, 0, 2})) / n;
    printf("bytes for each value: COO %.1f, one CSF %.1f, two %.1f, one for each mode %.1f\n", bytes(x) / n, one, one + last, three);
    number("copies_1", one);
    number("copies_2", one + last);
    number("copies_3", three);
    number("tensor_bytes", (double)bytes(c));
    number("fibres", (double)c.nodes(1));
    number("worst", worst);
}

// ---- run ----------------------------------------------------------------------------------------

// Names by which Cachegrind's output is read.
#define ALONE extern "C" __attribute__((noinline)) void
using Columns = std::vector<std::vector<double>>;
ALONE coo(const Coo &x, const std::vector<Factor> &f, Factor &out) { by_coo<false>(x, f, 0, out); }
ALONE csf(const Csf &x, const Factor &middle, const Factor &leaf, Factor &out) { by_csf<false>(x, middle, leaf, out); }
ALONE writing(const Factor &b, const Factor &c, Factor &pairs) { write_out<false>(b, c, pairs); }
ALONE written(const Coo &x, const Factor &pairs, Factor &out) { by_written<false>(x, pairs, out); }
ALONE columns(const Coo &x, const Columns &b, const Columns &c, Columns &out) { by_columns<false>(x, b, c, out); }

static void run(const std::string &way) {
    state = 5;
    Coo x = draw({100, 200, 400}, 80000);
    Csf c = compress(x, {0, 1, 2});
    std::vector<Factor> f = factors(x);
    Factor out(100), pairs(200 * 400);
    Columns b = turned(f[1]), d = turned(f[2]), by_column(R, std::vector<double>(100));
    if (way == "coo") coo(x, f, out);
    if (way == "csf") csf(c, f[1], f[2], out);
    if (way == "written") { writing(f[1], f[2], pairs); written(x, pairs, out); }
    if (way == "columns") columns(x, b, d, by_column);
    number("first", way == "columns" ? by_column[0][0] : out[0][0]);
}

int main(int argc, char **argv) {
    std::string what = argc > 1 ? argv[1] : "";
    if (what == "show") show();
    else if (what == "bytes") bytes_of();
    else if (what == "orders") orders();
    else if (what == "counts") counts();
    else if (what == "parallel") parallel();
    else if (what == "run" && argc > 2) run(argv[2]);
    else return 2;
    printf("%s}\n", json.c_str());
}
