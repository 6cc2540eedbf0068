// How the columns of an unfolding and the rows of a Khatri-Rao product have to agree.
//   ./order show      the order of columns and rows, for a tensor of 2 x 3 x 2
//   ./order errors    the error of each pairing, on tensors that show it and on tensors that hide it
//   ./order als       what a decomposition makes of the wrong pairing
// Each prints a table and, last, its numbers as JSON.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

struct Matrix {
    int rows, columns;
    std::vector<double> at;
    Matrix(int r, int c, double value = 0) : rows(r), columns(c), at((size_t)r * c, value) {}
    double &operator()(int r, int c) { return at[(size_t)r * columns + c]; }
    double operator()(int r, int c) const { return at[(size_t)r * columns + c]; }
};

struct Tensor {                        // three modes, the last index fastest, as in C and NumPy
    int size[3];
    std::vector<double> at;
    Tensor(int i, int j, int k) : size{i, j, k}, at((size_t)i * j * k) {}
    double &operator()(int i, int j, int k) { return at[((size_t)i * size[1] + j) * size[2] + k]; }
    double operator()(int i, int j, int k) const { return at[((size_t)i * size[1] + j) * size[2] + k]; }
};

static uint64_t state = 1;
static double uniform() {              // 0 to 1, the same numbers on each machine
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 9007199254740992.0;
}
static double centred() { return 2 * uniform() - 1; }

// The two modes that are left when `mode` becomes the rows, in ascending order.
static void others(int mode, int &low, int &high) {
    low = mode == 0 ? 1 : 0;
    high = mode == 2 ? 1 : 2;
}

enum Columns { low_fastest, high_fastest, reshape_only };

static Matrix unfold(const Tensor &x, int mode, Columns order) {
    int low, high;
    others(mode, low, high);
    Matrix m(x.size[mode], x.size[low] * x.size[high]);
    if (order == reshape_only) {       // numpy: x.reshape(size[mode], -1), no axis moved
        m.at = x.at;
        return m;
    }
    int index[3];
    for (index[0] = 0; index[0] < x.size[0]; index[0]++)
        for (index[1] = 0; index[1] < x.size[1]; index[1]++)
            for (index[2] = 0; index[2] < x.size[2]; index[2]++) {
                int l = index[low], h = index[high];
                int column = order == low_fastest ? l + h * x.size[low] : l * x.size[high] + h;
                m(index[mode], column) = x(index[0], index[1], index[2]);
            }
    return m;
}

// Column-wise Kronecker product: the rows of the second matrix vary fastest.
static Matrix khatri_rao(const Matrix &first, const Matrix &second) {
    Matrix m(first.rows * second.rows, first.columns);
    for (int f = 0; f < first.rows; f++)
        for (int s = 0; s < second.rows; s++)
            for (int r = 0; r < first.columns; r++)
                m(f * second.rows + s, r) = first(f, r) * second(s, r);
    return m;
}

static int refused = 0;                // products whose sizes did not match
static Matrix product(const Matrix &a, const Matrix &b) {
    Matrix m(a.rows, b.columns);
    if (a.columns != b.rows) {
        refused++;
        return m;
    }
    for (int i = 0; i < a.rows; i++)
        for (int k = 0; k < a.columns; k++)
            for (int j = 0; j < b.columns; j++)
                m(i, j) += a(i, k) * b(k, j);
    return m;
}

// The definition, element by element: no unfolding, no order to get wrong.
static Matrix by_definition(const Tensor &x, const std::vector<Matrix> &factor, int mode) {
    int low, high, index[3];
    others(mode, low, high);
    Matrix m(x.size[mode], factor[0].columns);
    for (index[0] = 0; index[0] < x.size[0]; index[0]++)
        for (index[1] = 0; index[1] < x.size[1]; index[1]++)
            for (index[2] = 0; index[2] < x.size[2]; index[2]++)
                for (int r = 0; r < m.columns; r++)
                    m(index[mode], r) += x(index[0], index[1], index[2])
                        * factor[low](index[low], r) * factor[high](index[high], r);
    return m;
}

static Matrix by_unfolding(const Tensor &x, const std::vector<Matrix> &factor, int mode, Columns order, bool high_first) {
    int low, high;
    others(mode, low, high);
    return product(unfold(x, mode, order), high_first ? khatri_rao(factor[high], factor[low])
                                                      : khatri_rao(factor[low], factor[high]));
}

static double difference(const std::vector<double> &a, const std::vector<double> &exact) {
    double off = 0, all = 0;
    for (size_t n = 0; n < a.size(); n++) {
        off += (a[n] - exact[n]) * (a[n] - exact[n]);
        all += exact[n] * exact[n];
    }
    return std::sqrt(off / all);
}

static Matrix random_matrix(int rows, int columns, double (*next)()) {
    Matrix m(rows, columns);
    for (double &v : m.at) v = next();
    return m;
}

static Tensor from_factors(const std::vector<Matrix> &f) {
    Tensor x(f[0].rows, f[1].rows, f[2].rows);
    for (int i = 0; i < f[0].rows; i++)
        for (int j = 0; j < f[1].rows; j++)
            for (int k = 0; k < f[2].rows; k++) {
                double sum = 0;
                for (int r = 0; r < f[0].columns; r++) sum += f[0](i, r) * f[1](j, r) * f[2](k, r);
                x(i, j, k) = sum;
            }
    return x;
}

// ---- show ---------------------------------------------------------------------------------------

static void show() {
    const int J = 3, K = 2;
    Tensor x(1, J, K);
    for (int j = 0; j < J; j++)
        for (int k = 0; k < K; k++) x(0, j, k) = 10 * (j + 1) + k + 1;
    Matrix one = unfold(x, 0, low_fastest), two = unfold(x, 0, high_fastest);
    Matrix b(J, 1), c(K, 1);
    for (int j = 0; j < J; j++) b(j, 0) = j;
    for (int k = 0; k < K; k++) c(k, 0) = k;
    printf("mode 1 of a tensor of 2 x 3 x 2: 11 is the column of j = 1, k = 1\n");
    printf("columns, j fastest (MATLAB)  ");
    for (double v : one.at) printf("  %2.0f   ", v);
    printf("\nrows of C kr B               ");
    for (int k = 0; k < K; k++) for (int j = 0; j < J; j++) printf("c%d*b%d  ", k + 1, j + 1);
    printf("\ncolumns, k fastest (NumPy)   ");
    for (double v : two.at) printf("  %2.0f   ", v);
    printf("\nrows of B kr C               ");
    for (int j = 0; j < J; j++) for (int k = 0; k < K; k++) printf("b%d*c%d  ", j + 1, k + 1);
    int moved = 0;
    for (size_t n = 0; n < one.at.size(); n++) moved += one.at[n] != two.at[n];
    printf("\n{\"columns\": %d, \"moved\": %d}\n", J * K, moved);
}

// ---- errors -------------------------------------------------------------------------------------

static void errors() {
    struct Case { const char *id, *words; int size[3]; };
    const Case cases[] = {
        {"unequal", "sizes 6, 7, 8, random", {6, 7, 8}},
        {"equal", "sizes 7, 7, 7, random", {7, 7, 7}},
        {"counts", "sizes 6, 7, 8, all numbers positive", {6, 7, 8}},
        {"ones", "sizes 6, 7, 8, factors of ones", {6, 7, 8}},
        {"same", "sizes 7, 7, 7, one matrix for all factors", {7, 7, 7}},
        {"symmetric", "sizes 7, 7, 7, tensor symmetric", {7, 7, 7}},
        {"single", "sizes 6, 1, 8, random, mode 1", {6, 1, 8}},
    };
    printf("largest relative error over the modes        right  wrong order  reshape only\n");
    std::string json = "{";
    char text[200];
    for (const Case &c : cases) {
        state = 7;
        const int rank = 4, *n = c.size;
        bool positive = !strcmp(c.id, "counts");
        Tensor x(n[0], n[1], n[2]);
        for (double &v : x.at) v = positive ? uniform() : centred();
        if (!strcmp(c.id, "symmetric"))          // the same value for each order of i, j, k
            for (int i = 0; i < n[0]; i++)
                for (int j = 0; j <= i; j++)
                    for (int k = 0; k <= j; k++)
                        x(i, k, j) = x(j, i, k) = x(j, k, i) = x(k, i, j) = x(k, j, i) = x(i, j, k);
        std::vector<Matrix> f;
        for (int m = 0; m < 3; m++) f.push_back(random_matrix(n[m], rank, positive ? uniform : centred));
        if (!strcmp(c.id, "ones")) for (Matrix &m : f) m = Matrix(m.rows, rank, 1);
        if (!strcmp(c.id, "same")) f[1] = f[2] = f[0];
        double right = 0, wrong = 0, wrong_2 = 0, plain = 0;
        for (int mode = 0; mode < (strcmp(c.id, "single") ? 3 : 1); mode++) {
            Matrix exact = by_definition(x, f, mode);
            auto off = [&](Columns order, bool high_first) {
                return difference(by_unfolding(x, f, mode, order, high_first).at, exact.at);
            };
            right = std::fmax(right, std::fmax(off(low_fastest, true), off(high_fastest, false)));
            wrong = std::fmax(wrong, off(low_fastest, false));
            wrong_2 = std::fmax(wrong_2, off(high_fastest, true));
            plain = std::fmax(plain, off(reshape_only, false));
        }
        printf("%-42s %7.0e %12.3f %13.3f\n", c.words, right, std::fmax(wrong, wrong_2), plain);
        snprintf(text, sizeof text, "\"%s_right\": %.3g, \"%s\": %.6g, \"%s_plain\": %.6g, ", c.id, right, c.id,
                 std::fmax(wrong, wrong_2), c.id, plain);
        json += text;
    }
    printf("products refused because sizes differ: %d\n", refused);
    int before = refused;                      // a factor of the wrong mode is refused
    product(unfold(Tensor(6, 7, 8), 0, high_fastest), khatri_rao(Matrix(6, 4), Matrix(7, 4)));
    printf("%s\"refused\": %d, \"wrong_factor\": %d}\n", json.c_str(), before, refused - before);
}

// ---- als ----------------------------------------------------------------------------------------

static Matrix gram(const std::vector<Matrix> &f, int mode) {
    int low, high, rank = f[0].columns;
    others(mode, low, high);
    Matrix g(rank, rank);
    for (int p = 0; p < rank; p++)
        for (int q = 0; q < rank; q++) {
            double a = 0, b = 0;
            for (int i = 0; i < f[low].rows; i++) a += f[low](i, p) * f[low](i, q);
            for (int i = 0; i < f[high].rows; i++) b += f[high](i, p) * f[high](i, q);
            g(p, q) = a * b;
        }
    return g;
}

// Solves y * g = m for y by elimination with pivots; g is symmetric.
static Matrix solve(Matrix g, const Matrix &m) {
    int rank = g.rows;
    Matrix y(rank, m.rows);
    for (int r = 0; r < rank; r++) for (int i = 0; i < m.rows; i++) y(r, i) = m(i, r);
    for (int p = 0; p < rank; p++) {
        int best = p;
        for (int r = p + 1; r < rank; r++) if (std::fabs(g(r, p)) > std::fabs(g(best, p))) best = r;
        for (int c = 0; c < rank; c++) std::swap(g(p, c), g(best, c));
        for (int c = 0; c < m.rows; c++) std::swap(y(p, c), y(best, c));
        for (int r = 0; r < rank; r++) {
            if (r == p) continue;
            double by = g(r, p) / g(p, p);
            for (int c = p; c < rank; c++) g(r, c) -= by * g(p, c);
            for (int c = 0; c < m.rows; c++) y(r, c) -= by * y(p, c);
        }
    }
    Matrix out(m.rows, rank);
    for (int r = 0; r < rank; r++) for (int i = 0; i < m.rows; i++) out(i, r) = y(r, i) / g(r, r);
    return out;
}

struct Fit { double reported, real; };

// Alternating least squares. The error that it reports comes from its own MTTKRP of the last mode:
// |X|^2 - 2 <MTTKRP, factor> + |model|^2.
static Fit als(const Tensor &x, int rank, bool right, double (*start)(), int sweeps) {
    std::vector<Matrix> f;
    for (int m = 0; m < 3; m++) f.push_back(random_matrix(x.size[m], rank, start));
    double norm = 0, inner = 0;
    for (double v : x.at) norm += v * v;
    for (int s = 0; s < sweeps; s++)
        for (int mode = 0; mode < 3; mode++) {
            Matrix m = by_unfolding(x, f, mode, high_fastest, !right);
            f[mode] = solve(gram(f, mode), m);
            inner = 0;
            for (size_t n = 0; n < m.at.size(); n++) inner += m.at[n] * f[mode].at[n];
        }
    Tensor model = from_factors(f);
    double own = 0;
    for (double v : model.at) own += v * v;
    return {std::sqrt(std::fmax(0, norm - 2 * inner + own) / norm), difference(model.at, x.at)};
}

static void decompose() {
    const int rank = 3, sweeps = 300;
    struct Case { const char *id, *words; int size[3]; bool positive, same; };
    const Case cases[] = {
        {"unequal", "sizes 12, 15, 18", {12, 15, 18}, false, false},
        {"equal", "sizes 15, 15, 15", {15, 15, 15}, false, false},
        {"positive", "sizes 12, 15, 18, all positive", {12, 15, 18}, true, false},
        {"symmetric", "sizes 15, 15, 15, symmetric", {15, 15, 15}, false, true},
    };
    printf("relative error after %d sweeps       right order           wrong order\n", sweeps);
    printf("tensor of rank 3                    reported   real     reported   real\n");
    std::string json = "{";
    char text[200];
    for (const Case &c : cases) {
        state = 11;
        std::vector<Matrix> f;
        for (int m = 0; m < 3; m++) f.push_back(random_matrix(c.size[m], rank, c.positive ? uniform : centred));
        if (c.same) f[1] = f[2] = f[0];
        Tensor x = from_factors(f);
        Fit fit[2];
        for (int wrong = 0; wrong < 2; wrong++) {
            state = 13;
            fit[wrong] = als(x, rank, !wrong, uniform, sweeps);
        }
        printf("%-32s %9.4f %9.4f   %9.4f %9.4f\n", c.words, fit[0].reported, fit[0].real, fit[1].reported, fit[1].real);
        snprintf(text, sizeof text, "%s\"%s_right\": %.6f, \"%s_reported\": %.6f, \"%s_real\": %.6f", c.id == cases[0].id ? "" : ", ",
                 c.id, fit[0].real, c.id, fit[1].reported, c.id, fit[1].real);
        json += text;
    }
    // Ten other draws of positive factors and of the start, with the wrong order.
    double least = 1e300, most = 0;
    int lost = 0;                              // those that end in no finite number
    for (int draw = 0; draw < 10; draw++) {
        state = 100 + draw;
        for (int n = 0; n < 10; n++) uniform();
        std::vector<Matrix> f;
        for (int m = 0; m < 3; m++) f.push_back(random_matrix(cases[2].size[m], rank, uniform));
        double real = als(from_factors(f), rank, false, uniform, sweeps).real;
        if (!std::isfinite(real)) {
            lost++;
            continue;
        }
        least = std::fmin(least, real);
        most = std::fmax(most, real);
    }
    printf("%s, \"least\": %.6f, \"most\": %.6f, \"lost\": %d}\n", json.c_str(), least, most, lost);
}

int main(int argc, char **argv) {
    std::string what = argc > 1 ? argv[1] : "";
    if (what == "show") show();
    else if (what == "errors") errors();
    else if (what == "als") decompose();
    else return 2;
}
